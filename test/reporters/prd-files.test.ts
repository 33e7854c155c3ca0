import { link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { allOf } from "../../src/reporters/all-of.ts";
import { loopLogReporter } from "../../src/reporters/loop-log.ts";
import { prdFilesReporter } from "../../src/reporters/prd-files.ts";
import { aProved } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aCheck, aState, settled, started, turnStarted } from "../views/a-state.ts";

const soon = (): number => Date.now() + 20_000;
const NOW = Date.parse("2026-03-01T12:00:00.000Z");

/** A workspace with the folders of a PRD and of its loop, and the reporter between them. */
async function aStage({ log: limit, ...limits }: { log?: number; events?: number; notes?: number } = {}) {
  const temp = await tempFolder();
  const [root, outside] = [path.join(temp.path, "work"), path.join(temp.path, "outside")];
  const [folder, loopFolder] = [path.join(root, ".daedalus/prds/shop"), path.join(root, "loop")];
  for (const name of [root, outside, path.join(root, ".daedalus/prds")]) await mkdir(name, { recursive: true });
  const failures: string[] = [];
  const stage = { notes: "" };
  const hiding = (text: string): string => text.replaceAll("sk-secret", "***");
  const failed = (why: Error): unknown => failures.push(why.message);
  const bounds = { events: 1e6, notes: 1e6, ...limits };
  const beside = prdFilesReporter({
    ...{ root, folder, hiding, failed, limits: bounds },
    notes: async () => stage.notes,
    eventLine: ({ type }, { revision }) => `${JSON.stringify({ revision, type })}\n`,
  });
  const folders = [loopFolder, folder];
  const log = loopLogReporter({
    root,
    folders,
    hiding,
    failed,
    now: () => NOW,
    ...(limit === undefined ? {} : { limit }),
  });
  const reporter = allOf([beside, log]);
  const read = (name: string, at = folder): Promise<string> => readFile(path.join(at, name), "utf8");
  return {
    ...{ reporter, failures, read, folder, loopFolder, outside, stage },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

/** A state with `count` events behind it. */
const after = (revision: number, iteration = 0) => aState({ revision, iteration });

describe("beside the documents of a PRD [D-31, D-39]", () => {
  test("are a log with times, the events, and a copy of the notes; the loop's folder has the log as well", async () => {
    await using at = await aStage();
    const { reporter, read, loopFolder, stage } = at;
    reporter.report(started(), after(1));
    reporter.report(turnStarted(), after(2, 1));
    reporter.observe({ type: "command.ended", command: "npm test", exitCode: 1, output: "" });
    reporter.observe({ type: "reasoning", text: "hm" });
    stage.notes = "## Iteration 1\n\n- story: US-001 passed\n";
    reporter.report(settled(), after(3, 1));
    await reporter.flush(soon());
    const log = await read("agent.log");
    expect(log).toBe(
      [
        "2026-01-06T21:10:00.000+00:00 [0/30] loop repo-1 started: 30 iterations at most",
        "2026-01-06T21:10:00.000+00:00 [1/30] iteration 1 started, fresh session",
        "2026-03-01T12:00:00.000+00:00 [1/30] agent ran (exit 1): npm test",
        "",
      ].join("\n"),
    );
    expect(await read("agent.log", loopFolder)).toBe(log);
    const types = (await read("events.jsonl"))
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(types).toEqual([
      { revision: 1, type: "loop_started" },
      { revision: 2, type: "turn_started" },
      { revision: 3, type: "settled" },
    ]);
    expect(await read("progress.md")).toMatch(/^<!-- Smithers .*-->\n\n## Iteration 1\n\n- story: US-001 passed\n$/u);
    expect(at.failures).toEqual([]);
  });

  test("an event without a line keeps nothing that follows from the log", async () => {
    await using at = await aStage();
    at.reporter.report(started(), after(1));
    await at.reporter.flush(soon());
    at.reporter.report(settled(), after(2, 1));
    at.reporter.report(turnStarted(2), after(3, 2));
    await at.reporter.flush(soon());
    expect(await at.read("agent.log")).toContain("[2/30] iteration 2 started");
  });

  test("log and events only grow, over all runs", async () => {
    await using at = await aStage();
    await mkdir(at.folder);
    await writeFile(path.join(at.folder, "agent.log"), "of an earlier run\n");
    await writeFile(path.join(at.folder, "events.jsonl"), "{}\n");
    at.reporter.report(started(), after(1));
    await at.reporter.flush(soon());
    expect(await at.read("agent.log")).toMatch(/^of an earlier run\n2026-.* loop repo-1 started/u);
    expect(await at.read("events.jsonl")).toMatch(/^\{\}\n\{"revision":1/u);
  });

  test("nothing is written before the loop begins, and then nothing is missing", async () => {
    await using at = await aStage();
    at.reporter.observe({ type: "notice", text: "checks are not isolated" });
    await at.reporter.flush(soon());
    expect(await readdir(path.dirname(at.folder))).toEqual([]);
    at.reporter.report(started(), after(1));
    await at.reporter.flush(soon());
    expect(await at.read("agent.log")).toMatch(/ \[0\/0\] notice: checks are not isolated\n.* \[0\/30\] loop repo-1/u);
  });

  test("neither secrets nor control characters are in them [T16]", async () => {
    await using at = await aStage();
    at.stage.notes = "said \u001B[31msk-sec\u0007ret\u202E\n";
    at.reporter.report(started(), after(1));
    at.reporter.observe({ type: "message", text: "the key is sk-sec\u001B[0mret\rok" });
    at.reporter.report(settled(), after(2));
    await at.reporter.flush(soon());
    expect(await at.read("agent.log")).toContain("agent says: the key is *** ok\n");
    expect(await at.read("progress.md")).toContain("\n\nsaid ***\n");
  });

  test("each is bounded: of a file that is too long the older half goes, in whole lines", async () => {
    await using at = await aStage({ log: 2_000, events: 100, notes: 1_000 });
    for (let revision = 1; revision <= 50; revision += 1) {
      at.reporter.report(turnStarted(revision), after(revision, revision));
      await at.reporter.flush(soon());
    }
    const [log, events] = [await at.read("agent.log"), await at.read("events.jsonl")];
    expect(log.length).toBeLessThanOrEqual(2_000);
    expect(log).toMatch(/^2026-.* \[\d+\/30\] iteration \d+ started/u);
    expect(log).toMatch(/\[50\/30\] iteration 50 started, fresh session\n$/u);
    expect(events.length).toBeLessThanOrEqual(100);
    expect(events).toMatch(/^\{.*\}\n(?:\{.*\}\n)*\{"revision":50,"type":"turn_started"\}\n$/u);
  });
});

describe("what others have put there", () => {
  test("notes of somebody else are kept under a name of their own, once", async () => {
    await using at = await aStage();
    await mkdir(at.folder);
    await writeFile(path.join(at.folder, "progress.md"), "mine\n");
    at.stage.notes = "one\n";
    at.reporter.report(started(), after(1));
    await at.reporter.flush(soon());
    await writeFile(path.join(at.folder, "progress.md"), "the agent's\n");
    at.stage.notes = "one\ntwo\n";
    at.reporter.report(settled(), after(2));
    await at.reporter.flush(soon());
    expect(await at.read("progress.before.md")).toBe("mine\n");
    expect(await at.read("progress.md")).toMatch(/\n\none\ntwo\n$/u);
  });

  test.each(["", "ours"])("an empty file and a copy of ours are written again: %j", async (was) => {
    await using at = await aStage();
    await mkdir(at.folder);
    at.stage.notes = "one\n";
    if (was === "") await writeFile(path.join(at.folder, "progress.md"), "");
    for (const revision of [1, 2]) {
      at.reporter.report(started(), after(revision));
      await at.reporter.flush(soon());
    }
    expect((await readdir(at.folder)).toSorted()).toEqual(["agent.log", "events.jsonl", "progress.md"]);
  });

  test("nothing is written through a link, and one failure is told once [T14]", async () => {
    await using at = await aStage();
    await mkdir(at.folder);
    const theirs = path.join(at.outside, "theirs");
    await writeFile(theirs, "theirs\n");
    await symlink(theirs, path.join(at.folder, "agent.log"));
    await link(theirs, path.join(at.folder, "events.jsonl"));
    await symlink(theirs, path.join(at.folder, "progress.md"));
    at.stage.notes = "one\n";
    for (const revision of [1, 2]) {
      at.reporter.report(started(), after(revision));
      await at.reporter.flush(soon());
    }
    expect(await readFile(theirs, "utf8")).toBe("theirs\n");
    // The log is told of once, and what is beside the documents once.
    expect(at.failures).toHaveLength(2);
    expect(await at.read("progress.md")).toMatch(/\n\none\n$/u);
    expect(await at.read("agent.log", at.loopFolder)).toContain("loop repo-1 started");
  });

  test("nor through a link in place of the folder [T14]", async () => {
    await using at = await aStage();
    await symlink(at.outside, at.folder);
    at.reporter.report(started(), after(1));
    await at.reporter.flush(soon());
    expect(await readdir(at.outside)).toEqual([]);
    const refused = expect.stringContaining("is a link or not ours");
    expect(at.failures).toEqual([refused, refused]);
  });
});

test("checks are told as on the plain log", async () => {
  await using at = await aStage();
  const proved = { ...aProved({ result: "failed", checks: [aCheck({ exitCode: 2 })] }), at: "2026-01-06T21:11:00Z" };
  at.reporter.report(started(), after(1));
  at.reporter.observe({ type: "check.started", command: "npm test" });
  at.reporter.report(proved, after(2));
  await at.reporter.flush(soon());
  expect(await at.read("agent.log")).toMatch(/check started: npm test\n.*check failed \(exit 2, 3 s\): npm test\n$/u);
});
