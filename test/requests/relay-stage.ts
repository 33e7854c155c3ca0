import { relay } from "../../src/requests/relay.ts";
import type { RelayJob } from "../../src/requests/relay-job.ts";
import { markerOf } from "../../src/views/github/markers.ts";
import { shortPauses } from "../support/short-pauses.ts";
import { type Asking, asking, type Event, LOOP, OURS, type StoredLoop } from "../support/asking.ts";

/** What a relay did. */
export interface Relayed {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

/** What comes of an event. */
export async function relayed(at: Asking, context: Event, more: Partial<RelayJob> = {}): Promise<Relayed> {
  using _ = shortPauses();
  const lines: string[] = [];
  const log = {
    line: (text: string) => lines.push(text),
    notice: (text: string) => lines.push(`i ${text}`),
    warning: (text: string) => lines.push(`! ${text}`),
  };
  const known = { context, github: at.github, log, branch: "smithers/<loop-id>" };
  const job = { ...known, relayTo: null, relayPrdTo: null, allowedBots: [], disabled: null, ...more };
  const exitCode = await relay(job);
  return { exitCode, lines };
}

/** A pull request with a loop, which one of our comments names. */
export async function looped(stored: StoredLoop = {}): Promise<Asking> {
  const at = await asking();
  await at.loop({ state: { status: "paused_hard_stop" }, ...stored });
  at.comment(markerOf({ workflow: "smithers.yml", job: "loop", loopId: LOOP }), { author: OURS });
  return at;
}

/** A loop that runs now. */
export const RUNNING: StoredLoop = { state: { status: "running" }, run: "in_progress" };

/** What was dispatched, as the worker reads it. */
export function inputs(at: Asking): readonly unknown[] {
  return at.api.world.dispatches.map(({ inputs: { smithers = "" } }): unknown => JSON.parse(smithers));
}

/** What a comment got for answers: reactions, then the text of comments after it. */
export function answers(at: Asking, id: number) {
  const { comments } = at.api.world;
  const comment = comments.find((row) => row.id === id);
  const reactions = comment?.reactions.map(({ content }) => content) ?? [];
  return { reactions, replies: comments.filter((row) => row.author === OURS && row.id > id).map(({ body }) => body) };
}

/** What was done that anybody could see. */
export function writes(at: Asking): readonly string[] {
  const written = at.api.requests.filter(({ method, path }) => method !== "GET" && path !== "/graphql");
  return written.map(({ operation }) => operation);
}
