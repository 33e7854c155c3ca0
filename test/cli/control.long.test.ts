import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { cli, jsonOf, stage, startCli } from "./run-cli.ts";

const LOOPS = ".codex/waylon-smithers/loops";
const WORKING = { turns: [{ delayMs: 60_000, lastMessage: "never" }] };
/** Does not hear the first signal. */
const STUBBORN = {
  turns: [{ commands: [["sh", "-c", "trap '' INT; echo up > up.txt; sleep 60"]], lastMessage: "never" }],
};
const DONE = { turns: [{ lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" }] };

describe.concurrent("Ctrl+C", () => {
  test("once stops cleanly, says so at once, and leaves a loop that can be resumed [W-46, W-64]", async () => {
    await using repo = await stage();
    const script = await repo.play(WORKING);
    await using run = startCli(["x", "--loop-id", "L", ...script, "--json"], repo.path);
    await run.said("session scripted-1");
    run.process.kill("SIGINT");
    await run.said("work and state are kept; Ctrl+C again ends it at once");
    const answer = await run.done;
    expect(answer.code).toBe(130);
    expect(jsonOf(answer)).toMatchObject({ status: "paused_user_interrupt", session_id: "scripted-1" });
    await repo.play(DONE);
    expect(jsonOf(await cli(["resume", ...script, "--json"], repo.path))).toMatchObject({
      status: "completed",
      session_id: "scripted-1",
      spent: { resumes: 1 },
    });
  });

  test("twice ends a stubborn agent at once, and the loop can still be resumed", async () => {
    await using repo = await stage();
    const script = await repo.play(STUBBORN);
    await using run = startCli(["x", "--loop-id", "L", ...script, "--json"], repo.path);
    await run.said("iteration 1 started");
    await untilThere(path.join(repo.path, "up.txt"));
    run.process.kill("SIGINT");
    await run.said("work and state are kept; Ctrl+C again ends it at once");
    // For half a second another signal is the same wish: npm passes on what the terminal has sent already.
    await sleep(600);
    run.process.kill("SIGINT");
    await run.said("ending the agent at once");
    const answer = await run.done;
    expect(answer.code).toBe(130);
    expect(jsonOf(answer)).toMatchObject({ status: "paused_user_interrupt", resumable_by: "person" });
  });
});

describe.concurrent("a running loop", () => {
  test("status tells that it runs; a second run is refused [W-32]", async () => {
    await using repo = await stage();
    const script = await repo.play(WORKING);
    await using run = startCli(["x", "--loop-id", "L", ...script], repo.path);
    await run.said("session scripted-1");
    expect(jsonOf(await cli(["status", "--json"], repo.path))).toMatchObject({ status: "running", iteration: 1 });
    const second = await cli(["x", "--loop-id", "L", ...script], repo.path);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("Next: ");
  });

  test("stop ends the turn now; pause and stop of a stopped loop say that there is nothing to do", async () => {
    await using repo = await stage();
    const script = await repo.play(WORKING);
    await using run = startCli(["x", "--loop-id", "L", ...script], repo.path);
    await run.said("session scripted-1");
    const stopped = await cli(["stop", "--json"], repo.path);
    expect(stopped.code).toBe(0);
    expect(jsonOf(stopped)).toMatchObject({ status: "paused_user_interrupt" });
    expect((await run.done).code).toBe(130);
    for (const command of ["stop", "pause"]) {
      const again = await cli([command], repo.path);
      expect(again.code).toBe(0);
      expect(again.stderr).toContain(`there is nothing to ${command}`);
    }
  });

  test("is shown and stopped although its config file is broken now; a run is not begun with it [C67]", async () => {
    await using repo = await stage();
    const script = await repo.play(WORKING);
    await using run = startCli(["x", "--loop-id", "L", ...script], repo.path);
    await run.said("session scripted-1");
    await writeFile(path.join(repo.path, ".smithers.toml"), "max-iterations = = 5\n");
    const shown = await cli(["status", "--json"], repo.path);
    expect(jsonOf(shown)).toMatchObject({ status: "running" });
    expect(shown.stderr).toContain(".smithers.toml line 1");
    expect((await cli(["resume"], repo.path)).code).toBe(64);
    expect((await cli(["stop"], repo.path)).code).toBe(0);
    expect((await run.done).code).toBe(130);
    expect((await cli(["cancel"], repo.path)).code).toBe(0);
  });

  test("pause ends it after its iteration", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ delayMs: 2_500, lastMessage: "half way" }] });
    await using run = startCli(["x", "--loop-id", "L", ...script, "--json"], repo.path);
    await run.said("session scripted-1");
    const paused = await cli(["pause"], repo.path);
    expect(paused.code).toBe(0);
    expect(paused.stderr).toMatch(/To end it now: \S+ stop --loop-id L/u);
    const answer = await run.done;
    expect(answer.code).toBe(130);
    expect(jsonOf(answer)).toMatchObject({ status: "paused_user_interrupt", last_iteration: { agent: "ok" } });
  });

  test("cancel ends it for good [W-33, W-47]", async () => {
    await using repo = await stage();
    const script = await repo.play(WORKING);
    await using run = startCli(["x", "--loop-id", "L", ...script], repo.path);
    await run.said("session scripted-1");
    expect(jsonOf(await cli(["cancel", "--json"], repo.path))).toMatchObject({ status: "canceled", resume: null });
    const ended = await run.done;
    expect(ended.code).toBe(130);
    expect(ended.stderr).toMatch(
      /ending the turn or the checks that run now, and the loop for good \(.* cancel\); work and state are kept/u,
    );
    const resumed = await cli(["resume", "--loop-id", "L", ...script], repo.path);
    expect(resumed.code).toBe(64);
    expect(resumed.stderr).toContain("Loop L is canceled");
  });

  test("one that was killed has crashed, and what it left is cleared away when it goes on", async () => {
    await using repo = await stage();
    const script = await repo.play(STUBBORN);
    await using run = startCli(["x", "--loop-id", "L", ...script], repo.path);
    await untilThere(path.join(repo.path, "up.txt"));
    run.process.kill("SIGKILL");
    await run.done;
    expect(jsonOf(await cli(["status", "--json"], repo.path))).toMatchObject({
      status: "crashed",
      resume: "smithers resume --loop-id L",
    });
    await repo.play(DONE);
    expect(jsonOf(await cli(["resume", ...script, "--json"], repo.path))).toMatchObject({
      status: "completed",
      iteration: 2,
    });
  });
});

