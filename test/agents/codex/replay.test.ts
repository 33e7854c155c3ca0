import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/core/agent.ts";
import { aTurnRequest, theEnd, theFailure } from "../../contract/provider-contract.ts";
import { codexRecordingFile } from "../../support/codex-recording.ts";
import { done, ID, OUT, play, ran, say, scripted, text, thread } from "../../support/codex-replay.ts";

const notices = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

describe("a thread's running total is differenced [C14]", () => {
  const usage = (input: number) => ({ input, cachedInput: 0, output: 0, reasoning: 0 });
  test.each([
    ["a fresh session", null, null, 400],
    ["a session with an older total", ID, usage(150), 250],
    ["a session that has never completed a turn", ID, null, 400],
    ["a total that went down", ID, usage(900), 0],
    ["a fresh session after another", null, usage(150), 400],
  ])("%s", async (_name, sessionId, sessionUsage, input) => {
    await using it = await scripted(say(thread(ID), done(400)));
    const end = theEnd(await it.run({ sessionId, sessionUsage }));
    expect(end).toMatchObject({ type: "turn.completed", usage: usage(input), sessionUsage: usage(400) });
  });

  test("a failed turn used nothing that is known, and the total stays", async () => {
    await using it = await scripted(`${play("failure-no-retry-http-500")}; exit 1`);
    const end = theEnd(await it.run({ sessionUsage: usage(150) }));
    expect(end).toMatchObject({ usage: usage(0), sessionUsage: usage(150), exitCode: 1 });
  });
});

describe("the thread that answers is the one that was asked for [C15]", () => {
  test("another one ends the process at once, as a lost session", async () => {
    await using it = await scripted(`${play("resume-non-uuid-id")}; exec sleep 60`);
    const events = await it.run({ sessionId: ID });
    expect(theFailure(events)).toMatchObject({ kind: "session_lost", message: expect.stringContaining(ID) });
    expect(events.map((event) => event.type)).toEqual(["turn.failed"]);
  });

  test.each(["", "seven", `${ID}0`])("%j is no id that Codex can resume: it is not even started", async (sessionId) => {
    await using it = await scripted("touch started");
    expect(theFailure(await it.run({ sessionId })).kind).toBe("session_lost");
    expect(await readdir(it.options.workspaceRoot)).toEqual([]);
  });
});

describe("Codex's own reconnecting is cut short [D-36]", () => {
  test.each([
    ["failure-default-retries-http-401", "auth"],
    ["failure-default-retries-http-500", "overloaded"],
    ["failure-default-retries-server-down", "transport"],
  ])("%s fails after one try of its own", async (name, kind) => {
    await using it = await scripted(`head -n 4 '${codexRecordingFile(name, "jsonl")}'; exec sleep 60`);
    const events = await it.run();
    expect(theFailure(events).kind).toBe(kind);
    expect(notices(events)).toEqual([expect.stringContaining("Reconnecting... 1/5")]);
  });

  test("a try that helps is only a notice", async () => {
    await using it = await scripted(play("failure-default-retries-sse-cut-then-ok"));
    const events = await it.run();
    expect(theEnd(events)).toMatchObject({ type: "turn.completed", lastMessage: "recovered" });
    expect(notices(events)).toHaveLength(1);
  });
});

