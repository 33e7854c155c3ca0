import { z } from "zod";
import { type Command, COMMANDS } from "../core/policy/command.ts";
import { isLoopId } from "../core/names.ts";
import { done, failed, type Result } from "../core/result.ts";
import type { GithubContext } from "./context.ts";

/** The input of `workflow_dispatch` that asks a loop. Nothing in it is believed: it only says where to look. */
export interface DispatchInput {
  readonly command: Command;
  readonly loop: string | null;
  /** the pull request's number */
  readonly pr: number | null;
  /** the commit that was asked about; 40 or 64 hex digits */
  readonly head: string | null;
  /** what a person did, or which run failed */
  readonly request: RequestId | null;
  /** whether the loop itself asks, which with a person's token looks like that person: it only ever takes rights away */
  readonly self: boolean;
}

/** Where GitHub keeps what was asked: in a comment, in the event of a label, in a workflow's run. */
export interface RequestId {
  readonly kind: "comment" | "label" | "run";
  readonly id: number;
}

/** The name of the input. */
export const INPUT = "smithers";

const LONGEST = 1_000;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u;
const REQUEST = /^(comment|label|run):([1-9]\d{0,14})$/u;

const Input = z.strictObject({
  command: z.enum(COMMANDS),
  loop: z.string().refine(isLoopId, "is no loop's id").nullable().default(null),
  pr: z.int().positive().max(2_147_483_647).nullable().default(null),
  head: z.string().regex(COMMIT).nullable().default(null),
  request: z.string().regex(REQUEST).transform(requestIn).nullable().default(null),
  self: z.boolean().default(false),
});

/** The input that a workflow was started with, not verified yet; null: none, or a malformed one. */
export function dispatchedWith({ eventName, event }: Pick<GithubContext, "eventName" | "event">): DispatchInput | null {
  const text = event.inputs[INPUT]?.trim() ?? "";
  const read = eventName === "workflow_dispatch" && text !== "" ? readInput(text) : undefined;
  return read?.ok === true ? read.value : null;
}

/**
 * Reads a bare command or the JSON that `writeInput` makes; anything else is refused as a whole, and `because` is part
 * of a sentence that begins with the input.
 */
export function readInput(text: string): Result<DispatchInput> {
  if (text.length > LONGEST) return failed({ because: `has more than ${LONGEST} characters` });
  const json = text.trim().startsWith("{") ? parse(text) : { command: text.trim() };
  if (json === undefined) return failed({ because: "is no JSON" });
  const parsed = Input.safeParse(json, { jitless: true });
  if (parsed.success) return done(parsed.data);
  const [issue] = parsed.error.issues;
  const [field] = issue?.path ?? [];
  if (field === "command") return failed({ because: `names none of the commands ${COMMANDS.join(", ")}` });
  return failed({ because: field === undefined ? "has fields that there are not" : `has a wrong ${String(field)}` });
}

/** The text that `readInput` reads. */
export function writeInput({ command, loop, pr, head, request, self }: DispatchInput): string {
  return JSON.stringify({
    command,
    ...(loop === null ? {} : { loop }),
    ...(pr === null ? {} : { pr }),
    ...(head === null ? {} : { head }),
    ...(request === null ? {} : { request: `${request.kind}:${request.id}` }),
    ...(self ? { self } : {}),
  });
}

function requestIn(text: string): RequestId {
  const [, kind, id] = REQUEST.exec(text) ?? [];
  return { kind: kind === "label" || kind === "run" ? kind : "comment", id: Number(id) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
