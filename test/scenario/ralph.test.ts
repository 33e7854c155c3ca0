import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cli, jsonOf, stage, type Stage } from "../cli/run-cli.ts";

/** A status block as Ralph asks for it. */
function block(status: string, exit: boolean): string {
  const fields = [`STATUS: ${status}`, "TASKS_COMPLETED: 1", "FILES_MODIFIED: 1", "TESTS_STATUS: PASSING"];
  const lines = [...fields, "WORK_TYPE: feature", `EXIT_SIGNAL: ${exit}`];
  return ["---RALPH_STATUS---", ...lines, "---END_RALPH_STATUS---"].join("\n");
}

const plan = (ticked: number): string => {
  const items = ["parse it", "print it", "test it"];
  return items.map((item, index) => `- [${index < ticked ? "x" : " "}] ${item}\n`).join("");
};
const turn = (ticked: number, message: string) => ({ lastMessage: message, files: { "@fix_plan.md": plan(ticked) } });
const worked = (step: number, message: string) => ({ lastMessage: message, files: { "parser.txt": `${step}\n` } });

/** A folder that Ralph manages. */
function ralphStage(fixPlan = plan(0)): Promise<Stage> {
  return stage({ "PROMPT.md": "Build the parser.\n", "@fix_plan.md": fixPlan, "@AGENT.md": "Run `npm test`.\n" });
}

async function stateOf(repo: Stage): Promise<unknown> {
  const text = await readFile(path.join(repo.path, ".codex/waylon-smithers/loops/L.json"), "utf8");
  const state: unknown = JSON.parse(text);
  return state;
}

const NO_PROGRESS = { trigger: "no_progress", count: 6, marks: { warns: 3, opens: 6 } };
const AS_L = ["--preset", "ralph", "--loop-id", "L", "--json"];

describe.concurrent("Ralph's own document, over the command line", () => {
  test("the loop works through @fix_plan.md and ends when every item is ticked [R-04, R-26, R-27]", async () => {
    await using repo = await ralphStage();
    const working = "one more";
    const turns = [1, 2, 3].map((ticked) => turn(ticked, `${working}\n${block("WORKING", ticked === 3)}`));
    const answer = await cli(["run", ...AS_L, ...(await repo.play({ turns }))], repo.path);
    expect([answer.code, jsonOf(answer)["status"]]).toEqual([0, "completed"]);
    expect(await stateOf(repo)).toMatchObject({
      iteration: 3,
      prompt: "Build the parser.\n",
      stop_reason: { kind: "plan_complete", verified: false },
      plan: { path: "@fix_plan.md", agent_file: "@AGENT.md", items: 3, ticked: 3 },
      progress: { most_ticked: 3 },
    });
  });

  test("what a turn hears: task, files, the first open item, what is left, Ralph's block [R-12, R-17, R-26]", async () => {
    await using repo = await ralphStage();
    await writeFile(path.join(repo.path, "@fix_plan.md"), plan(1));
    const answer = await cli(["run", ...AS_L.slice(0, 4), "--dry-run", "--full-auto"], repo.path);
    expect(answer.stderr).toBe("");
    expect(answer.stdout).toMatch(/^ {2}breaker-open-multiplier +2 +preset ralph$/mu);
    expect(answer.stdout).toContain("<task>\nBuild the parser.\n");
    expect(answer.stdout).toContain("- @AGENT.md: how to build and run");
    expect(answer.stdout).toContain("## This iteration\nprint it\nThis is the first open item of @fix_plan.md.");
    expect(answer.stdout).toContain("After it:\n- test it");
    expect(answer.stdout).toContain("---RALPH_STATUS---");
    expect(answer.stdout).not.toContain("<promise>");
  });

  test("two exit signals in a row that say complete end it, one does not [R-18, R-31]", async () => {
    // Open items would contradict the signal (C46).
    await using repo = await ralphStage("PROMPT.md says it all.\n");
    const turns = [worked(1, block("COMPLETE", true)), worked(2, block("COMPLETE", true))];
    const answer = await cli(["run", ...AS_L, ...(await repo.play({ turns }))], repo.path);
    expect(answer.code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ iteration: 2, stop_reason: { kind: "dual_gate" } });
  });

  test("with exit-gate signal one is enough [R-28]", async () => {
    await using repo = await ralphStage("PROMPT.md says it all.\n");
    const script = await repo.play({ turns: [worked(1, block("WORKING", true))] });
    const answer = await cli(["run", ...AS_L, "--exit-gate", "signal", ...script], repo.path);
    expect(answer.code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ iteration: 1, stop_reason: { kind: "exit_signal" } });
  });

  test("without a change it opens at twice 3; status tells it and reset-circuit closes it [R-07, R-08, R-14, R-15, R-16, R-24, R-29, R-35]", async () => {
    await using repo = await ralphStage();
    // The sixth opens it; a seventh turn would fail the script.
    const idle = { lastMessage: block("WORKING", false) };
    const script = await repo.play({ turns: Array.from({ length: 6 }, () => idle) });
    const answer = await cli(["run", ...AS_L, ...script], repo.path);
    expect([answer.code, jsonOf(answer)["status"]]).toEqual([5, "circuit_open"]);
    expect(await stateOf(repo)).toMatchObject({
      iteration: 6,
      circuit: { state: "OPEN", trigger: "no_progress", count: 6 },
    });
    const status = await cli(["status", "--loop-id", "L", "--json"], repo.path);
    expect(jsonOf(status)).toMatchObject({
      status: "circuit_open",
      circuit: { state: "OPEN", counters: expect.arrayContaining([NO_PROGRESS]) },
      calls: { calls: 6, max: 100 },
      progress: { iterations_without: 6, plan: { items: 3, ticked: 0 } },
    });
    expect((await cli(["reset-circuit", "--loop-id", "L"], repo.path)).code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ circuit: { state: "CLOSED" }, codex: { session_id: null } });
  });

  test("an agent that may not write is refused before a turn, with what helps [C3]", async () => {
    await using repo = await ralphStage();
    const answer = await cli(["run", "--preset", "ralph", "--loop-id", "L"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("--full-auto");
  });
});
