import type { IncomingHttpHeaders } from "node:http";

/** One request that the model server got. */
export interface ModelRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** the user's prompts in the conversation so far, oldest first */
  readonly prompts: readonly string[];
  /** the prompt of the turn in progress */
  readonly prompt: string;
  /** what the tool calls of the turn in progress gave, oldest first */
  readonly outputs: readonly string[];
  readonly model: string;
  readonly threadId: string;
  /** `compaction` when Codex asks for a summary of the conversation */
  readonly kind: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads what Codex sends; only what tests ask about. */
export function readModelRequest(headers: IncomingHttpHeaders, text: string): ModelRequest {
  const body = fields(JSON.parse(text));
  const prompts: string[] = [];
  let outputs: string[] = [];
  for (const item of list(body["input"]).map(fields)) {
    if (item["type"] === "message" && item["role"] === "user") {
      const prompt = list(item["content"])
        .map((part) => string(fields(part)["text"]))
        .join("");
      if (isContext(prompt)) continue;
      prompts.push(prompt);
      outputs = [];
    }
    if (item["type"] === "function_call_output" || item["type"] === "custom_tool_call_output") {
      outputs.push(string(item["output"]));
    }
  }
  const metadata = fields(JSON.parse(string(headers["x-codex-turn-metadata"]) || "{}"));
  return {
    headers,
    body,
    prompts,
    prompt: prompts.at(-1) ?? "",
    outputs,
    model: string(body["model"]),
    threadId: string(body["prompt_cache_key"]),
    kind: string(metadata["request_kind"]),
  };
}

/** What Codex itself says in the user's name. */
function isContext(prompt: string): boolean {
  return /^<(?:environment_context|turn_aborted|user_instructions)>|^# AGENTS\.md instructions/u.test(prompt);
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
