import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { addFile, command, type Reply } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims } from "./says.ts";
import { workbench } from "./workbench.ts";

/** Says when it runs, and then runs until somebody ends it. */
const ENDLESS = command("touch started; sleep 300");
/** Red until the file `go` exists; then it answers, instead of running on for ever. */
const CHECK = "test -e go && exit 0; touch checking; sleep 300";

describe.concurrent("interruptions with the real Codex", () => {
  test("Ctrl+C in the middle of a command leaves a loop that goes on in the same session [W-64, W-46]", async () => {
    await using bench = await workbench([ENDLESS, addFile("one.txt", "1\n"), claims()]);
    await using run = bench.start(["Write a file.", "--loop-id", "w64", "--full-auto"]);
    await bench.hasFile("started");

    run.signal("SIGINT");
    const stopped = await run.finished;

    expectExit(stopped, 130);
    expect(bench.processes()).toEqual([]);
    const state = await bench.state("w64");
    expect(state).toMatchObject({ status: "paused_user_interrupt", iteration: 1 });
    expect([state.codex.session_id]).toEqual(await bench.sessionsOf("w64", 1));

    const resumed = await bench.run(["resume", "--loop-id", "w64", "--full-auto"]);

    expectExit(resumed, 0);
    expect(await bench.sessionsOf("w64", 2)).toEqual([state.codex.session_id]);
    expect(await bench.state("w64")).toMatchObject({ status: "completed", iteration: 2 });
  });

  test("a second Ctrl+C does not wait for what cannot be interrupted [W-64, W-46]", async () => {
    await using bench = await workbench([claims()]);
    const stubborn = "trap '' INT; touch checking; while :; do sleep 1; done";
    const args = ["--loop-id", "twice", "--full-auto", "--no-check-first", "--quality-commands", stubborn];
    await using run = bench.start(["Write a file.", ...args]);
    await bench.hasFile("checking");

    const began = performance.now();
    run.signal("SIGINT");
    await run.hasSaid(/Ctrl\+C again/u);
    // Two signals within half a second are one Ctrl+C that arrived twice.
    await sleep(600);
    run.signal("SIGINT");
    const stopped = await run.finished;

    expectExit(stopped, 130);
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(bench.processes()).toEqual([]);
    expect(await bench.state("twice")).toMatchObject({
      status: "paused_user_interrupt",
      phase: "unproved",
      iteration: 1,
    });
  });

  test("after a SIGKILL in the middle of a turn nothing is left over and the loop goes on [W-06]", async () => {
    let atWork: readonly number[] = [];
    let stillThere: readonly number[] = [];
    const answers: readonly Reply[] = [ENDLESS, addFile("one.txt", "1\n"), claims()];
    await using bench = await workbench((_request, index) => {
      const alive = new Set(bench.processes());
      if (index === 1) stillThere = atWork.filter((pid) => alive.has(pid));
      return answers[index] ?? claims();
    });
    await using run = bench.start(["Write a file.", "--loop-id", "killed", "--full-auto"]);
    await bench.hasFile("started");
    atWork = bench.processes();
    run.signal("SIGKILL");
    await run.finished;
    expect(atWork).not.toEqual([]);

    const resumed = await bench.run(["resume", "--loop-id", "killed", "--full-auto"]);

    expectExit(resumed, 0);
    expect(stillThere).toEqual([]);
    expect(bench.processes()).toEqual([]);
    const state = await bench.state("killed");
    expect(state).toMatchObject({ status: "completed", iteration: 2 });
    expect(state.iterations.map(({ agent }) => agent)).toEqual(["abandoned", "ok"]);
    expect(bench.model.requests[1]?.prompt).toContain("<task>\nWrite a file.\n</task>");
  });

  test("after a SIGKILL in the middle of a check the check comes first and no turn is spent [W-06]", async () => {
    await using bench = await workbench([addFile("one.txt", "1\n"), claims()]);
    const args = ["--loop-id", "unproved", "--full-auto", "--no-check-first", "--quality-commands", CHECK];
    await using run = bench.start(["Write a file.", ...args]);
    await bench.hasFile("checking");
    run.signal("SIGKILL");
    await run.finished;
    expect((await bench.state("unproved")).phase).toBe("unproved");
    await bench.repository.write("go", "");

    const resumed = await bench.run(["resume", "--loop-id", "unproved", "--full-auto"]);

    expectExit(resumed, 0);
    expect(bench.model.requests).toHaveLength(2);
    expect(bench.processes()).toEqual([]);
    expect(await bench.state("unproved")).toMatchObject({
      status: "completed",
      stop_reason: { kind: "promise", verified: true },
      iteration: 1,
    });
  });

  test("cancel from another terminal ends the turn for good and keeps the repository [W-33, W-47]", async () => {
    await using bench = await workbench([addFile("one.txt", "1\n"), ENDLESS]);
    await using run = bench.start(["Write a file.", "--loop-id", "given-up", "--full-auto"]);
    await bench.hasFile("started");

    const cancel = await bench.run(["cancel", "--loop-id", "given-up"]);
    const canceled = await run.finished;

    expectExit(cancel, 0);
    expectExit(canceled, 130);
    expect(bench.processes()).toEqual([]);
    expect(await bench.state("given-up")).toMatchObject({ status: "canceled" });
    expect(await bench.read("one.txt")).toBe("1\n");
  });
});
