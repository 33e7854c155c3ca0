import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { writingObjects } from "../../src/git/locks/left-objects.ts";
import { findRepository } from "../../src/git/repository.ts";
import { nameOfHolder, thisHolder } from "../../src/os/holder.ts";
import { gitRepository } from "../support/git-repository.ts";
import { workspaceOf } from "./support.ts";

const DEAD = 2 ** 30;

/** A run that wrote objects at some time and was killed, or not; and unfinished ones of that time and of later. */
async function left(gitDir: string, pid: number, laterMs: readonly number[]) {
  const note = path.join(gitDir, "smithers", `objects.${nameOfHolder({ ...(await thisHolder()), pid })}`);
  const at = Date.now() - 300_000;
  const objects = path.join(gitDir, "objects", "82");
  for (const folder of [path.dirname(note), objects]) await mkdir(folder, { recursive: true });
  const files = laterMs.map((ms) => ({ file: path.join(objects, `tmp_obj_a${ms}`), ms }));
  for (const { file, ms } of [{ file: note, ms: 0 }, ...files]) {
    await writeFile(file, "");
    await utimes(file, new Date(at + ms), new Date(at + ms));
  }
}

const unfinishedIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes("tmp_")).toSorted();

describe("objects that git had not finished [C60]", () => {
  test("those of a killed run go, and those of another time stay", async () => {
    await using repository = await gitRepository();
    const gitDir = path.join(repository.path, ".git");
    await left(gitDir, DEAD, [0, 50_000, 90_000]);
    await (await workspaceOf(repository.path, "one")).snapshot();
    expect(await unfinishedIn(path.join(gitDir, "objects"))).toEqual(["82/tmp_obj_a90000"]);
    expect(await readdir(path.join(gitDir, "smithers"))).toEqual([]);
  });

  test("those of a run that is at work stay", async () => {
    await using repository = await gitRepository();
    const gitDir = path.join(repository.path, ".git");
    await left(gitDir, process.pid, [0]);
    await (await workspaceOf(repository.path, "one")).snapshot();
    expect(await unfinishedIn(path.join(gitDir, "objects"))).toEqual(["82/tmp_obj_a0"]);
  });

  test("a commit that is made leaves no note, and one that fails leaves its own", async () => {
    await using repository = await gitRepository();
    const found = await findRepository(repository.path);
    if (found === undefined) throw new Error("There is no repository.");
    const notes = path.join(found.gitDir, "smithers");
    expect(await writingObjects(found, async () => readdir(notes))).toHaveLength(1);
    expect(await readdir(notes)).toEqual([]);
    const fails = writingObjects(found, async () => Promise.reject(new Error("full")));
    await expect(fails).rejects.toThrow("full");
    const noted = await readdir(notes);
    expect(noted).toHaveLength(1);
    await writingObjects(found, async () => undefined);
    expect(await readdir(notes)).toEqual(noted);
  });
});
