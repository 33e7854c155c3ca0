import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../src/core/agent.ts";
import { sweep } from "../../src/os/supervise.ts";
import { createCommandProvider } from "../../src/agents/command.ts";
import {
  aTurnRequest,
  type Behaviour,
  collect,
  LAST_MESSAGE,
  type ProviderCase,
  providerContract,
  theEnd,
  theFailure,
} from "../contract/provider-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PATH = process.env["PATH"] ?? "";
const never = new AbortController().signal;

async function running(...command: readonly string[]): Promise<ProviderCase & { root: string }> {
  const workspace = await tempFolder();
  const folder = path.join(workspace.path, "loop");
  const mark = `test-${randomUUID()}`;
  const provider = createCommandProvider({ command, workspaceRoot: workspace.path, folder, mark, env: { PATH } });
  return {
    provider,
    folder,
    mark,
    root: workspace.path,
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

const shell = (script: string) => running("sh", "-c", script);

providerContract("command", (behaviour) => {
  const commands: Record<Behaviour, readonly string[]> = {
    completes: ["sh", "-c", `cat >/dev/null; echo '${LAST_MESSAGE}'`],
    fails: ["sh", "-c", "echo broken >&2; exit 1"],
    hangs: ["sh", "-c", "setsid sleep 300 & sleep 300"],
    missing: ["no-such-agent"],
  };
  return running(...commands[behaviour]);
});

describe("the command provider", () => {
  test("takes from a line on stderr what the agent says it has used, the last one at its end [C14]", async () => {
    const say = (text: string) => `echo 'smithers: usage ${text}' >&2`;
    const [first, last] = ['{"input_tokens":100}', '{"input_tokens":200,"output_tokens":7,"cost_usd":0.0123456}'];
    await using it = await shell(
      [say(first), say("soon"), say('{"input_tokens":-1}'), say(last), "echo done"].join(";"),
    );
    const events = await collect(it.provider, aTurnRequest());
    const usage = { input: 200, cachedInput: 0, output: 7, reasoning: 0 };
    expect(events.filter(({ type }) => type === "usage")).toEqual([
      { type: "usage", usage: { ...usage, input: 100, output: 0 } },
      { type: "usage", usage },
    ]);
    expect(theEnd(events)).toMatchObject({ lastMessage: "done", usage, cost: 12_346 });
    // What cannot be understood is printed, as any other line.
    expect(events.filter(({ type }) => type === "output")).toHaveLength(3);
  });

  test("gives the prompt on stdin and takes stdout as the last message", async () => {
    await using it = await shell("cat; pwd");
    const events = await collect(it.provider, aTurnRequest({ prompt: "Say: häßlich\n" }));
    expect(events).toEqual([
      { type: "output", text: "Say: häßlich" },
      { type: "output", text: it.root },
      { type: "message", text: `Say: häßlich\n${it.root}` },
      expect.objectContaining({ type: "turn.completed", exitCode: 0, sessionUsage: null }),
    ]);
  });

  test("tells the program its iteration and the loop's folder", async () => {
    await using it = await shell('echo "$SMITHERS_ITERATION $SMITHERS_LOOP_FOLDER"');
    const end = theEnd(await collect(it.provider, aTurnRequest({ iteration: 4 })));
    expect(end.lastMessage).toBe(`4 ${it.folder}`);
  });

  test("the raw stream holds what was printed, as lines of JSON, attempt after attempt [W-26]", async () => {
    await using it = await shell("echo one; sleep 0.05; echo two >&2");
    await collect(it.provider, aTurnRequest());
    await collect(it.provider, aTurnRequest());
    const lines = (await readFile(path.join(it.folder, "events_iter_1.jsonl"), "utf8")).trim().split("\n");
    const attempt = [
      { stream: "stdout", text: "one\n" },
      { stream: "stderr", text: "two\n" },
    ];
    expect(lines.map((line) => JSON.parse(line))).toEqual([...attempt, ...attempt]);
  });

  test("what it prints is told while it runs, a line at a time, up to a limit [C72]", async () => {
    await using it = await shell("echo one; echo; printf 'two' >&2; cat go >&2; seq 3000");
    const turn = it.provider.runTurn(aTurnRequest(), never)[Symbol.asyncIterator]();
    // It waits for a pipe that nobody has written to, so that only what is told while it runs comes.
    await promisify(execFile)("mkfifo", [path.join(it.root, "go")]);
    expect((await turn.next()).value).toEqual({ type: "output", text: "one" });
    await writeFile(path.join(it.root, "go"), "\n");
    const events: AgentEvent[] = [];
    for (let next = await turn.next(); next.done !== true; next = await turn.next()) events.push(next.value);
    expect(events[0]).toEqual({ type: "output", text: "two" });
    expect(events.filter(({ type }) => type === "output")).toHaveLength(1999);
    expect(events).toContainEqual({ type: "notice", text: expect.stringContaining("more than 2000 lines") });
  });

  test("a turn that nobody listens to any more is ended [T19]", async () => {
    await using it = await shell("echo one; sleep 300");
    const turn = it.provider.runTurn(aTurnRequest(), never);
    for await (const event of turn) {
      expect(event).toEqual({ type: "output", text: "one" });
      break;
    }
    expect(await sweep(it.mark)).toBe(0);
  });

  test("a program that says nothing has no message", async () => {
    await using it = await running("true");
    const events = await collect(it.provider, aTurnRequest());
    expect(events).toHaveLength(1);
    expect(theEnd(events).lastMessage).toBe("");
  });

  test("of a long output the last MiB is the message, in whole characters", async () => {
    await using it = await shell(
      "head -c 3000000 /dev/zero | tr '\\0' x; printf 'é%.0s' $(seq 300000); printf y; printf 'é%.0s' $(seq 300000)",
    );
    const { lastMessage } = theEnd(await collect(it.provider, aTurnRequest()));
    expect(Buffer.byteLength(lastMessage)).toBeGreaterThan((1 << 20) - 2);
    expect(Buffer.byteLength(lastMessage)).toBeLessThanOrEqual(1 << 20);
    expect(lastMessage).toMatch(/^é+yé+$/u);
  });

  test.each([
    [
      "an exit code",
      "echo part; echo 'no network' >&2; echo 'giving up' >&2; exit 3",
      "sh ended with exit code 3: no network giving up",
      3,
    ],
    ["an exit code without a word", "exit 3", "sh ended with exit code 3", 3],
    ["a signal", "kill -KILL $$", "sh was killed by SIGKILL", null],
  ])("%s is a crash that may be tried again", async (_name, script, message, exitCode) => {
    await using it = await shell(script);
    const events = await collect(it.provider, aTurnRequest());
    expect(theFailure(events)).toEqual({ kind: "crashed", message, retryable: true });
    expect(theEnd(events).exitCode).toBe(exitCode);
  });

  test.each([
    ["that is not there", ["no-such-agent"]],
    ["whose path is not there", ["./no-such-agent"]],
    ["that is not executable", ["./notes.txt"]],
  ])("a program %s is not installed", async (_name, command) => {
    await using it = await running(...command);
    await writeFile(path.join(it.root, "notes.txt"), "", { mode: 0o644 });
    const failure = { kind: "not_installed", retryable: false, next: expect.stringContaining("Install") };
    expect(theFailure(await collect(it.provider, aTurnRequest()))).toMatchObject(failure);
    expect(await it.provider.preflight(never)).toMatchObject(failure);
  });

  test("a program of the workspace is found from the workspace", async () => {
    await using it = await running("./agent");
    await writeFile(path.join(it.root, "agent"), "#!/bin/sh\necho here\n", { mode: 0o755 });
    expect(await it.provider.preflight(never)).toBeUndefined();
    expect(theEnd(await collect(it.provider, aTurnRequest())).lastMessage).toBe("here");
  });

  test("what cannot be started for another reason is not tried again", async () => {
    await using it = await running("echo", "a\0b");
    expect(theFailure(await collect(it.provider, aTurnRequest()))).toMatchObject({ kind: "crashed", retryable: false });
  });
});
