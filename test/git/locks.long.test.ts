import { execFileSync } from "node:child_process";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { heldLock } from "../../src/git/locks/locks.ts";
import { findRepository } from "../../src/git/repository.ts";
import { nameOfHolder, thisHolder } from "../../src/os/holder.ts";
import { gitRepository } from "../support/git-repository.ts";
import { workspaceOf } from "./support.ts";

const REQUEST = { message: "feat: the work", loopId: "demo", iteration: 4 };

const DEAD = 2 ** 30;

/** A run that was killed while it held these locks, and what it has left. */
async function killedIn(gitDir: string, locks: readonly string[], { of = {}, laterMs = 0 } = {}) {
  const folder = path.join(gitDir, "smithers");
  await mkdir(folder, { recursive: true });
  const note = path.join(folder, `git.${nameOfHolder({ ...(await thisHolder()), pid: DEAD, ...of })}`);
  await writeFile(note, JSON.stringify(locks.map((name) => name.replace(/\.lock$/u, ""))));
  const at = new Date(Date.now() - 90_000);
  await utimes(note, at, at);
  for (const lock of locks) {
    const file = path.join(gitDir, lock);
    await writeFile(file, "");
    await utimes(file, at, new Date(at.getTime() + laterMs));
  }
}

const locksIn = async (gitDir: string) =>
  (await readdir(gitDir, { recursive: true })).filter((name) => name.endsWith(".lock"));

describe("locks that a killed git command has left [C58]", () => {
  test.each([
    ["on a branch", ["index.lock", "HEAD.lock", "refs/heads/main.lock"]],
    ["of the index alone", ["index.lock"]],
  ])("ours are removed and told by name and age: %s", async (_where, locks) => {
    await using repository = await gitRepository();
    const gitDir = path.join(repository.path, ".git");
    await killedIn(gitDir, locks);
    const told: string[] = [];
    const workspace = await workspaceOf(repository.path, "one", { notice: (text) => told.push(text) });
    await repository.write("new.txt", "new\n");
    await workspace.snapshot();
    expect(told.map((text) => text.slice(0, text.indexOf(" in ")))).toEqual(locks);
    expect(told[0]).toMatch(/was left 1 min 3\d s ago by process 1073741824, a run of ours that was killed/u);
    expect((await workspace.commit(REQUEST))?.commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(await locksIn(gitDir)).toEqual([]);
    expect(await readdir(path.join(gitDir, "smithers"))).toEqual([]);
  });

  test.each([
    ["of a run that is at work", { of: { pid: process.pid } }],
    ["of a run on another machine", { of: { host: "elsewhere" } }],
    ["much younger than our note", { laterMs: 61_000 }],
    ["much older than our note", { laterMs: -10_000 }],
  ])("others stay: %s", async (_whose, how) => {
    await using repository = await gitRepository();
    const gitDir = path.join(repository.path, ".git");
    await killedIn(gitDir, ["index.lock"], how);
    const told: string[] = [];
    await (await workspaceOf(repository.path, "one", { notice: (text) => told.push(text) })).snapshot();
    expect(told).toEqual([]);
    expect(await locksIn(gitDir)).toEqual(["index.lock"]);
  });

  test("a note that leads out of the git directory is believed nothing", async () => {
    await using repository = await gitRepository({ "a.lock": "mine\n" });
    const gitDir = path.join(repository.path, ".git");
    await killedIn(gitDir, ["../a.lock"]);
    await (await workspaceOf(repository.path, "one")).snapshot();
    expect((await stat(path.join(repository.path, "a.lock"))).isFile()).toBe(true);
  });
});

test.each(["index.lock", "HEAD.lock", "refs/heads/main.lock"])(
  "%s of another git command is waited for, then named with its age and the command that removes it [C58]",
  async (lock) => {
    await using repository = await gitRepository();
    await repository.write("new.txt", "new\n");
    const file = path.join(repository.path, ".git", lock);
    await writeFile(file, "");
    await utimes(file, new Date(), new Date(Date.now() - 3_600_000));
    const before = await repository.git("rev-parse", "HEAD");
    const workspace = await workspaceOf(repository.path);
    await expect(workspace.commit(REQUEST)).rejects.toMatchObject({
      code: "GIT_BUSY",
      message: expect.stringMatching(new RegExp(`holds ${lock.replaceAll(".", "\\.")}.*1 h old`, "u")),
      next: expect.stringContaining(`rm -f -- '${file}'`),
    });
    expect(await repository.git("rev-parse", "HEAD")).toBe(before);
    expect(await readdir(path.join(repository.path, ".git/smithers")).catch(() => [])).toEqual([]);
  },
);

test("the command that removes a lock is one for a path with an apostrophe too [C58]", async () => {
  await using repository = await gitRepository();
  const gitDir = path.join(repository.path, "it's");
  await mkdir(gitDir);
  await writeFile(path.join(gitDir, "index.lock"), "");
  const found = await findRepository(repository.path);
  if (found === undefined) throw new Error("There is no repository.");
  const held = await heldLock({ ...found, gitDir }, ["index"]);
  execFileSync("sh", ["-c", held?.remove ?? "false"]);
  expect(await readdir(gitDir)).toEqual([]);
});
