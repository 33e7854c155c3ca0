import type { ControlRequest } from "./ports.ts";

/** Names inside a loop's folder (W-48, "Files of a loop" in docs/ARCHITECTURE.md). */

export const EVENTS_FILE = "events.jsonl";
export const PROGRESS_FILE = "progress.md";
/** What tests and check scripts were when the loop began (C21). */
export const TESTS_FILE = "tests.json";
export const PROMPT_FILE = "prompt.txt";
export const SUMMARY_FILE = "summary.json";
/** The unfinished work of a loop that travels: a git bundle. */
export const WORK_FILE = "work.bundle";
export const CONTROL_FOLDER = "control";

/** The provider's raw stream of an iteration (W-26). */
export function rawEventsName(iteration: number): string {
  return `events_iter_${iteration}.jsonl`;
}

/** The agent's last message of an iteration (W-27). */
export function lastMessageName(iteration: number): string {
  return `last_message_iter_${iteration}.txt`;
}

const LOOP_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

/** Whether a text can be a loop's id, and so a part of paths and of git's refs (C9). */
export function isLoopId(text: string): boolean {
  return LOOP_ID.test(text) && !text.includes("..") && !text.endsWith(".lock");
}

/** Who asks for what. */
export interface NamedRequest {
  readonly kind: "pause" | "stop" | "cancel";
  /** the person's login on GitHub */
  readonly login: string;
  /** a number that GitHub gave to the comment or event, so that no two requests have one name */
  readonly id: number | string;
}

const REQUEST = /^(pause|stop|cancel)\/([A-Za-z0-9_][A-Za-z0-9_-]{0,99}(?:\.bot)?)-(\d{1,20})$/u;

/** Where requests to a running loop lie: ends with a slash. */
export function controlRefsOf(loopId: string): string {
  return `refs/smithers-control/${loopId}/`;
}

/**
 * The full name of the ref that asks a running loop for something.
 *
 * @throws RangeError when a name can be made of it that would not be understood
 */
export function controlRefOf(loopId: string, { kind, login, id }: NamedRequest): string {
  // A bracket has no place in a ref.
  const name = `${kind}/${login.replace(/\[bot\]$/u, ".bot")}-${id}`;
  if (requestIn(name) === undefined) throw new RangeError(`${JSON.stringify(name)} is no request to a loop`);
  return `${controlRefsOf(loopId)}${name}`;
}

/** @param name of a ref, without `controlRefsOf`; undefined when it asks for nothing that is known */
export function requestIn(name: string): ControlRequest | undefined {
  const [, kind, login = ""] = REQUEST.exec(name) ?? [];
  if (kind !== "pause" && kind !== "stop" && kind !== "cancel") return undefined;
  return { kind, by: `${login.replace(/\.bot$/u, "[bot]")} on GitHub` };
}
