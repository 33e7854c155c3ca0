import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runLoop } from "../../src/core/loop.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import type { Reporter } from "../../src/core/ports.ts";
import type { Task } from "../../src/core/task.ts";
import { projectionReporter } from "../../src/reporters/projection.ts";
import { LOOPR_LAYOUT } from "../../src/views/projections/loopr.ts";
import { RALPH_LAYOUT } from "../../src/views/projections/ralph.ts";
import { cli, jsonOf, stage } from "../cli/run-cli.ts";
import { aTask } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { newWorld, portsOf, type Scenario } from "./world.ts";

const same = (text: string): string => text;

function block(name: string, fields: Record<string, string>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  return [`---${name}_STATUS---`, ...lines, `---END_${name}_STATUS---`].join("\n");
}

/** Runs a loop and lets the reporter write all of it. */
async function play(task: Task, scenario: Scenario, reporter: Reporter): Promise<StopReason> {
  const reason = await runLoop(task, { ...portsOf(newWorld(), scenario), reporter }, new AbortController().signal);
  await reporter.flush(Date.now() + 20_000);
  return reason;
}

describe("a loop in the files of another tool", () => {
  test("Loopr's, of a loop that works up to its cap [L-10, L-22, L-26, C11, C16]", async () => {
    await using root = await tempFolder();
    const why: string[] = [];
    const options = {
      layout: LOOPR_LAYOUT,
      root: root.path,
      hiding: same,
      failed: (error: Error) => why.push(error.message),
    };
    const task = aTask({ limits: { maxIterations: 3 }, runtime: { statusBlock: "loopr" } });
    const message = block("LOOPR", { STATUS: "IN_PROGRESS", EXIT_SIGNAL: "false", SUMMARY: "half way" });
    const reason = await play(task, { agent: () => ({ message }) }, projectionReporter(options));
    expect(reason).toEqual({ kind: "max_iterations", max: 3 });
    const read = (name: string): Promise<string> => readFile(path.join(root.path, ".loopr", name), "utf8");
    expect(JSON.parse(await read("status.json"))).toEqual({
      state: "blocked",
      iteration: 3,
      exit_reason: "max_iterations",
      last_summary: "half way",
      last_error: null,
      call_count: 3,
      next_reset_at: "2026-11-21T11:00:00.000Z",
    });
    expect(JSON.parse(await read("loop-state.json"))).toMatchObject({
      iteration: 3,
      no_progress: 0,
      circuit: "CLOSED",
    });
    expect([await read(".call_count"), await read(".last_reset")]).toEqual(["3\n", "2026-11-21T10:00:00.000+00:00\n"]);
    const log = (await read("loop.log")).trimEnd().split("\n");
    expect(log.filter((line) => line.includes(" started"))).toHaveLength(4);
    expect(log.at(-1)).toMatch(/^2026-11-21T10:15:00\.000\+00:00 \[3\/3\] loop stopped_max_iterations /u);
    expect(why).toEqual([]);
  });

  test("Ralph's, of a loop whose circuit opens [R-21, R-34, C11]", async () => {
    await using root = await tempFolder();
    const options = { layout: RALPH_LAYOUT, root: root.path, hiding: same, failed: () => undefined };
    const circuit = { missingStatus: 0, noProgress: 3, sameError: 5, testLoops: 0, openMultiplier: 2 };
    const task = aTask({ limits: { circuit }, runtime: { statusBlock: "ralph" } });
    const message = block("RALPH", { STATUS: "WORKING", EXIT_SIGNAL: "false" });
    const reason = await play(task, { agent: () => ({ message, idle: true }) }, projectionReporter(options));
    expect(reason).toEqual({ kind: "no_progress", count: 6 });
    const read = (name: string): Promise<string> => readFile(path.join(root.path, name), "utf8");
    expect(await read(".codex_session_id")).toBe("session-1\n");
    expect(JSON.parse(await read(".ralph_session"))).toMatchObject({ session_id: "session-1", iterations: 6 });
    expect(JSON.parse(await read(".circuit_breaker_state"))).toMatchObject({
      state: "OPEN",
      reason: "no_progress",
      consecutive_no_progress: 6,
      current_loop: 6,
    });
    expect(JSON.parse(await read(".exit_signals"))).toMatchObject({ done_signals: [], exit_signal: false });
    expect(await read(".call_count")).toBe("6\n");
    expect(await readdir(root.path)).toHaveLength(6);
  });

  test("a projection that cannot be written changes nothing of how a loop ends [C11]", async () => {
    await using root = await tempFolder();
    await writeFile(path.join(root.path, ".loopr"), "no folder");
    const options = { layout: LOOPR_LAYOUT, root: root.path, hiding: same, failed: () => undefined };
    const scenario: Scenario = { agent: () => ({ message: "<promise>DONE</promise>" }) };
    expect(await play(aTask(), scenario, projectionReporter(options))).toMatchObject({ kind: "promise" });
    expect(await readFile(path.join(root.path, ".loopr"), "utf8")).toBe("no folder");
  });
});

test("over the command line both are written, and neither measured nor committed, even where git tracks one [C11, L-22, R-34]", async () => {
  await using repo = await stage({ ".loopr/config": "MAX_MISSING_STATUS=9\n", ".loopr/status.json": "{}\n" });
  const script = await repo.play({ turns: [{ lastMessage: "Working.", files: { "a.txt": "the same\n" } }] });
  const flags = ["--projections", "loopr,ralph", "--commit", "end", "--json"];
  const answer = await cli(["loop", "Fix it", ...script, ...flags], repo.path);
  expect(jsonOf(answer)).toMatchObject({ stop_reason: { kind: "no_progress", count: 3 }, iteration: 4 });
  expect(answer.stderr).toMatch(/git tracks \.loopr\/status\.json: .*git rm --cached \.loopr\/status\.json/u);
  const read = (name: string): Promise<string> => readFile(path.join(repo.path, name), "utf8");
  expect(JSON.parse(await read(".loopr/status.json"))).toMatchObject({ state: "circuit_open", call_count: 4 });
  expect([await read(".call_count"), await read(".loopr/.call_count")]).toEqual(["4\n", "4\n"]);
  expect(await read(".loopr/config")).toBe("MAX_MISSING_STATUS=9\n");
  expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe("a.txt");
  expect(await repo.git("status", "--porcelain")).toBe(" M .loopr/status.json");
});
