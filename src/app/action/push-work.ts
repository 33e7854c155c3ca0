import { SecretValues } from "../../carriers/secrets.ts";
import type { RunView } from "../../views/run-view.ts";
import type { BranchInHand } from "./branch-in-hand.ts";
import { secretsOf } from "./mask-secrets.ts";
import type { Publishing } from "./publication-facts.ts";
import { saveUnpushed } from "./save-unpushed.ts";

/** At most; half of what is left is kept for telling that it could not be done. */
const PUSH_MS = 60_000;
const LOOK_MS = 20_000;

/** Whether the work is on its branch. */
export type PushedWork =
  | { readonly done: true }
  | {
      readonly done: false;
      /** whole sentences: why, and where the work is */
      readonly why: string;
      /** where the branch is on GitHub, as far as that is known; null: nowhere */
      readonly head: string | null;
    };

/** Pushes the loop's commits to its branch, if that is where it was when the run began (C13, threats T6). */
export async function pushWork(publishing: Publishing, commit: string | null, view: RunView): Promise<PushedWork> {
  const { hand, job, leftMs } = publishing;
  if (hand === undefined || commit === null) {
    return { done: false, why: "There is nothing that could be pushed.", head: null };
  }
  const { name, tip, branch } = hand;
  if (commit === tip) return { done: true };
  const secret = await whySecret(publishing, hand, commit);
  if (secret !== null) {
    const saved = await saveUnpushed(publishing, { commit, view, mayPush: false });
    return { done: false, why: `Nothing was pushed to ${name}: ${secret} ${saved}`, head: tip };
  }
  const pushed = await branch.push(commit, tip, Math.min(PUSH_MS, leftMs() / 2));
  if (pushed.pushed) {
    job.log.line(`pushed to ${name}: ${commit}`);
    return { done: true };
  }
  const saved = await saveUnpushed(publishing, { commit, view, mayPush: pushed.because !== "unreachable" });
  if (pushed.because === "moved") {
    const now = pushed.now === null ? "it was deleted" : `it is at ${pushed.now.slice(0, 12)}`;
    const was = tip === null ? "it was not there" : `it was at ${tip.slice(0, 12)}`;
    return {
      done: false,
      why: `Nothing was pushed to ${name}, because somebody moved it meanwhile: ${was} when this run began, and ${now}. ${saved}`,
      head: pushed.now,
    };
  }
  const next = "next" in pushed && pushed.next !== "" ? ` ${pushed.next}` : "";
  return { done: false, why: `Nothing was pushed to ${name}: ${pushed.why}.${next} ${saved}`, head: tip };
}

/**
 * Whether the work would publish a secret of this job, which the agent may have found out and written down (T2). What is
 * pushed once is read by everybody who may read the repository, whatever is done to the branch later.
 *
 * @returns whole sentences; null: it would not
 */
async function whySecret(
  { job, leftMs }: Publishing,
  { branch, tip, head }: BranchInHand,
  commit: string,
): Promise<string | null> {
  const secrets = new SecretValues(secretsOf(job.settings.config));
  const known = [tip, head].filter((id) => id !== null);
  const added = { commit, known };
  const found = await branch.placesAdding(added, (text) => secrets.areIn(text), Math.min(LOOK_MS, leftMs() / 4));
  if (!found.known) return `whether it holds a secret of this job cannot be told: ${found.why}.`;
  if (found.places.length === 0) return null;
  const [first = "", ...others] = found.places;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${first}${more} would show a secret of this job to everybody who may read the repository. Take it out of the work, and tell the agent to write it down nowhere.`;
}
