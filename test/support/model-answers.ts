/**
 * What a scripted model says: the events of the Responses API that Codex reads, and the ways in which that API fails.
 */

/** Tokens that an answer reports. */
export interface AnswerUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** One output item: a message, a thought or a tool call. */
export type Item = Readonly<Record<string, unknown>> & { readonly type: string };

/** An answer without a stream. */
export interface StatusAnswer {
  readonly kind: "status";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** How the server answers one request. */
export type Answer =
  | { readonly kind: "items"; readonly items: readonly Item[]; readonly usage: AnswerUsage }
  | StatusAnswer
  /** a terminal event other than `response.completed`, after `items` */
  | { readonly kind: "event"; readonly items: readonly Item[]; readonly event: Item }
  | { readonly kind: "fault"; readonly fault: "cut" | "end_early" | "silent" | "mute" | "malformed" };

const USAGE: AnswerUsage = { input: 100, cached: 40, output: 20, reasoning: 5 };

let calls = 0;

/** Says `text`. A message without a tool call beside it ends the turn. */
export function message(text: string): Item {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

export function reasoning(text: string): Item {
  calls += 1;
  return { type: "reasoning", id: `rs_${calls}`, summary: [{ type: "summary_text", text }] };
}

/** Runs a shell command. `yieldMs`: when Codex reports to the model while it still runs. */
export function command(cmd: string, yieldMs = 30_000): Item {
  const json = JSON.stringify({ cmd, yield_time_ms: yieldMs });
  return { type: "function_call", call_id: nextCall(), name: "exec_command", arguments: json };
}

/** Applies a patch; `body` is what comes between `*** Begin Patch` and `*** End Patch`. */
export function patch(body: string): Item {
  const input = `*** Begin Patch\n${body.trimEnd()}\n*** End Patch\n`;
  return { type: "custom_tool_call", call_id: nextCall(), name: "apply_patch", input };
}

/** A patch that adds a file. */
export function addFile(name: string, content: string): Item {
  const lines = content.replace(/\n$/u, "").split("\n");
  return patch(`*** Add File: ${name}\n${lines.map((line) => `+${line}`).join("\n")}`);
}

/** A successful answer. */
export function answer(items: readonly Item[], usage: Partial<AnswerUsage> = {}): Answer {
  return { kind: "items", items, usage: { ...USAGE, ...usage } };
}

/** An answer by HTTP status; `body` is sent as JSON, or as it is when it is a string. */
export function status(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): StatusAnswer {
  return { kind: "status", status, body, headers };
}

/** 401, the way the service says it. */
export function unauthorized(): Answer {
  return status(401, {
    error: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  });
}

/** The stream itself says that the response failed: `context_length_exceeded`, `rate_limit_exceeded` … */
export function failed(code: string, text: string): Answer {
  const response = { id: "resp", status: "failed", error: { code, message: text } };
  return { kind: "event", items: [], event: { type: "response.failed", response } };
}

/** The answer stops at the model's own limit. */
export function incomplete(text: string): Answer {
  const response = { id: "resp", status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  return { kind: "event", items: [message(text)], event: { type: "response.incomplete", response } };
}

/** The socket is destroyed in the middle of an answer. */
export function cut(): Answer {
  return { kind: "fault", fault: "cut" };
}

/** The stream ends in good order before `response.completed`. */
export function endEarly(): Answer {
  return { kind: "fault", fault: "end_early" };
}

/** Headers and a first event, then nothing more. */
export function silent(): Answer {
  return { kind: "fault", fault: "silent" };
}

/** The request is accepted and never answered. */
export function mute(): Answer {
  return { kind: "fault", fault: "mute" };
}

/** Event data that is not JSON. */
export function malformed(): Answer {
  return { kind: "fault", fault: "malformed" };
}

function nextCall(): string {
  calls += 1;
  return `call_${calls}`;
}
