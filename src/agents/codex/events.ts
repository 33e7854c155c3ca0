import type { AgentEvent, AgentFileChange, Usage } from "../../core/agent.ts";
import { OutputTail } from "../output.ts";

/** What a line of `codex exec --json` says. Everything else that Codex may print is ignored. */
export type CodexLine =
  | { readonly says: "thread"; readonly id: string }
  | { readonly says: "started" }
  /** `item` is what `command.ended` names again; null for what does not last */
  | { readonly says: "event"; readonly event: AgentEvent; readonly item: string | null }
  /** Codex tries a request again by itself: the `attempt`th of `limit` times. */
  | {
      readonly says: "reconnecting";
      readonly attempt: number;
      readonly limit: number;
      readonly cause: string;
      readonly text: string;
    }
  /** Fatal only when the turn ends with it. */
  | { readonly says: "error"; readonly message: string }
  /** `usage` is the thread's running total, not the turn's. */
  | { readonly says: "completed"; readonly usage: Usage }
  | { readonly says: "failed"; readonly message: string }
  /** Not JSON: torn off, or not Codex's. */
  | { readonly says: "garbage" };

type Fields = Readonly<Record<string, unknown>>;

const OUTPUT_TAIL_BYTES = 4096;

/** Reads one line of Codex's stream. Fields that are missing or of another type make the line ignored, never throw. */
export function readCodexLine(line: string): CodexLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.trim() === "" ? undefined : { says: "garbage" };
  }
  if (!isFields(value)) return { says: "garbage" };
  switch (value["type"]) {
    case "thread.started":
      return typeof value["thread_id"] === "string" ? { says: "thread", id: value["thread_id"] } : undefined;
    case "turn.started":
      return { says: "started" };
    case "item.started":
    case "item.completed":
      return isFields(value["item"]) ? readItem(value["item"], value["type"] === "item.completed") : undefined;
    case "error":
      return readError(text(value["message"]));
    case "turn.completed":
      return { says: "completed", usage: readUsage(value["usage"]) };
    case "turn.failed":
      return { says: "failed", message: isFields(value["error"]) ? text(value["error"]["message"]) : "" };
    default:
      return undefined;
  }
}

function readItem(item: Fields, completed: boolean): CodexLine | undefined {
  const id = text(item["id"]);
  if (item["type"] === "command_execution" && !completed)
    return { says: "event", event: { type: "command.started", command: text(item["command"]) }, item: id };
  const event = completed ? completedItem(item) : undefined;
  if (event === undefined) return undefined;
  const endsCommand = event.type === "command.ended" || event.type === "permission.denied";
  return { says: "event", event, item: endsCommand ? id : null };
}

function completedItem(item: Fields): AgentEvent | undefined {
  const succeeded = item["status"] === "completed";
  if (isDenied(item)) return { type: "permission.denied", what: nameOf(item), allow: NOBODY_ASKED };
  switch (item["type"]) {
    case "agent_message":
      return { type: "message", text: text(item["text"]) };
    case "reasoning":
      return { type: "reasoning", text: text(item["text"]) };
    case "command_execution":
      return {
        type: "command.ended",
        command: text(item["command"]),
        exitCode: typeof item["exit_code"] === "number" ? item["exit_code"] : null,
        output: tail(text(item["aggregated_output"])),
      };
    case "file_change":
      return succeeded
        ? { type: "files.changed", changes: readChanges(item["changes"]) }
        : { type: "tool.used", name: "apply_patch", failed: true };
    case "mcp_tool_call":
      return { type: "tool.used", name: toolName(item), failed: !succeeded };
    case "web_search":
      return { type: "tool.used", name: "web_search", failed: false };
    case "error":
      return { type: "notice", text: text(item["message"]) };
    default:
      return undefined;
  }
}

/** Nobody can approve anything in a loop, so Codex declines whatever needs an approval. */
const NOBODY_ASKED =
  "Nobody can be asked in a loop: a wider --sandbox lets commands and patches, readOnlyHint in its server lets a tool.";

function isDenied({ status, error }: Fields): boolean {
  return status === "declined" || (isFields(error) && /requires approval/iu.test(text(error["message"])));
}

function nameOf(item: Fields): string {
  if (item["type"] === "command_execution") return text(item["command"]);
  if (item["type"] === "mcp_tool_call") return toolName(item);
  return item["type"] === "file_change" ? "apply_patch" : text(item["type"]);
}

function toolName(item: Fields): string {
  return `${text(item["server"])}.${text(item["tool"])}`;
}

function readChanges(value: unknown): AgentFileChange[] {
  const changes: AgentFileChange[] = [];
  for (const change of Array.isArray(value) ? value : []) {
    if (!isFields(change) || typeof change["path"] !== "string") continue;
    const kind = change["kind"];
    if (kind === "add" || kind === "update" || kind === "delete") changes.push({ path: change["path"], kind });
  }
  return changes;
}

const RECONNECTING = /^Reconnecting\.\.\. (\d+)\/(\d+) \((.*)\)$/su;

function readError(message: string): CodexLine {
  const match = RECONNECTING.exec(message);
  if (match !== null) {
    const [, attempt, limit, cause = ""] = match;
    return { says: "reconnecting", attempt: Number(attempt), limit: Number(limit), cause, text: message };
  }
  return message.startsWith("Reconnecting...")
    ? { says: "event", event: { type: "notice", text: message }, item: null }
    : { says: "error", message };
}

function readUsage(value: unknown): Usage {
  const usage = isFields(value) ? value : {};
  return {
    input: count(usage["input_tokens"]),
    cachedInput: count(usage["cached_input_tokens"]),
    output: count(usage["output_tokens"]),
    reasoning: count(usage["reasoning_output_tokens"]),
  };
}

/** The end of `output`, as a string of its own: a slice would keep all of it in memory. */
function tail(output: string): string {
  if (output.length * 3 <= OUTPUT_TAIL_BYTES) return output;
  const end = new OutputTail(OUTPUT_TAIL_BYTES);
  end.push(Buffer.from(output.slice(-OUTPUT_TAIL_BYTES)));
  return end.text();
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
