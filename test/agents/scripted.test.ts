import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { NO_USAGE } from "../../src/core/agent.ts";
import type { Provider } from "../../src/core/ports.ts";
import { systemClock } from "../../src/os/clock.ts";
import type { ScriptInput } from "../../src/agents/scripted/script.ts";
import { createScriptedProvider } from "../../src/agents/scripted/provider.ts";
import {
  aTurnRequest,
  type Behaviour,
  collect,
  LAST_MESSAGE,
  providerContract,
  theEnd,
  theFailure,
} from "../contract/provider-contract.ts";
import { gitRepository } from "../support/git-repository.ts";
import { quickClock, scriptedCase, START } from "../support/scripted-case.ts";

const PATH = process.env["PATH"] ?? "";

providerContract("scripted", (behaviour) => {
  const scripts: Record<Behaviour, ScriptInput> = {
    completes: { turns: [{ messages: ["Looking."], lastMessage: LAST_MESSAGE }] },
    fails: { turns: [{ failure: { kind: "auth" } }] },
    hangs: { turns: [{ commands: ["setsid sleep 300 & sleep 300"] }] },
    missing: { preflight: { kind: "not_installed" }, turns: [{}] },
  };
  return scriptedCase(scripts[behaviour], systemClock);
});

describe("what a turn does", () => {
  test("all of it, in order", async () => {
    await using it = await scriptedCase({
      turns: [
        {
          lastMessage: "Done.",
          messages: ["First."],
          commands: ["cat a.txt; echo err >&2; exit 3", ["echo", "$HOME", "b"]],
          files: { "a.txt": "A\n", "deep/er/b.txt": "B" },
          delete: ["old", "never-there"],
          denied: ["npm ci"],
          usage: { input: 10, output: 2 },
        },
      ],
    });
    await writeFile(path.join(it.root, "a.txt"), "old");
    await mkdir(path.join(it.root, "old"));
    await writeFile(path.join(it.root, "old/x"), "x");
    const usage = { ...NO_USAGE, input: 10, output: 2 };
    expect(await collect(it.provider, aTurnRequest())).toEqual([
      { type: "session.started", sessionId: "scripted-1" },
      { type: "message", text: "First." },
      {
        type: "files.changed",
        changes: [
          { path: "a.txt", kind: "update" },
          { path: "deep/er/b.txt", kind: "add" },
          { path: "old", kind: "delete" },
        ],
      },
      { type: "command.started", command: "cat a.txt; echo err >&2; exit 3" },
      { type: "command.ended", command: "cat a.txt; echo err >&2; exit 3", exitCode: 3, output: "A\nerr\n" },
      { type: "command.started", command: "echo $HOME b" },
      { type: "command.ended", command: "echo $HOME b", exitCode: 0, output: "$HOME b\n" },
      { type: "permission.denied", what: "npm ci", allow: "Only the script denies it." },
      { type: "turn.completed", exitCode: 0, lastMessage: "Done.", usage, sessionUsage: usage },
    ]);
    expect(await readdir(it.root)).toEqual(["a.txt", "deep"]);
    expect(await readFile(path.join(it.root, "deep/er/b.txt"), "utf8")).toBe("B");
  });

  test("files may be a list", async () => {
    await using it = await scriptedCase({ turns: [{ files: [{ path: "a.txt", content: "A" }] }] });
    await collect(it.provider, aTurnRequest());
    expect(await readFile(path.join(it.root, "a.txt"), "utf8")).toBe("A");
  });

  test("placeholders tell iteration, attempt and prompt", async () => {
    const text = "{{iteration}} {{attempt}} {{prompt}} {{other}}";
    await using it = await scriptedCase({
      turns: [
        { files: { "{{iteration}}.txt": text }, messages: [text], commands: ["echo {{iteration}}"], lastMessage: text },
      ],
    });
    await collect(it.provider, aTurnRequest({ iteration: 5 }));
    const events = await collect(it.provider, aTurnRequest({ iteration: 5, prompt: "$& {{iteration}}" }));
    const filled = "5 2 $& {{iteration}} {{other}}";
    expect(events).toContainEqual({ type: "message", text: filled });
    expect(events).toContainEqual({ type: "command.started", command: "echo 5" });
    expect(theEnd(events).lastMessage).toBe(filled);
    expect(await readFile(path.join(it.root, "5.txt"), "utf8")).toBe(filled);
  });

  test("a commit of its own holds everything", async () => {
    await using repository = await gitRepository();
    const provider = createScriptedProvider({
      scriptText: JSON.stringify({ turns: [{ files: { "a.txt": "A" }, commit: "Add a" }] }),
      workspaceRoot: repository.path,
      folder: path.join(repository.path, ".git/loop"),
      mark: `test-${randomUUID()}`,
      env: { PATH },
      clock: systemClock,
    });
    const events = await collect(provider, aTurnRequest());
    expect(events.filter((event) => event.type === "command.ended")).toEqual([
      { type: "command.ended", command: "git add -A", exitCode: 0, output: "" },
      { type: "command.ended", command: "git commit -m Add a", exitCode: 0, output: "" },
    ]);
    expect(await repository.git("show", "--format=%an: %s", "--name-only", "HEAD")).toBe(
      "Scripted Agent: Add a\n\na.txt",
    );
    expect(await repository.git("status", "--porcelain")).toBe("");
  });

  test("a command that is not there ends with 127, as in a shell, and the turn goes on", async () => {
    await using it = await scriptedCase({ turns: [{ commands: [["no-such-command"]], lastMessage: "On." }] });
    const events = await collect(it.provider, aTurnRequest());
    expect(events).toContainEqual(expect.objectContaining({ type: "command.ended", exitCode: 127 }));
    expect(theEnd(events)).toMatchObject({ type: "turn.completed", lastMessage: "On." });
  });

  test("the raw stream holds the request, the raw lines and the events [W-26]", async () => {
    await using it = await scriptedCase({ turns: [{ raw: ['{"x":1}', "not json"], lastMessage: "Done." }] });
    const events = await collect(it.provider, aTurnRequest({ iteration: 2 }));
    const raw = (await readFile(path.join(it.folder, "events_iter_2.jsonl"), "utf8")).trimEnd().split("\n");
    expect(JSON.parse(raw[0] ?? "")).toEqual({ type: "request", attempt: 1, ...aTurnRequest({ iteration: 2 }) });
    expect(raw.slice(1, 3)).toEqual(['{"x":1}', "not json"]);
    expect(raw.slice(3).map((line) => JSON.parse(line))).toEqual(events);
  });

  test("a failed turn has done its work and says what it said", async () => {
    await using it = await scriptedCase({
      turns: [{ files: { "a.txt": "A" }, lastMessage: "Half.", failure: { kind: "overloaded", message: "too\nbusy" } }],
    });
    expect(theEnd(await collect(it.provider, aTurnRequest()))).toMatchObject({
      type: "turn.failed",
      failure: { kind: "overloaded", message: "too busy", retryable: true },
      exitCode: 1,
      lastMessage: "Half.",
    });
    expect(await readdir(it.root)).toEqual(["a.txt"]);
  });

  test.each([
    [{ resetsAtMs: 5 }, { resetsAt: 5 }],
    [
      { resetsInMs: 60_000, retryable: false, next: "Wait." },
      { resetsAt: START + 60_000, retryable: false, next: "Wait." },
    ],
  ])("a failure with %j", async (scripted, failure) => {
    await using it = await scriptedCase({ turns: [{ failure: { kind: "rate_limited", ...scripted }, exitCode: 9 }] });
    const events = await collect(it.provider, aTurnRequest());
    expect(theFailure(events)).toMatchObject({ kind: "rate_limited", ...failure });
    expect(theEnd(events).exitCode).toBe(9);
  });
});

