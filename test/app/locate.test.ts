import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locate, looprRoot, readOptional } from "../../src/app/locate.ts";
import { UsageError } from "../../src/core/errors.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder = "";
const at = (...names: readonly string[]): string => path.join(folder, ...names);

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "loopr-")));
  await mkdir(at("marked", ".loopr"), { recursive: true });
  await mkdir(at("marked", "in", "side"), { recursive: true });
  await writeFile(at("marked", ".loopr", "config"), "MAX_ITERATIONS=7\n");
  await mkdir(at("repository", "in", "side"), { recursive: true });
  await writeFile(at("repository", ".git"), "gitdir: elsewhere\n");
  await mkdir(at("plain"));
});

afterAll(async () => rm(folder, { recursive: true }));

test.each([
  ["the one that is named", ["repository"], "../marked", ["marked"]],
  ["the nearest ancestor that holds .loopr/", ["marked", "in", "side"], null, ["marked"]],
  ["else the git root, a worktree's too", ["repository", "in", "side"], null, ["repository"]],
])("the Loopr root is %s [L-05, C20]", async (_title, workspace, named, root) => {
  expect(await looprRoot(at(...workspace), named)).toBe(at(...root));
});

test("the Loopr root is else the workspace [L-05, C20]", async () => {
  const nowhere = path.join(path.parse(folder).root, "no-such-folder");
  expect(await looprRoot(nowhere, null)).toBe(nowhere);
});

test("a named root has to be there [L-05]", async () => {
  await expect(looprRoot(at("plain"), "gone")).rejects.toThrow(`The Loopr root ${at("plain", "gone")} does not exist`);
});

test.each([
  ["in the workspace", ["marked"], {}, path.join(".loopr", "config")],
  ["above the workspace", ["marked", "in"], {}, null],
  ["where somebody says", ["plain"], { root: ["../marked"] }, null],
])(".loopr/config is found %s [L-06]", async (_title, workspace, flags, shown) => {
  const shell = { program: "smithers", cwd: at(...workspace), env: {}, stdout: process.stdout, stderr: process.stderr };
  const { input } = await locate(flags, shell);
  const file = shown ?? at("marked", ".loopr", "config");
  expect(input.foreign).toEqual([{ system: "loopr", path: file, text: "MAX_ITERATIONS=7\n" }]);
});

test("a config file of more than a megabyte is not read [S-05]", async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, "large");
  await writeFile(file, "#".repeat((1 << 20) + 1));
  await expect(readOptional(file, "--config-file")).rejects.toThrow(
    "it has 1048577 bytes, and at most 1048576 are read",
  );
});

test("a config file that is not there is none, and what is not a file is said to be none [L-13, S-05]", async () => {
  await using folder = await tempFolder();
  const inside = (name: string): string => path.join(folder.path, name);
  await writeFile(inside("file"), "MAX_ITERATIONS=5\n");
  await mkdir(inside("folder"));
  await promisify(execFile)("mkfifo", [inside("pipe")]);
  await symlink("/dev/zero", inside("device"));

  expect(await readOptional(inside("file"), "--loopr-root")).toBe("MAX_ITERATIONS=5\n");
  expect(await readOptional(inside("missing"), "--loopr-root")).toBeUndefined();
  for (const name of ["folder", "pipe", "device"]) {
    await expect(readOptional(inside(name), "--loopr-root")).rejects.toThrow(
      `The config file ${inside(name)} cannot be read: it is no regular file.`,
    );
  }
});

const BROKEN = {
  "is no TOML": (file: string) => writeFile(file, "max-iterations = = 5\n"),
  "is a folder": (file: string) => mkdir(file),
  "says something wrong of where the loop is": (file: string) => writeFile(file, 'loop-id = "../up"\n'),
};

test.each(Object.entries(BROKEN))("a loop is found although the config file %s [C67]", async (_title, breaks) => {
  await using folder = await tempFolder();
  await breaks(path.join(folder.path, ".smithers.toml"));
  const stderr = new PassThrough({ encoding: "utf8" });
  const shell = { program: "smithers", cwd: folder.path, env: {}, stdout: process.stdout, stderr };

  expect(await locate({}, shell)).toMatchObject({ root: folder.path, loopId: null, stateFile: null });
  const told = String(stderr.read());
  expect(told).toContain(".smithers.toml");
  expect(told).toContain("This command goes on without it.");
  await locate({}, shell, "silent");
  expect(stderr.read()).toBeNull();
  for (const mode of ["ask", "given", "spare", "keep"] as const)
    await expect(locate({}, shell, mode)).rejects.toThrow(UsageError);
  await expect(locate({}, { ...shell, inputs: {} })).rejects.toThrow(UsageError);
});

test("a file of another system that is broken keeps nobody from finding a loop [C67]", async () => {
  await using folder = await tempFolder();
  await mkdir(path.join(folder.path, ".loopr", "config"), { recursive: true });
  const stderr = new PassThrough({ encoding: "utf8" });
  const shell = { program: "smithers", cwd: folder.path, env: {}, stdout: process.stdout, stderr };

  expect((await locate({}, shell)).input.foreign).toEqual([]);
  expect(String(stderr.read())).toContain("This command goes on without it.");
});

test("a config file that somebody names has to be there, whatever the command [C67]", async () => {
  await using folder = await tempFolder();
  const shell = { program: "smithers", cwd: folder.path, env: {}, stdout: process.stdout, stderr: process.stderr };
  await expect(locate({ "config-file": ["gone.toml"] }, shell)).rejects.toThrow("There is no config file gone.toml");
});

test("a config file that a shell hands over is read", async () => {
  expect(await readOptional("/dev/null", "--config-file")).toBe("");
});