describe.concurrent("a stopped loop", () => {
  test("cancel writes it down; clean-up deletes smithers' own files and nothing else [W-47]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ files: { "work.txt": "mine" }, lastMessage: "half way" }] });
    await cli(["x", "--loop-id", "L", ...script, "--max-iterations", "1"], repo.path);
    const folder = path.join(repo.path, LOOPS, "L");
    await writeFile(path.join(folder, "notes-of-a-person.txt"), "keep");
    const canceled = await cli(["cancel", "--cleanup-artifacts"], repo.path);
    expect(canceled.code).toBe(0);
    expect(canceled.stdout).toContain("canceled");
    expect(canceled.stderr).toContain("Left alone, because smithers did not make it:");
    expect(await readdir(folder)).toEqual(["notes-of-a-person.txt"]);
    expect(await readFile(path.join(repo.path, "work.txt"), "utf8")).toBe("mine");
    const again = await cli(["cancel"], repo.path);
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("nothing to cancel");
  });

  test("several loops: the message lists them, and the only one that fits is meant", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: "half way" }] });
    for (const id of ["A", "B"]) await cli(["x", "--loop-id", id, ...script, "--max-iterations", "1"], repo.path);
    const unclear = await cli(["pause"], repo.path);
    expect(unclear.code).toBe(64);
    expect(unclear.stderr).toContain("A: stopped_max_iterations, iteration 1 of 1");
    expect(unclear.stderr).toContain("Name one: its id, or the beginning of it");
    await cli(["cancel", "--loop-id", "A"], repo.path);
    expect(JSON.parse(await readFile(path.join(repo.path, LOOPS, "A/summary.json"), "utf8"))).toMatchObject({
      status: "canceled",
      iterations: [{ iteration: 1 }],
    });
    expect(jsonOf(await cli(["cancel", "--json"], repo.path))).toMatchObject({ loop_id: "B", status: "canceled" });
  });

  test("the only loop there is cannot be read: its own problem is told [W-32]", async () => {
    await using repo = await stage();
    await repo.write(`${LOOPS}/A.json`, '{"schema": 1,');
    const answer = await cli(["status"], repo.path);
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toContain("A.json");
    expect(answer.stderr).not.toContain("not clear");
    expect(answer.stderr).toBe((await cli(["status", "--loop-id", "A"], repo.path)).stderr);
  });

  test("resume refuses another task [C25]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: "half way" }] });
    await cli(["x", "--loop-id", "A", ...script, "--max-iterations", "1"], repo.path);
    const answer = await cli(["resume", ...script, "--prompt", "something else"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("another task");
  });
});

/** Waits until a file is there. */
async function untilThere(file: string): Promise<void> {
  for (;;) {
    const found = await readFile(file).catch(() => undefined);
    if (found !== undefined) return;
    await sleep(20);
  }
}

test("an open circuit stops the loop until somebody resets it; then anybody goes on, in a fresh session [R-08, R-35, C2]", async () => {
  await using repo = await stage();
  const script = await repo.play({ turns: [{ lastMessage: "Hm." }] });
  const args = ["x", "--loop-id", "L", ...script, "--max-no-progress", "2", "--json"];
  const stopped = await cli(args, repo.path);
  expect(stopped.code).toBe(5);
  expect(jsonOf(stopped)).toMatchObject({ status: "circuit_open", stop_reason: { kind: "no_progress" } });
  const left = await cli(args, repo.path);
  expect(left.code).toBe(5);
  expect(left.stderr).toContain("waits for a person");
  const reset = await cli(["reset-circuit"], repo.path);
  expect(reset.code).toBe(0);
  expect(reset.stderr).toContain("The circuit is closed");
  await repo.play(DONE);
  expect(jsonOf(await cli(args, repo.path))).toMatchObject({ status: "completed", spent: { resumes: 1 } });
  expect((await cli(["reset-session", "--loop-id", "none"], repo.path)).code).toBe(64);
  const over = await cli(["reset-circuit", "--loop-id", "L", "--json"], repo.path);
  expect(over.stderr).toContain("Loop L is completed already; there is no circuit to reset, and nothing was changed.");
  expect(jsonOf(over)).toMatchObject({ status: "completed", spent: { resumes: 1 } });
});
