import type { Access } from "../github/access.ts";
import { ask } from "../github/answer.ts";

/** The repository's variable by which people switch loops off. */
export const KILL_SWITCH = "SMITHERS_DISABLED";

/** Values that leave loops on. */
const OFF: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/** Whether loops may run; `why` is part of a sentence. */
export type Switch = { readonly on: true } | { readonly on: false; readonly why: string };

/**
 * Whether loops are switched off by `SMITHERS_DISABLED`. A job's own token may not read variables, so the workflow has
 * to hand it over; only a token that may is asked besides. Never throws.
 *
 * @param given what the workflow hands over as the environment's variable of that name; null: nothing
 */
export async function readKillSwitch({ octokit, repository, signal }: Access, given: string | null): Promise<Switch> {
  if (given !== null) return switchAt(given);
  const answer = await ask("variables: read", async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/actions/variables/{name}", {
      owner: repository.owner,
      repo: repository.name,
      name: KILL_SWITCH,
      request: { signal },
    });
    return data.value;
  });
  if (answer.answered) return switchAt(answer.value);
  if (answer.absent || answer.because === "refused") return { on: true };
  return { on: false, why: `whether loops are switched off here (${KILL_SWITCH}) cannot be told: ${answer.why}` };
}

function switchAt(value: string): Switch {
  if (OFF.has(value.trim().toLowerCase())) return { on: true };
  return { on: false, why: `loops are switched off in this repository (its variable ${KILL_SWITCH} is set)` };
}
