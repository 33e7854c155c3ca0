import path from "node:path";
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { FileStore } from "../../src/store/file-store.ts";
import { eachLoop, type ListedLoop, listLoops, SeenStates, stateFilesIn } from "../../src/store/loop-files.ts";
import { aState } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";

const EVENT: LoopEvent = { type: "session_opened", at: "2026-03-01T10:00:00.000Z", session_id: "s-1" };

/** A loop with one event in this folder; its store is open. */
async function aLoop(folder: string, id = "a-loop"): Promise<FileStore> {
  const store = new FileStore({ stateFile: path.join(folder, `${id}.json`), folder: path.join(folder, id) });
  await store.open();
  await store.append(EVENT, aState({ loop_id: id, status: "completed" }));
  await writeFile(path.join(folder, id, "progress.md"), "notes of the first generation");
  return store;
}

describe("archiving a loop", () => {
  it("moves the record aside and lets the loop begin again under its id [C25]", async () => {
    await using folder = await tempFolder();
    const store = await aLoop(folder.path);
    await mkdir(path.join(folder.path, "a-loop", "control"));
    await mkdir(path.join(folder.path, "a-loop", "git"));
    await store.archive();
    expect(await store.load("a-loop")).toBeUndefined();
    await store.append(EVENT, aState({ generation: 2 }));
    await store.close();

    expect((await readdir(folder.path)).toSorted()).toEqual(["a-loop", "a-loop.g1", "a-loop.g1.json", "a-loop.json"]);
    expect((await readdir(path.join(folder.path, "a-loop.g1"))).toSorted()).toEqual(["events.jsonl", "progress.md"]);
    const here = await readdir(path.join(folder.path, "a-loop"));
    expect(here.toSorted()).toEqual(["control", "events.jsonl", "git", "lock"]);
    const archived = await readFile(path.join(folder.path, "a-loop.g1.json"), "utf8");
    expect(JSON.parse(archived)).toMatchObject({ generation: 1, status: "completed" });
  });

  it("does nothing the second time, or when there is nothing [C25]", async () => {
    await using folder = await tempFolder();
    const store = await aLoop(folder.path);
    await store.archive();
    const names = await readdir(folder.path);
    await store.archive();
    expect(await readdir(folder.path)).toEqual(names);
    await store.close();
  });

  it("is completed when it was cut off in the middle [C25, W-58]", async () => {
    await using folder = await tempFolder();
    const store = await aLoop(folder.path);
    await mkdir(path.join(folder.path, "a-loop.g1"));
    await rename(path.join(folder.path, "a-loop", "events.jsonl"), path.join(folder.path, "a-loop.g1", "events.jsonl"));
    await store.archive();
    expect((await readdir(path.join(folder.path, "a-loop.g1"))).toSorted()).toEqual(["events.jsonl", "progress.md"]);
    expect(await readdir(path.join(folder.path, "a-loop"))).toEqual(["lock"]);
    await store.close();
  });

  it("takes the place of an older copy of the same generation [C25]", async () => {
    await using folder = await tempFolder();
    const store = await aLoop(folder.path);
    await mkdir(path.join(folder.path, "a-loop.g1", "progress.md", "deep"), { recursive: true });
    await writeFile(path.join(folder.path, "a-loop.g1.json"), JSON.stringify(aState()));
    await store.archive();
    expect(await readFile(path.join(folder.path, "a-loop.g1", "progress.md"), "utf8")).toContain("first generation");
    await store.close();
  });

  it("never takes the place of another loop [W-62]", async () => {
    await using folder = await tempFolder();
    const other = await aLoop(folder.path, "a-loop.g1");
    const store = await aLoop(folder.path);
    await expect(store.archive()).rejects.toMatchObject({ code: "ARCHIVE_TAKEN" });
    expect((await other.load("a-loop.g1"))?.loop_id).toBe("a-loop.g1");
    expect((await store.load("a-loop"))?.loop_id).toBe("a-loop");
    await store.close();
    await other.close();
  });
});

