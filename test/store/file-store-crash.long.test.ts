import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { aState } from "../support/builders.ts";
import { EVENT, place, revisionsIn, withRevisions } from "./place.ts";

const APPENDER = path.join(import.meta.dirname, "append-for-ever.ts");

describe("the file store after a crash", () => {
  it.each([
    ["an event whose state was not written", '{"v":1,"revision":4,"type":"x"}\n'],
    ["several of them", '{"v":1,"revision":4,"type":"x"}\n{"v":1,"revision":5,"type":"x"}\n'],
    ["a torn line", '{"v":1,"revi'],
    ["a torn line that looks whole", '{"v":1,"revision":3,"type":"x"}'],
    ["an event and a torn line", '{"v":1,"revision":4,"type":"x"}\n{"v":1'],
    ["a long event", `{"v":1,"revision":4,"type":"${"x".repeat(300_000)}"}\n`],
    ["zeros that a file system left", "\0".repeat(5000)],
  ])("cuts %s [W-06, W-58]", async (_what, rest) => {
    await using at = await place();
    await withRevisions(at, 3);
    const whole = await readFile(at.events, "utf8");
    await appendFile(at.events, rest);
    const store = await at.opened();
    expect((await store.load("a-loop"))?.revision).toBe(3);
    expect(await readFile(at.events, "utf8")).toBe(whole);
    await store.append(EVENT, aState({ revision: 4 }));
    expect(await revisionsIn(at.events)).toEqual([1, 2, 3, 4]);
  });

  it("at every byte of an append, the record is the old one or the new one [W-58]", async () => {
    await using at = await place();
    await withRevisions(at, 2);
    const line = `${JSON.stringify({ v: 1, revision: 3, ...EVENT })}\n`;
    const store = await at.opened();
    const { length: before } = await readFile(at.events);
    for (let written = 0; written <= line.length; written++) {
      await truncate(at.events, before);
      await appendFile(at.events, line.slice(0, written));
      expect((await store.load("a-loop"))?.revision).toBe(2);
      expect(await revisionsIn(at.events)).toEqual([1, 2]);
    }
  });

  it("an unfinished state file is cleared away, and the old one holds [W-58]", async () => {
    await using at = await place();
    await withRevisions(at, 2);
    await writeFile(path.join(path.dirname(at.stateFile), ".a-loop.json.1-abc.tmp"), '{"schema":1,"rev');
    const store = await at.opened();
    expect((await store.load("a-loop"))?.revision).toBe(2);
    expect((await readdir(path.dirname(at.stateFile))).toSorted()).toEqual(["a-loop", "a-loop.json"]);
  });

  it("what a killed run was about to put in the place of its files is cleared away, and nothing else [W-58]", async () => {
    await using at = await place();
    await withRevisions(at, 2);
    const before = await readdir(at.folder);
    const left = [
      ...[".last_message_iter_6.txt.19685.tmp", ".summary.json.7.tmp", ".prompt.txt.7-abc.tmp", ".probe.0af3.tmp"],
      ...[".prompt_iter_4.txt.smithers-tmp", ".changes_iter_12.patch.smithers-tmp"],
      ...[".prd-documents.json.7-abc.tmp", ".US-001-2.patch.7-abc.tmp", ".undone-3-prd.1.md.7-abc.tmp"],
    ];
    for (const name of [...left, ".mine.tmp", "mine.tmp"]) await writeFile(path.join(at.folder, name), "");
    await at.opened();
    expect((await readdir(at.folder)).toSorted()).toEqual([...before, ".mine.tmp", "mine.tmp"].toSorted());
  });

  it("the first event without its state is nobody's [W-40]", async () => {
    await using at = await place();
    await mkdir(at.folder, { recursive: true });
    await writeFile(at.events, '{"v":1,"revision":1,"type":"loop_started"}\n');
    const store = await at.opened();
    expect(await store.load("a-loop")).toBeUndefined();
    await store.append(EVENT, aState());
    expect(await revisionsIn(at.events)).toEqual([1]);
  });

  it("a run that is killed at any moment leaves a record that the next one goes on with [W-06, W-58]", async () => {
    await using at = await place();
    let reached = 0;
    for (let kill = 0; kill < 5; kill++) {
      const run = spawn(process.execPath, [APPENDER, at.stateFile, at.folder], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(run, "exit");
      // chunks of output come at arbitrary moments of the appends
      for (let chunk = 0; chunk < 3 + kill; chunk++) await once(run.stdout, "data");
      run.kill("SIGKILL");
      await ended;
      const store = await at.opened();
      const state = await store.load("a-loop");
      const revision = state?.revision ?? 0;
      expect(revision).toBeGreaterThan(reached);
      expect(await revisionsIn(at.events)).toEqual(Array.from({ length: revision }, (_, index) => index + 1));
      expect((await readdir(path.dirname(at.stateFile))).toSorted()).toEqual(["a-loop", "a-loop.json"]);
      reached = revision;
      await store.close();
    }
  });

  it("goes on when everything is deleted under the running loop", async () => {
    await using at = await place();
    const store = await at.opened();
    await store.append(EVENT, aState({ revision: 1 }));
    await rm(path.dirname(at.stateFile), { recursive: true });
    await store.append(EVENT, aState({ revision: 2 }));
    expect((await store.load("a-loop"))?.revision).toBe(2);
    expect(await revisionsIn(at.events)).toEqual([2]);
    await expect(at.opened()).rejects.toMatchObject({ code: "LOOP_BUSY" });
  });

  it("refuses to write when another run took over a deleted lock [W-58]", async () => {
    await using at = await place();
    const first = await at.opened();
    await first.append(EVENT, aState({ revision: 1 }));
    await rm(path.join(at.folder, "lock"), { recursive: true });
    const second = await at.opened();
    await expect(first.append(EVENT, aState({ revision: 2 }))).rejects.toMatchObject({ code: "LOOP_BUSY" });
    await second.append(EVENT, aState({ revision: 2 }));
    await second.close();
    await expect(first.append(EVENT, aState({ revision: 2 }))).rejects.toMatchObject({ code: "STATE_STALE" });
    expect(await revisionsIn(at.events)).toEqual([1, 2]);
  });
});
