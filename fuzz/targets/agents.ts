import type { AgentEvent, TurnRequest } from "../../src/core/agent.ts";
import { UsageError } from "../../src/core/errors.ts";
import { readCodexLine } from "../../src/agents/codex/events.ts";
import { startFailure, turnFailure } from "../../src/agents/codex/failures.ts";
import { readUsageLine } from "../../src/agents/codex/session-usage.ts";
import { CodexTurn } from "../../src/agents/codex/turn.ts";
import { hiddenIn, withoutToken } from "../../src/agents/key-proxy.ts";
import { LineSplitter, OutputTail } from "../../src/agents/output.ts";
import { readReportedUsage } from "../../src/agents/printed-lines.ts";
import { parseScriptText } from "../../src/agents/scripted/script.ts";
import { mutated, mutatedBytes, mutatedJson, pieces } from "../mutate.ts";
import { recordings } from "../seeds.ts";
import { hold, target, unless } from "../target.ts";

const streams = recordings("codex", ".jsonl");
const lines = streams.flatMap((stream) => stream.split("\n")).filter((line) => line.startsWith("{"));
const WORDS = [
  ..."thread.started turn.started item.started item.completed turn.completed turn.failed error agent_message".split(
    " ",
  ),
  ..."command_execution file_change mcp_tool_call declined completed failed Reconnecting...".split(" "),
  ...["Reconnecting... 2/5 (timeout)", "MCP tool call requires approval", '{"type":"item.completed"}', "\n", "}\n{"],
];
const REQUEST: TurnRequest = {
  ...{ iteration: 1, prompt: "", sessionId: "s-1", sessionUsage: null, timeoutMs: 1, idleTimeoutMs: 1 },
};
const EVENTS: ReadonlySet<AgentEvent["type"]> = new Set([
  ...(["session.started", "message", "reasoning", "command.started", "command.ended", "files.changed"] as const),
  ...(["tool.used", "notice", "permission.denied"] as const),
]);

function isDate(ms: number | undefined): boolean {
  return ms === undefined || /^\d{4}-/u.test(new Date(ms).toISOString());
}

export const codexStream = target({
  name: "codex-stream",
  covers: [
    "agents/codex/events.ts#readCodexLine",
    "agents/codex/turn.ts#CodexTurn",
    "agents/codex/turn.ts#ReconnectLimit",
    "agents/output.ts#LineSplitter",
  ],
  draw(random) {
    const material = { seeds: lines, words: WORDS };
    const some = Array.from({ length: 1 + random.below(6) }, () =>
      random.once(2) ? mutatedJson(random, material) : random.one(lines),
    );
    const stream = random.once(4) ? mutated(random, { seeds: streams, words: WORDS }) : some.join("\n");
    const parts = pieces(random, Buffer.from(stream)).map((piece) => piece.toString("latin1"));
    return {
      parts,
      asked: random.once(2),
      exitCode: random.one([0, 1, null]),
      stderr: mutated(random, { seeds: streams, words: [] }).slice(0, 2000),
    };
  },
  check({ parts, asked, exitCode, stderr }) {
    const bytes = parts.map((part) => Buffer.from(part, "latin1"));
    const splitter = new LineSplitter();
    const split = [...bytes.flatMap((piece) => splitter.push(piece).lines), ...splitter.rest().lines];
    const whole = parts.join("").split("\n");
    if (whole.at(-1) === "") whole.pop();
    hold(
      split.join("\n") === whole.map((line) => Buffer.from(line, "latin1").toString()).join("\n"),
      "lines are lines",
    );
    const turn = new CodexTurn({ ...REQUEST, sessionId: asked ? "s-1" : null });
    for (const line of split) {
      const event = turn.read(line);
      hold(event === undefined || EVENTS.has(event.type), "only known events come out");
      const read = readCodexLine(line);
      if (read?.says === "completed")
        hold(
          Object.values(read.usage).every((count) => Number.isFinite(count) && count >= 0),
          "tokens are counted",
        );
    }
    const end = turn.end({ ended: "exited", exitCode, signal: null }, stderr, turn.lastMessage);
    if (end.type === "turn.failed") hold(isDate(end.failure.resetsAt), "a limit ends at a date");
  },
});

const FAILURES = [
  ...lines.flatMap((line) => /"message":"((?:[^"\\]|\\.)*)"/u.exec(line)?.[1] ?? []),
  ...recordings("codex", ".stderr.txt"),
  "You've hit your usage limit. Upgrade to Pro or try again at Nov 21st, 2026 3:00 AM.",
  "exceeded retry limit, last status: 429 Too Many Requests, try again in 1h2m3s",
  "rate limit exceeded: try again in 250ms",
];

