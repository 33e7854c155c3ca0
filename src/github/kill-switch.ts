import { DONE, failed, type Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import { ask } from "./refusal.ts";

/** The repository's variable by which people switch loops off. */
export const KILL_SWITCH = "SMITHERS_DISABLED";

/** Values that leave loops on. */
const OFF: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/**
 * Whether loops may run, or are switched off by `SMITHERS_DISABLED`. A job's own token may not read variables, so the
 * workflow has to pass the variable; a token that may read it asks GitHub as well. Never throws.
 *
 * @param given the environment variable of that name; null: not set
 */
export async function readKillSwitch(github: Github, given: string | null): Promise<Result> {
  if (given !== null) return switchAt(given);
  const answer = await ask("variables: read", () => github.rest.actions.getRepoVariable({ name: KILL_SWITCH }));
  if (answer.ok) return switchAt(answer.value.data.value);
  const { kind, because } = answer.trouble;
  if (kind !== "unreachable") return DONE;
  return failed({ because: `whether loops are switched off here (${KILL_SWITCH}) cannot be told: ${because}` });
}

/** Whether a value of `SMITHERS_DISABLED` switches loops off. @param given undefined: it is not set */
export function isSwitchedOff(given: string | undefined): boolean {
  return !OFF.has((given ?? "").trim().toLowerCase());
}

function switchAt(value: string): Result {
  if (!isSwitchedOff(value)) return DONE;
  return failed({ because: `loops are switched off in this repository (its variable ${KILL_SWITCH} is set)` });
}