describe("time", () => {
  test.each([
    ["a delay that the request bears", { delayMs: 999 }, {}, undefined, 999],
    ["a delay as long as the idle time", { delayMs: 1000 }, {}, "idle", 1000],
    ["silence", { silence: true }, {}, "idle", 1000],
    ["silence beyond the total time", { silence: true }, { timeoutMs: 600 }, "timed_out", 600],
  ])("%s", async (_name, turn, times, kind, ms) => {
    const clock = quickClock();
    await using it = await scriptedCase({ turns: [turn] }, clock);
    const end = theEnd(await collect(it.provider, aTurnRequest({ idleTimeoutMs: 1000, ...times })));
    expect(end.type === "turn.failed" ? end.failure.kind : undefined).toBe(kind);
    expect(clock.now() - START).toBe(ms);
  });

  test("silence ends with an abort", async () => {
    await using it = await scriptedCase({ turns: [{ messages: ["Hm."], silence: true }] }, systemClock);
    const stop = new AbortController();
    const kinds: string[] = [];
    for await (const event of it.provider.runTurn(aTurnRequest(), stop.signal)) {
      kinds.push(event.type === "turn.failed" ? event.failure.kind : event.type);
      if (event.type === "message") stop.abort();
    }
    expect(kinds).toEqual(["session.started", "message", "cancelled"]);
  });
});