describe("how the process ends [D-19]", () => {
  const started = say(thread(ID), { type: "turn.started" });
  test.each([
    ["a refusal to resume", `${play("resume-unknown-id")}; exit 1`, "session_lost", /no rollout found/u],
    ["a second writer", `${play("second-writer-b")}; exit 1`, "busy", /active writer/u],
    ["a refused option", `${play("flag-full-auto-removed")}; exit 2`, "bad_request", /--full-auto/u],
    ["a refused prompt", `${play("input-too-large")}; exit 1`, "bad_request", /1048576/u],
    ["a signal from elsewhere", `${started}; kill -KILL $$`, "crashed", /SIGKILL/u],
    [
      "an interrupt from elsewhere",
      `${play("signal-int-tool-sandboxed")}; exit 1`,
      "crashed",
      /exit code 1.*not found/u,
    ],
    [
      "an error without turn.failed",
      `${started}; ${say({ type: "error", message: "Quota exceeded." })}; exit 1`,
      "usage_limit",
      /Quota/u,
    ],
    ["silence", "exit 0", "protocol", /0 lines were not JSON/u],
    ["something else altogether", "echo hello", "protocol", /1 lines were not JSON/u],
    ["a torn stream", `${started}; printf '{"type":"turn.comp'`, "protocol", /1 lines were not JSON/u],
  ] as const)("%s", async (_name, script, kind, message) => {
    await using it = await scripted(script);
    expect(theFailure(await it.run())).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test("a last line without a newline counts", async () => {
    await using it = await scripted(`${started}\nprintf '%s' '${JSON.stringify(done(1))}'`);
    expect(theEnd(await it.run()).type).toBe("turn.completed");
  });

  test("a completed turn stays completed when the process lingers", async () => {
    await using it = await scripted(`${say(thread(ID), done(1))}; exec sleep 60`);
    expect(theEnd(await it.run({ idleTimeoutMs: 300 })).type).toBe("turn.completed");
  });

  test("a command at work is a sign of life", async () => {
    const begun = { type: "item.started", item: { id: "i", type: "command_execution", command: "c" } };
    await using it = await scripted(`${say(thread(ID), begun)}; sleep 1; ${say(ran(""), done(1))}`);
    expect(theEnd(await it.run({ idleTimeoutMs: 400 })).type).toBe("turn.completed");
  });

  test("a workspace that is gone is not taken for a missing Codex", async () => {
    await using it = await scripted("exit 0", { workspaceRoot: "/nowhere/at/all" });
    expect(theFailure(await it.run())).toMatchObject({
      kind: "bad_request",
      message: expect.stringContaining("/nowhere"),
    });
  });
});

describe("the last message [W-27]", () => {
  test("is what Codex wrote", async () => {
    await using it = await scripted(`${OUT}; ${say(thread(ID), text("said"), done(1))}; printf written > "$out"`);
    expect(theEnd(await it.run({ iteration: 2 })).lastMessage).toBe("written");
    expect(await it.written("last_message_iter_2.txt")).toBe("written");
  });

  test.each([
    ["a completed turn", done(1)],
    ["a failed turn", { type: "turn.failed", error: { message: "Connection failed: x" } }],
  ])("is the stream's when Codex wrote none: %s", async (_name, ending) => {
    await using it = await scripted(`${OUT}; : > "$out"; ${say(thread(ID), text("first"), text("last"), ending)}`);
    expect(theEnd(await it.run()).lastMessage).toBe("last");
    expect(await it.written("last_message_iter_1.txt")).toBe("last");
  });

  test("is the stream's when the turn was cut", async () => {
    await using it = await scripted(`${say(thread(ID), text("half"))}; exec sleep 60`);
    const events = await it.run({ timeoutMs: 300 });
    expect(theFailure(events)).toMatchObject({ kind: "timed_out", message: "The turn took longer than 0.3 seconds." });
    expect(await it.written("last_message_iter_1.txt")).toBe("half");
  });

  test("never an older attempt's [W-36]", async () => {
    await using it = await scripted(say(thread(ID), done(1)));
    await mkdir(it.options.folder);
    await writeFile(path.join(it.options.folder, "last_message_iter_1.txt"), "stale");
    expect(theEnd(await it.run()).lastMessage).toBe("");
    expect(await it.written("last_message_iter_1.txt")).toBe("");
  });
});

describe("a closed network is explained once [C26]", () => {
  const denied = ran("curl: (6) Could not resolve host: example.invalid");
  test.each([
    ["off", "workspace-write", false, 1],
    ["off, read-only", "read-only", false, 1],
    ["on", "workspace-write", true, 0],
    ["open anyway", "danger-full-access", false, 0],
  ] as const)("network %s", async (_name, sandbox, network, times) => {
    const script = `[ "$1" = sandbox ] && exit 0\n${say(thread(ID), denied, denied, done(1))}`;
    await using it = await scripted(script, { sandbox, network });
    const events = [...(await it.run()), ...(await it.run({ iteration: 2 }))];
    expect(notices(events).filter((notice) => notice.includes("--network on"))).toHaveLength(times);
  });
});

test("a command that the sandbox stopped is told as denied, with what would let it [POST 8]", async () => {
  const stopped = {
    type: "item.completed",
    item: {
      id: "item_0",
      type: "command_execution",
      command: "npm ci",
      aggregated_output: "npm error code EAI_AGAIN",
      exit_code: 1,
      status: "failed",
    },
  };
  const script = `[ "$1" = sandbox ] && exit 0\n${say(thread(ID), stopped, done(1))}`;
  await using it = await scripted(script, { sandbox: "workspace-write", network: false });
  expect(await it.run()).toContainEqual({
    type: "permission.denied",
    what: "npm ci",
    allow: expect.stringContaining("--network on"),
  });
});

describe("what a turn leaves and passes on [C15]", () => {
  test("folders of the sandbox that are empty are removed, all others stay", async () => {
    await using it = await scripted(
      `mkdir .codex .aws; touch .aws/kept; rmdir .agents; mkdir .agents; ${say(done(1))}`,
    );
    await mkdir(path.join(it.options.workspaceRoot, ".agents"));
    await it.run();
    expect((await readdir(it.options.workspaceRoot)).toSorted()).toEqual([".agents", ".aws"]);
  });

  test("the key is in Codex's environment only, the prompt on its stdin [R-13]", async () => {
    await using it = await scripted(
      `${OUT}; printf '%s|%s|%s' "$CODEX_API_KEY" "$SECRET" "$(cat)" > "$out"; ${say(done(1))}`,
      { env: { PATH: process.env["PATH"] ?? "", CODEX_API_KEY: "sk-test" } },
    );
    expect(theEnd(await it.run({ prompt: "do 'it'\n" })).lastMessage).toBe("sk-test||do 'it'");
  });

  test("attempts at one iteration are added to one raw file [W-26]", async () => {
    await using it = await scripted(say(done(1)));
    await it.run();
    await it.run();
    expect(await it.written("events_iter_1.jsonl")).toBe(`${JSON.stringify(done(1))}\n`.repeat(2));
  });

  test("a folder that cannot be written stops the turn before it costs anything", async () => {
    await using it = await scripted("exit 0");
    await writeFile(it.options.folder, "a file");
    await expect(it.run()).rejects.toMatchObject({ code: "LOOP_FOLDER_NOT_WRITABLE" });
  });

  test("nobody listening any more ends the agent", async () => {
    await using it = await scripted(`${say(thread(ID))}; exec sleep 60`);
    for await (const event of it.provider.runTurn(aTurnRequest(), new AbortController().signal)) {
      expect(event.type).toBe("session.started");
      break;
    }
  });
});
