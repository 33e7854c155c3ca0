import { stop, type StopRule } from "./rule.ts";

/** PRE 3, POST 1: a signal or a stop request ended the turn (W-46). */
export const stopped: StopRule = (_task, _state, { request }) =>
  request?.kind === "stop" ? stop({ kind: "stopped", by: request.by }) : undefined;

/** PRE 3: a pause was asked for; it waits for the iteration to end. */
export const paused: StopRule = (_task, _state, { request }) =>
  request?.kind === "pause" ? stop({ kind: "paused", by: request.by }) : undefined;
