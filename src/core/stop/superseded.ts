import { stop, type StopRule } from "./rule.ts";

/** PRE 1: another run has the loop now. Whatever this one would still do, the other one could not see. */
export const superseded: StopRule = (_task, _state, { request }) =>
  request?.kind === "supersede" ? stop({ kind: "superseded", by: request.by }) : undefined;