export const codexFailures = target({
  name: "codex-failures",
  covers: [
    "agents/codex/failures.ts#turnFailure",
    "agents/codex/failures.ts#startFailure",
    "agents/codex/failures.ts#excerpt",
  ],
  draw: (random) =>
    mutated(random, {
      seeds: FAILURES,
      words: ["try again at ", "try again in ", "Dec 31st, 9999 ", "99:99 PM", "9".repeat(40), "h", "m", "ms"],
    }),
  check(text) {
    const now = Date.UTC(2026, 10, 22);
    const [failed, refused] = [turnFailure(text, now), startFailure(text)];
    for (const { message, resetsAt } of [failed, refused]) {
      hold(message.length <= 600 && !message.includes("\n"), "a failure is one short line");
      hold(isDate(resetsAt), "a limit ends at a date");
    }
  },
});

const COUNTS = '{"input_tokens":1,"cached_input_tokens":0,"output_tokens":2,"reasoning_output_tokens":0}';
const USAGE = [
  `{"type":"token_usage_record","payload":{"thread_token_usage":${COUNTS}}}`,
  `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":${COUNTS}}}}`,
  'smithers: usage {"input_tokens":1,"cached_input_tokens":0,"output_tokens":2,"cost_usd":0.01}',
];

export const agentUsage = target({
  name: "agent-usage",
  covers: ["agents/codex/session-usage.ts#readUsageLine", "agents/printed-lines.ts#readReportedUsage"],
  draw: (random) => mutated(random, { seeds: USAGE, words: ["1e999", "-1", "0.5", "null", "smithers: usage "] }),
  check(line) {
    const reported = readReportedUsage(line);
    const counts = [readUsageLine(line), reported?.usage].flatMap((usage) => Object.values(usage ?? {}));
    hold(
      [...counts, reported?.cost ?? 0].every((count) => Number.isSafeInteger(count) && count >= 0),
      "tokens are counted",
    );
  },
});

const TOKEN = "0123456789abcdef".repeat(4);

export const agentOutput = target({
  name: "agent-output",
  covers: ["agents/output.ts#OutputTail", "agents/key-proxy.ts#withoutToken", "agents/key-proxy.ts#hiddenIn"],
  draw(random) {
    const words = [TOKEN, TOKEN.slice(0, 63), TOKEN.slice(1), TOKEN + TOKEN.slice(1), TOKEN.slice(0, 32)];
    const bytes = mutatedBytes(random, { seeds: [...streams, TOKEN, `key=${TOKEN}\n`.repeat(3)], words });
    return pieces(random, Buffer.from(bytes, "latin1")).map((piece) => piece.toString("latin1"));
  },
  async check(parts) {
    const tail = new OutputTail(256);
    for (const part of parts) tail.push(Buffer.from(part, "latin1"));
    hold(Buffer.byteLength(tail.text()) <= 3 * 256, "only the end is kept");
    const chunks = parts.map((part) => Buffer.from(part, "latin1"));
    let clean = "";
    for await (const piece of withoutToken(streamOf(chunks), TOKEN)) clean += piece.toString("latin1");
    hold(!clean.includes(TOKEN), "no token comes through");
    hold(clean === hiddenIn(parts.join(""), TOKEN), "nothing else is changed");
  },
});

async function* streamOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

const SCRIPTS = [
  '{"turns":[{"files":{"a.txt":"x"},"lastMessage":"<promise>COMPLETE</promise>","usage":{"input":1}}],"then":"fail"}',
  '{"preflight":{"kind":"auth","message":"no"},"turns":[{"attempts":[{"failure":{"kind":"idle"}},{"exitCode":1}]}]}',
  '{"turns":[{"delayMs":5,"silence":true,"loseSession":true,"delete":["a/b"],"messages":["hi"]}]}',
];

export const agentScript = target({
  name: "agent-script",
  covers: ["agents/scripted/script.ts#parseScriptText", "agents/scripted/script.ts#parseScript"],
  draw: (random) => mutatedJson(random, { seeds: SCRIPTS, words: ["../x", "/etc/x", "a\\b", "a/../../b"] }),
  check(text) {
    const script = unless(UsageError, () => parseScriptText(text));
    for (const { files = {} } of script?.turns ?? [])
      for (const name of Object.keys(files))
        hold(!name.startsWith("/") && !name.split(/[/\\]/u).includes(".."), "a script stays in the workspace");
  },
});
