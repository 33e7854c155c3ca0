import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { notStarted } from "../../src/agents/codex/failures.ts";
import { presentError } from "../../src/app/present-error.ts";
import { OperationalError } from "../../src/core/errors.ts";
import { refuseFullDisk } from "../../src/os/free-space.ts";
import { lackToStart } from "../../src/os/machine-trouble.ts";
import { inOwnFolder } from "../../src/os/own-file.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** As Node throws what a system call says. */
const thrown = (code: string, file?: string) =>
  Object.assign(new Error(`${code}: something, write`), { code, ...(file === undefined ? {} : { path: file }) });

/** Starts git once nothing more can be opened. */
const FULL = `
  import fs from "node:fs";
  const { startGit } = await import(${JSON.stringify(new URL("../../src/git/git.ts", import.meta.url).href)});
  try { for (;;) fs.openSync("/dev/null"); } catch {}
  await startGit(["status"], { cwd: "/", env: process.env }).catch((e) => fs.writeSync(1, e.message + "\\n" + e.next));
`;

describe("what the machine lacks is told as that [C59]", () => {
  test.each([
    ["ENOSPC", "the disk is full"],
    ["EDQUOT", "your quota of the disk is used up"],
    ["EROFS", "the file system is read-only"],
    ["EMFILE", "too many files are open"],
    ["ENFILE", "too many files are open"],
    ["EFBIG", "a file would become larger than is allowed here"],
    ["EIO", "the disk fails"],
    ["EACCES", "permission is denied"],
    ["EAGAIN", "the system has no process or no memory to spare"],
  ])("%s", (code, what) => {
    const { text, exitCode } = presentError(new Error("outer", { cause: thrown(code, "/w/a") }), "smithers");
    expect(text).toMatch(new RegExp(`^smithers: /w/a could not be written: ${what}\\.`, "u"));
    expect(text).toContain("then resume the loop");
    expect(text).not.toContain("bug");
    expect(exitCode).toBe(1);
  });

  test.each([
    ["open", "EMFILE", "opened"],
    ["open", "EACCES", "opened"],
    ["open", "ENOSPC", "written"],
    ["write", "EMFILE", "written"],
    ["scandir", "EMFILE", "read"],
    ["spawn /usr/bin/x", "EAGAIN", "started"],
  ])("what could not be done is said: %s, %s", (syscall, code, done) => {
    const error = Object.assign(thrown(code, "/w/a"), { syscall });
    expect(presentError(error, "smithers").text).toContain(`/w/a could not be ${done}: `);
  });

  test("a program that is there and cannot be started is no missing program", () => {
    expect(lackToStart(thrown("EMFILE"))).toMatchObject({ what: "too many files are open" });
    expect(lackToStart(thrown("EACCES"))).toBeUndefined();
    expect(lackToStart(thrown("ENOENT"))).toBeUndefined();
    expect(lackToStart(undefined)).toBeUndefined();
    const { message, next } = notStarted(thrown("EMFILE"));
    expect(message).toBe("Codex could not be started: too many files are open.");
    expect(next).toContain("ulimit -n");
    expect(notStarted(thrown("ENOENT")).next).toContain("Install Codex");
  });

  test("a file in a folder that is held open is told by the path that people know", async () => {
    await using folder = await tempFolder();
    const own = { root: folder.path, path: path.join(folder.path, "git") };
    const write = inOwnFolder(own, async (at) => {
      throw thrown("EROFS", path.join(at, "exclude"));
    });
    const { text } = presentError(await write.catch((error: unknown) => error), "smithers");
    expect(text).toContain(`${path.join(own.path, "exclude")} could not be written: the file system is read-only`);
  });

  test("git that cannot be started for want of room: what is safe and what to do are said", async () => {
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      `ulimit -n 64; exec "$0" -e "$1"`,
      process.execPath,
      FULL,
    ]);
    const [message = "", next = ""] = stdout.split("\n");
    expect(message).toMatch(
      /^git could not be started in \/: too many files are open\. .* your files are unharmed\.$/u,
    );
    expect(next).toMatch(/ulimit -n.*then resume the loop, or give the command again/u);
  });

  test("without a file's name it is told without", () => {
    expect(presentError(thrown("ENOSPC"), "smithers").text).toContain(
      "Something could not be written: the disk is full",
    );
  });

  test("anything else that is thrown is a bug", () => {
    expect(presentError(thrown("ENOENT"), "smithers").text).toContain("This is a bug in smithers");
  });
});

describe("before a turn [C59]", () => {
  test("a disk with room is fine, whatever is asked for, and nothing is left behind", async () => {
    await using folder = await tempFolder();
    await refuseFullDisk(folder.path, 1);
    await refuseFullDisk(folder.path, null);
    await expect(rm(folder.path)).rejects.toMatchObject({
      code: expect.stringMatching(/EISDIR|ENOTEMPTY|ERR_FS_EISDIR/u),
    });
  });

  test.each([
    ["has no size of its own", async () => ({ blocks: 0, bavail: 0, bsize: 4096 })],
    ["does not answer", async () => Promise.reject(thrown("ENOSYS"))],
  ])("where the file system %s, nobody knows that it is full", async (_, ask) => {
    await using folder = await tempFolder();
    await expect(refuseFullDisk(folder.path, 32, ask)).resolves.toBeUndefined();
  });

  test("too little room is refused with what is free and what is asked for", async () => {
    await using folder = await tempFolder();
    const refused = refuseFullDisk(folder.path, 1_000_000_000);
    await expect(refused).rejects.toBeInstanceOf(OperationalError);
    await expect(refused).rejects.toMatchObject({
      code: "DISK_FULL",
      message: expect.stringMatching(
        /^Only \d+ MiB are free on the disk of .*min-free-disk asks for 1000000000\. So no turn/u,
      ),
      next: "Free some space, then resume the loop.",
    });
  });

  test("a folder that cannot be written is refused", async () => {
    await using folder = await tempFolder();
    await mkdir(path.join(folder.path, "a"));
    await writeFile(path.join(folder.path, "a/file"), "");
    await expect(refuseFullDisk(path.join(folder.path, "a/file"), null)).rejects.toMatchObject({
      code: "FOLDER_UNWRITABLE",
      message: expect.stringContaining("cannot be written"),
    });
  });
});