/** The result of an iteration's turn: its last message, or how it failed. */
async function said(provider: Provider, iteration: number): Promise<string> {
  const end = theEnd(await collect(provider, aTurnRequest({ iteration })));
  return end.type === "turn.failed" ? end.failure.kind : end.lastMessage;
}

describe("which turn is played", () => {
  test("the one of the iteration, then the last again", async () => {
    await using it = await scriptedCase({ turns: [{ lastMessage: "one" }, { lastMessage: "two" }] });
    expect([await said(it.provider, 2), await said(it.provider, 1), await said(it.provider, 9)]).toEqual([
      "two",
      "one",
      "two",
    ]);
  });

  test("then: fail", async () => {
    await using it = await scriptedCase({ turns: [{ lastMessage: "one" }], then: "fail" });
    expect([await said(it.provider, 1), await said(it.provider, 2)]).toEqual(["one", "protocol"]);
  });

  test("attempts of one iteration, each with what the turn says for all", async () => {
    await using it = await scriptedCase({
      turns: [{ lastMessage: "at last", attempts: [{ failure: { kind: "transport" } }, {}] }],
    });
    expect([await said(it.provider, 1), await said(it.provider, 1), await said(it.provider, 1)]).toEqual([
      "transport",
      "at last",
      "at last",
    ]);
    expect([await said(it.provider, 2), await said(it.provider, 1)]).toEqual(["transport", "transport"]);
  });
});

describe("sessions", () => {
  test("a fresh one is named after its iteration, a given one is resumed with its usage", async () => {
    const usage = { input: 5, cachedInput: 4, output: 3, reasoning: 2 };
    await using it = await scriptedCase({ turns: [{ usage }] });
    const fresh = await collect(it.provider, aTurnRequest({ iteration: 3, sessionUsage: usage }));
    expect(fresh[0]).toEqual({ type: "session.started", sessionId: "scripted-3" });
    expect(theEnd(fresh)).toMatchObject({ usage, sessionUsage: usage });
    const again = await collect(it.provider, aTurnRequest({ iteration: 3 }));
    expect(again[0]).toEqual({ type: "session.started", sessionId: "scripted-3.2" });
    const resumed = await collect(it.provider, aTurnRequest({ iteration: 4, sessionId: "any", sessionUsage: usage }));
    expect(resumed[0]).toEqual({ type: "session.started", sessionId: "any" });
    expect(theEnd(resumed)).toMatchObject({
      usage,
      sessionUsage: { input: 10, cachedInput: 8, output: 6, reasoning: 4 },
    });
  });

  test("loseSession refuses to resume, does nothing, and begins again", async () => {
    await using it = await scriptedCase({ turns: [{ loseSession: true, files: { "a.txt": "" } }] });
    const lost = await collect(it.provider, aTurnRequest({ sessionId: "scripted-0" }));
    expect(lost).toHaveLength(1);
    expect(theFailure(lost)).toMatchObject({ kind: "session_lost", retryable: false });
    expect(await readdir(it.root)).toEqual([]);
    expect(theEnd(await collect(it.provider, aTurnRequest())).type).toBe("turn.completed");
  });
});

describe("paths out of the workspace", () => {
  test.each([
    ["a folder that is a link", { files: { "out/a.txt": "" } }],
    ["a file that is a link to nowhere", { files: { dangling: "" } }],
    ["a deletion below a link", { delete: ["out/kept.txt"] }],
    ["a placeholder", { files: { "x/{{prompt}}": "" } }],
  ])("are refused while playing: %s", async (_name, turn) => {
    await using it = await scriptedCase({ turns: [turn] });
    await mkdir(path.join(it.folder, "outside"), { recursive: true });
    await writeFile(path.join(it.folder, "outside/kept.txt"), "");
    await symlink(path.join(it.folder, "outside"), path.join(it.root, "out"));
    await symlink(path.join(it.folder, "outside/new.txt"), path.join(it.root, "dangling"));
    const events = await collect(it.provider, aTurnRequest({ prompt: "../../../stolen" }));
    expect(theFailure(events)).toMatchObject({ kind: "bad_request", retryable: false });
    expect(await readdir(path.join(it.folder, "outside"))).toEqual(["kept.txt"]);
  });

  test("a link that stays inside is followed", async () => {
    await using it = await scriptedCase({ turns: [{ files: { "in/a.txt": "A" } }] });
    await mkdir(path.join(it.root, "real"));
    await symlink("real", path.join(it.root, "in"));
    await collect(it.provider, aTurnRequest());
    expect(await readFile(path.join(it.root, "real/a.txt"), "utf8")).toBe("A");
  });
});
