import { appendFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readState } from "../../src/store/state-file.ts";
import { FileStore } from "../../src/store/file-store.ts";
import { storeContract } from "../contract/store-contract.ts";
import { aState } from "../support/builders.ts";
import { EVENT, place, revisionsIn, withRevisions } from "./place.ts";

storeContract("the file store", async () => {
  const at = await place();
  const store = await at.opened();
  let current = store;
  return {
    store,
    async reopen() {
      await current.close();
      current = await at.opened();
      return current;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
});

describe("the file store", () => {
  it("writes events and state where the loop keeps them [W-40, W-42]", async () => {
    await using at = await place();
    await withRevisions(at, 2);
    expect(await readFile(at.events, "utf8")).toBe(
      [1, 2].map((revision) => `${JSON.stringify({ v: 1, revision, ...EVENT })}\n`).join(""),
    );
    expect(JSON.parse(await readFile(at.stateFile, "utf8"))).toEqual(aState({ revision: 2 }));
    expect((await readdir(path.dirname(at.stateFile))).toSorted()).toEqual(["a-loop", "a-loop.json"]);
  });

  it("is for one run at a time [W-08]", async () => {
    await using at = await place();
    await at.opened();
    await expect(at.opened()).rejects.toMatchObject({ code: "LOOP_BUSY" });
  });

  it("looks without the lock and changes nothing then", async () => {
    await using at = await place();
    await withRevisions(at, 2);
    await appendFile(at.events, '{"v":1,"revision":3,"torn');
    const looker = new FileStore({ stateFile: at.stateFile, folder: at.folder });
    expect((await looker.load("a-loop"))?.revision).toBe(2);
    expect(await readFile(at.events, "utf8")).toContain("torn");
    await expect(looker.append(EVENT, aState({ revision: 3 }))).rejects.toThrow("opened");
  });

  it("never takes another loop's state for its own [W-62]", async () => {
    await using at = await place();
    await withRevisions(at, 1);
    await expect((await at.opened()).load("b-loop")).rejects.toMatchObject({ code: "STATE_DAMAGED" });
  });

  it.each([
    ["damaged", '{"schema": 1,', "STATE_DAMAGED"],
    ["newer", '{"schema": 99}', "STATE_NEWER"],
    ["huge", `"${"x".repeat(2 ** 20)}"`, "STATE_DAMAGED"],
  ])("a %s state file is named and stays as it is [W-58]", async (_what, text, code) => {
    await using at = await place();
    await mkdir(at.folder, { recursive: true });
    await writeFile(at.stateFile, text);
    const store = await at.opened();
    await expect(store.load("a-loop")).rejects.toMatchObject({ code });
    await expect(store.append(EVENT, aState())).rejects.toMatchObject({ code });
    expect(await readFile(at.stateFile, "utf8")).toBe(text);
  });

  it("what cannot be read is named [W-58]", async () => {
    await using at = await place();
    await mkdir(at.stateFile, { recursive: true });
    await expect((await at.opened()).load("a-loop")).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
  });

  it.runIf(process.platform === "linux")("a fault of the machine is told as what it is [W-58]", async () => {
    // its first page can be opened and never read
    const refused = readState("/proc/self/mem");
    await expect(refused).rejects.toMatchObject({ code: "STATE_UNREADABLE" });
    await expect(refused).rejects.toThrow("cannot be read: the disk fails");
    await expect(refused).rejects.toMatchObject({ next: expect.stringContaining("work on another disk") });
  });

  it("what cannot be written is named, and the loop can go on when that is fixed [W-58]", async () => {
    await using at = await place();
    const store = await at.opened();
    await store.append(EVENT, aState({ revision: 1 }));
    await rm(at.events);
    await mkdir(at.events);
    await expect(store.append(EVENT, aState({ revision: 2 }))).rejects.toMatchObject({ code: "STATE_UNWRITABLE" });
    expect((await new FileStore(at).load("a-loop"))?.revision).toBe(1);
    await rm(at.events, { recursive: true });
    await store.append(EVENT, aState({ revision: 2 }));
    expect((await store.load("a-loop"))?.revision).toBe(2);
    expect(await revisionsIn(at.events)).toEqual([2]);
  });
});

it("the cost of an append and of a load does not grow with the loop [W-66]", async () => {
  await using at = await place();
  await withRevisions(at, 2);
  const line = `${JSON.stringify({ v: 1, revision: 1, ...EVENT, note: "x".repeat(1000) })}\n`;
  await writeFile(at.events, line.repeat(100_000));
  const store = await at.opened();
  const start = performance.now();
  await store.load("a-loop");
  for (let revision = 3; revision <= 22; revision++) await store.append(EVENT, aState({ revision }));
  expect(performance.now() - start).toBeLessThan(2000);
});
