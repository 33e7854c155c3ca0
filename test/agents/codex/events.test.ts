import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../src/core/agent.ts";
import { readCodexLine } from "../../../src/agents/codex/events.ts";
import { codexRecording } from "../../support/codex-recording.ts";

const event = (event: AgentEvent, item: string | null = null) => ({ says: "event", event, item });
const read = (name: string) =>
  codexRecording(name)
    .lines.map(readCodexLine)
    .filter((line) => line !== undefined);

describe("Codex's stream in the words of the engine [R-20, D-18, D-48]", () => {
  test("an iteration with a thought, commands, a patch and messages", () => {
    const list = "/bin/bash -lc 'ls -a && cat README.md'";
    const show = "/bin/bash -lc 'cat hello.txt; echo err >&2; exit 3'";
    const demo = "/home/runner/work/demo/demo";
    expect(read("three-iterations-1")).toEqual([
      { says: "thread", id: "01a1fb7d-2a6d-7302-8ac0-97f8bb202a00" },
      { says: "started" },
      event({ type: "reasoning", text: "**Looking around** the repo first." }),
      event({ type: "message", text: "I'll inspect the repo." }),
      event({ type: "command.started", command: list }, "item_2"),
      event(
        {
          type: "command.ended",
          command: list,
          exitCode: 0,
          output: ".\n..\n.agents\n.aws\n.codex\n.git\nREADME.md\nold.txt\nhello\n",
        },
        "item_2",
      ),
      event({
        type: "files.changed",
        changes: [
          { path: `${demo}/README.md`, kind: "update" },
          { path: `${demo}/hello.txt`, kind: "add" },
        ],
      }),
      event({ type: "command.started", command: show }, "item_4"),
      event({ type: "command.ended", command: show, exitCode: 3, output: "hello world\nerr\n" }, "item_4"),
      event({ type: "message", text: "Iteration 1: created hello.txt.\n\nNext: add tests." }),
      { says: "completed", usage: { input: 400, cachedInput: 160, output: 80, reasoning: 20 } },
    ]);
  });

  test.each<readonly [name: string, event: AgentEvent]>([
    ["mcp-tool-call", { type: "tool.used", name: "tt.ping", failed: false }],
    ["mcp-tool-error", { type: "tool.used", name: "tt.ping", failed: true }],
    [
      "mcp-not-read-only",
      { type: "permission.denied", what: "tt.ping", allow: expect.stringContaining("readOnlyHint") },
    ],
    ["web-search", { type: "tool.used", name: "web_search", failed: false }],
    ["unknown-model", { type: "notice", text: expect.stringContaining("Defaulting to fallback metadata") }],
  ])("%s", (name, expected) => {
    const events = read(name).flatMap((line) => (line.says === "event" ? [line.event] : []));
    expect(events.filter((found) => found.type === expected.type)).toEqual([expected]);
  });

  test.each([
    ["command_execution", { command: "npm ci" }, "npm ci"],
    ["file_change", {}, "apply_patch"],
    ["mcp_tool_call", { server: "s", tool: "t" }, "s.t"],
    ["web_search", {}, "web_search"],
  ])("a declined %s [POST 8]", (type, fields, what) => {
    const item = { id: "item_1", type, status: "declined", ...fields };
    expect(readCodexLine(JSON.stringify({ type: "item.completed", item }))).toEqual(
      event({ type: "permission.denied", what, allow: expect.stringContaining("--sandbox") }, "item_1"),
    );
  });

  test("moves, deletions and additions of files", () => {
    const changes = read("file-changes").flatMap((line) =>
      line.says === "event" && line.event.type === "files.changed" ? line.event.changes : [],
    );
    expect(new Set(changes.map((change) => change.kind))).toEqual(new Set(["add", "update", "delete"]));
  });

  test("a reconnect tells the attempt, the limit and the cause", () => {
    expect(read("failure-default-retries-server-down")[2]).toEqual({
      says: "reconnecting",
      attempt: 1,
      limit: 5,
      cause: "Connection failed: error sending request",
      text: "Reconnecting... 1/5 (Connection failed: error sending request)",
    });
  });

  test("waiting for the network is only a notice", () => {
    expect(read("failure-server-down-unbounded").at(-1)).toEqual(
      event({ type: "notice", text: expect.stringContaining("waiting for network") }),
    );
  });
});

describe("what Codex might say one day [D-48]", () => {
  test.each([
    ["an unknown event", '{"type":"thread.renamed"}'],
    ["an unknown item", '{"type":"item.completed","item":{"id":"i","type":"todo_list","items":[]}}'],
    ["an item that is not an object", '{"type":"item.completed","item":3}'],
    ["an item that only begins", '{"type":"item.started","item":{"type":"file_change"}}'],
    ["a thread without an id", '{"type":"thread.started","thread_id":7}'],
    ["an empty line", "  "],
  ])("%s is ignored", (_name, line) => expect(readCodexLine(line)).toBeUndefined());

  test.each([
    ["a torn line", '{"type":"item.comp'],
    ["a number", "17"],
    ["a list", "[1]"],
    ["null", "null"],
  ])("%s is garbage", (_name, line) => expect(readCodexLine(line)).toEqual({ says: "garbage" }));

  test.each([
    [
      "usage",
      '{"type":"turn.completed"}',
      { says: "completed", usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 } },
    ],
    [
      "sane usage",
      '{"type":"turn.completed","usage":{"input_tokens":-5,"output_tokens":"7"}}',
      { says: "completed", usage: { input: 0, cachedInput: 0, output: 0, reasoning: 0 } },
    ],
    ["a reason", '{"type":"turn.failed"}', { says: "failed", message: "" }],
    [
      "an exit code and an output",
      '{"type":"item.completed","item":{"type":"command_execution","command":"ls"}}',
      event({ type: "command.ended", command: "ls", exitCode: null, output: "" }, ""),
    ],
    [
      "sound changes",
      '{"type":"item.completed","item":{"type":"file_change","status":"completed","changes":[1,{"path":2,"kind":"add"},{"path":"a","kind":"chmod"},{"path":"b","kind":"add"}]}}',
      event({ type: "files.changed", changes: [{ path: "b", kind: "add" }] }),
    ],
    [
      "changes",
      '{"type":"item.completed","item":{"type":"file_change","status":"completed"}}',
      event({ type: "files.changed", changes: [] }),
    ],
    [
      "success of a patch",
      '{"type":"item.completed","item":{"type":"file_change","status":"failed","changes":[]}}',
      event({ type: "tool.used", name: "apply_patch", failed: true }),
    ],
  ])("without %s", (_name, line, expected) => expect(readCodexLine(line)).toEqual(expected));
});

describe("the output of a command is a tail of at most 4 KiB [D-37]", () => {
  test.each([
    ["short", "ok\n", "ok\n"],
    ["long", `${"x".repeat(10_000)}end`, `${"x".repeat(4093)}end`],
    ["long, of wide characters", "€".repeat(3000), "€".repeat(1365)],
  ])("%s", (_name, output, expected) => {
    const item = { type: "command_execution", command: "c", aggregated_output: output, exit_code: 0 };
    const line = readCodexLine(JSON.stringify({ type: "item.completed", item }));
    expect(line).toMatchObject({ event: { output: expected } });
  });
});
