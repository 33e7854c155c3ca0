import { stop, type StopRule } from "./rule.ts";

/** PRE 2, POST 1: somebody cancelled the loop for good. */
export const canceled: StopRule = (_task, _state, { request }) =>
  request?.kind === "cancel" ? stop({ kind: "canceled", by: request.by }) : undefined;