describe("listing loops", () => {
  it("tells every loop of a folder, the damaged ones too, and no archived ones [W-08]", async () => {
    await using folder = await tempFolder();
    const store = await aLoop(folder.path, "b-loop");
    await store.archive();
    await store.append(EVENT, aState({ loop_id: "b-loop", generation: 2, status: "waiting" }));
    await store.close();
    await (await aLoop(folder.path)).close();
    await writeFile(path.join(folder.path, "c-loop.json"), "{");
    await writeFile(path.join(folder.path, "notes.txt"), "");

    const loops = await listLoops(folder.path);
    expect(loops.map((loop) => loop.id)).toEqual(["a-loop", "b-loop", "c-loop"]);
    expect(loops[1]).toMatchObject({ state: { generation: 2, status: "waiting" } });
    expect(loops[2]).toMatchObject({ problem: { code: "STATE_DAMAGED" } });
  });

  it("reads no file again that is the same, for who looks again and again [C170]", async () => {
    await using folder = await tempFolder();
    const [still, moves] = [await aLoop(folder.path, "still"), await aLoop(folder.path, "moves")];
    await writeFile(path.join(folder.path, "broken.json"), "{");
    const seen = new SeenStates();
    const look = async () => {
      const found = new Map<string, ListedLoop>();
      seen.lookAgain();
      for await (const loop of eachLoop(folder.path, { seen })) found.set(loop.id, loop);
      const stateOf = (id: string) => {
        const loop = found.get(id);
        return loop !== undefined && "state" in loop ? loop.state : undefined;
      };
      return { still: stateOf("still"), moves: stateOf("moves"), ids: [...found.keys()] };
    };
    const before = await look();
    await moves.append(EVENT, aState({ loop_id: "moves", revision: 2, status: "waiting" }));
    await writeFile(path.join(folder.path, "broken.json"), JSON.stringify(aState({ loop_id: "broken" })));
    const after = await look();
    expect(after.still).toBe(before.still);
    expect([before.moves?.status, after.moves?.status]).toEqual(["completed", "waiting"]);
    expect([before.ids, after.ids]).toEqual([
      ["broken", "moves", "still"],
      ["broken", "moves", "still"],
    ]);
    for (const store of [still, moves]) await store.close();
  });

  it("forgets a file that goes, however like it is what comes in its place [C170]", async () => {
    await using folder = await tempFolder();
    await using elsewhere = await tempFolder();
    for (const id of ["stays", "goes"]) await (await aLoop(folder.path, id)).close();
    const [file, kept] = [path.join(folder.path, "goes.json"), path.join(elsewhere.path, "goes.json")];
    await link(file, kept);
    const seen = new SeenStates();
    const look = async () => {
      seen.lookAgain();
      return [await listLoops(folder.path, { seen }), seen.size] as const;
    };
    const stateOf = (loop: ListedLoop | undefined) => (loop !== undefined && "state" in loop ? loop.state : undefined);
    const [[before], first] = await look();
    await rm(file);
    const [, second] = await look();
    // The very same file, which a memory could not tell from the one before.
    await link(kept, file);
    const [[after], third] = await look();
    expect([first, second, third]).toEqual([2, 1, 2]);
    expect(stateOf(after)).toEqual(stateOf(before));
    expect(stateOf(after)).not.toBe(stateOf(before));
  });

  it("looks only at those whose ids begin as it is asked, and counts all of them without a look [C170]", async () => {
    await using folder = await tempFolder();
    for (const id of ["fix-a", "fix-b", "other"]) await (await aLoop(folder.path, id)).close();
    await writeFile(path.join(folder.path, ".hidden.json"), "{");
    const seen = new SeenStates();
    const found = await listLoops(folder.path, { prefix: "fix-", seen });
    expect([found.map(({ id }) => id), seen.size]).toEqual([["fix-a", "fix-b"], 2]);
    // That is how a file begins, and not an id.
    expect(await listLoops(folder.path, { prefix: "fix-a.js" })).toEqual([]);
    expect(await stateFilesIn(folder.path)).toHaveLength(3);
    expect(await stateFilesIn(path.join(folder.path, "missing"))).toEqual([]);
  });

  it("has nothing to tell where no folder is", async () => {
    await using folder = await tempFolder();
    expect(await listLoops(path.join(folder.path, "missing"))).toEqual([]);
  });
});
