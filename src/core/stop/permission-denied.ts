import { stop, type StopRule } from "./rule.ts";

/** POST 8: a command was declined or a permission denied, and the iteration made no progress. */
export const permissionDenied: StopRule = (_task, { last_turn: turn, progress }) => {
  const denied = turn?.denied ?? [];
  return denied.length > 0 && progress.no_progress > 0 ? stop({ kind: "permission_denied", denied }) : undefined;
};
