import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { addFile, cut, failed, message, type Reply, silent, status, unauthorized } from "../support/model-server.ts";
import { expectExit } from "./expect-exit.ts";
import { claims } from "./says.ts";
import { workbench } from "./workbench.ts";

const NO_RETRY = ["--full-auto", "--retries", "0"];

/** 5 May 2033, 03:20:00 UTC */
const RESET = 1_998_876_000;

const USAGE_LIMIT = status(429, {
  error: {
    type: "usage_limit_reached",
    message: "The usage limit has been reached",
    plan_type: "plus",
    resets_at: RESET,
  },
});

/** A machine on which no user namespace can be made, so that Codex's sandbox cannot start. */
const WITHOUT_SANDBOX = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  ...['echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', "sh"],
];

function canBeWithoutSandbox(): boolean {
  const [program = "", ...args] = WITHOUT_SANDBOX;
  try {
    execFileSync(program, [...args, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.concurrent("failures of the real Codex that end the run", () => {
  test("no model server is told before there is a loop [C68]", async () => {
    await using bench = await workbench([]);
    await bench.model.close();

    const run = await bench.run(["Go.", "--loop-id", "down", ...NO_RETRY]);

    expectExit(run, 64);
    expect(run.stderr).toContain("(ECONNREFUSED). Nothing was started.");
    expect((await bench.run(["status", "--loop-id", "down"])).exitCode).toBe(64);
  });

  test("a model server that goes away in a turn [POST 4]", async () => {
    await using bench = await workbench([cut()]);

    const run = await bench.run(["Go.", "--loop-id", "gone", ...NO_RETRY]);

    expectExit(run, 1);
    expect(await bench.state("gone")).toMatchObject({
      status: "error",
      stop_reason: { kind: "provider", failure: { kind: "transport" } },
    });
    expect(run.stdout + run.stderr).toContain("resume");
  });

  test("401 is not tried again, and the message says what to do [POST 2]", async () => {
    await using bench = await workbench(() => unauthorized());

    const run = await bench.run(["Go.", "--loop-id", "auth", "--full-auto"]);

    expectExit(run, 1);
    expect(bench.model.requests).toHaveLength(1);
    expect(await bench.state("auth")).toMatchObject({ status: "error", stop_reason: { kind: "auth" } });
    expect(run.stdout + run.stderr).toMatch(/401 Unauthorized/u);
    expect(run.stdout + run.stderr).toMatch(/key/u);
  });

  test("429 parks the loop and refunds the iteration [POST 3]", async () => {
    await using bench = await workbench(() =>
      status(429, { error: { message: "slow down", code: "rate_limit_exceeded" } }),
    );

    const run = await bench.run(["Go.", "--loop-id", "429", ...NO_RETRY, "--max-wait", "0"]);

    expectExit(run, 75);
    expect(await bench.state("429")).toMatchObject({
      status: "waiting",
      stop_reason: { kind: "rate_limit" },
      iteration: 0,
    });
  });

  test("a usage limit parks the loop until its reset [POST 3, PRE 11, C12]", async () => {
    await using bench = await workbench(() => USAGE_LIMIT);
    const until = new Date(RESET * 1000).toISOString();

    const run = await bench.run(["Go.", "--loop-id", "usage", "--full-auto"]);
    const shown = await bench.run(["status", "--loop-id", "usage"]);

    expectExit(run, 75);
    expect(bench.model.requests).toHaveLength(1);
    expect(await bench.state("usage")).toMatchObject({
      status: "waiting",
      stop_reason: { kind: "usage_limit", until },
      not_before: { until },
      iteration: 0,
    });
    expect(shown.stdout).toContain(until.slice(0, 16));

    const early = await bench.run(["resume", "--loop-id", "usage", "--full-auto"]);

    expectExit(early, 75);
    expect(bench.model.requests).toHaveLength(1);
  });

  test.skipIf(!canBeWithoutSandbox())(
    "a sandbox that cannot start is told before there is a loop [C26, C68]",
    async () => {
      await using bench = await workbench([]);
      const args = ["Go.", "--loop-id", "boxed", "--full-auto", "--quality-commands", "true"];

      const run = await bench.run(args, { wrapper: WITHOUT_SANDBOX });

      expectExit(run, 64);
      expect(run.stderr).toContain("allow user namespaces");
      expect(bench.model.requests).toHaveLength(0);
      expect((await bench.run(["status", "--loop-id", "boxed"])).exitCode).toBe(64);
    },
  );
});

describe.concurrent("failures of the real Codex that the loop gets over", () => {
  test("a stream that is cut is tried again in the same session, and its usage counts [D-36]", async () => {
    await using bench = await workbench([addFile("one.txt", "1\n"), cut(), claims()]);

    const run = await bench.run(["Write a file.", "--loop-id", "cut", "--full-auto"]);

    expectExit(run, 0);
    expect(new Set(bench.model.requests.map((request) => request.threadId)).size).toBe(1);
    expect(bench.model.requests[2]?.prompt).toContain("cut off before it had ended (transport)");
    expect(await bench.state("cut")).toMatchObject({ status: "completed", iteration: 1, spent: { tokens: 2 * 120 } });
  });

  test("a session that is full goes on after Codex has shortened it, for this turn only [D-36, C2]", async () => {
    const answers: Reply[] = [
      addFile("one.txt", "1\n"),
      failed("context_length_exceeded", "Your input exceeds the context window of this model."),
      claims(),
    ];
    await using bench = await workbench((request) =>
      request.kind === "compaction" ? message("SUMMARY: one.txt is written.") : (answers.shift() ?? claims()),
    );

    const run = await bench.run(["Write a file.", "--loop-id", "full", "--full-auto"]);

    expectExit(run, 0);
    expect(bench.model.requests.map(({ kind }) => kind)).toContain("compaction");
    expect(new Set(bench.model.requests.map((request) => request.threadId)).size).toBe(1);
    expect(await bench.state("full")).toMatchObject({
      status: "completed",
      iteration: 1,
      codex: { session_id: null, session_iterations: 0 },
    });
  });

  test("a stream that falls silent is given up and tried again in the same session [D-36]", async () => {
    await using bench = await workbench([addFile("one.txt", "1\n"), silent(), claims()]);

    const run = await bench.run(["Go.", "--loop-id", "silent", "--full-auto", "--idle-timeout-minutes", "0.03"]);

    expectExit(run, 0);
    expect(run.stderr).toContain("Codex said nothing for 1.8 seconds.");
    expect(new Set(bench.model.requests.map((request) => request.threadId)).size).toBe(1);
    expect(bench.model.requests[2]?.prompt).toContain("cut off before it had ended (idle)");
    expect(await bench.state("silent")).toMatchObject({ status: "completed", iteration: 1 });
  });
});
