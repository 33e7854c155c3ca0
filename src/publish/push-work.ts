import type { Unpublished } from "../core/state.ts";
import { endingOf, type RunView } from "../views/run-view.ts";
import type { BranchRefusal } from "../git/work-branch-answers.ts";
import type { Publishing } from "./publication-facts.ts";
import { saveUnpushed } from "./save-unpushed.ts";
import { whySecret } from "./why-secret.ts";

/** At most; half of what is left is kept for telling that it could not be done. */
const PUSH_MS = 60_000;
const LOOK_MS = 20_000;

/** Refusals that somebody can mend without touching the work. */
const MENDABLE: ReadonlySet<string> = new Set([
  "token",
  "permission",
  "not_found",
  "ruleset",
  "workflow_files",
  "name_in_use",
  "moved_away",
  "archived",
] satisfies readonly BranchRefusal[]);

/** Whether the work is on its branch. */
export type PushedWork =
  /** `head`: where the branch is on GitHub now */
  | { readonly done: true; readonly head: string }
  | {
      readonly done: false;
      /** whole sentences: why, and where the work is */
      readonly why: string;
      /** where the branch is on GitHub, as far as that is known; null: nowhere */
      readonly head: string | null;
      /** whether another branch or the loop's ref holds it */
      readonly saved: boolean;
      /** what the next run can make up for; undefined: nothing, or somebody has moved the branch */
      readonly unpublished?: Unpublished;
    };

/** Pushes the loop's commits to its branch, if that is where it was when the run began (C13, threats T6). */
export async function pushWork(publishing: Publishing, commit: string | null, view: RunView): Promise<PushedWork> {
  const { hand, job, leftMs } = publishing;
  if (hand === undefined || commit === null) {
    return { done: false, why: "There is nothing that could be pushed.", head: null, saved: true };
  }
  const { name, tip, here } = hand;
  if (tip !== null && commit === here) return { done: true, head: tip };
  const secret = await whySecret(job, hand, commit, Math.min(LOOK_MS, leftMs() / 4));
  if (secret !== null) {
    const saved = await saveUnpushed(publishing, { commit, view, mayPush: false });
    return {
      done: false,
      why: `Nothing was pushed to ${name}: ${secret} ${saved.where}`,
      head: tip,
      saved: saved.saved,
    };
  }
  const pushed = await hand.push(commit, Math.min(PUSH_MS, leftMs() / 2));
  if (pushed.pushed) {
    job.log.line(`pushed to ${name}: ${pushed.head}`);
    return { done: true, head: pushed.head };
  }
  const saved = await saveUnpushed(publishing, { commit, view, mayPush: pushed.because !== "unreachable" });
  if (pushed.because === "moved") {
    const now = pushed.now === null ? "it was deleted" : `it is at ${pushed.now.slice(0, 12)}`;
    const was = tip === null ? "it was not there" : `it was at ${tip.slice(0, 12)}`;
    return {
      done: false,
      why: `Nothing was pushed to ${name}, because somebody moved it meanwhile: ${was} when this run saw it last, and ${now}. ${saved.where}`,
      head: pushed.now,
      saved: saved.saved,
    };
  }
  const next = "next" in pushed && pushed.next !== "" ? ` ${pushed.next}` : "";
  const why = `Nothing was pushed to ${name}: ${pushed.why}.${next} ${saved.where}`;
  const isPassing = pushed.because === "unreachable" || MENDABLE.has(pushed.kind);
  if (!isPassing || saved.isLost) return { done: false, why, head: tip, saved: saved.saved };
  const later = isOver(view) ? ` ${LATER}` : "";
  const unpublished: Unpublished = { what: "branch", base: hand.head, tip, kept_on: saved.branch };
  return { done: false, why: `${why}${later}`, head: tip, saved: saved.saved, unpublished };
}

function isOver({ state }: RunView): boolean {
  return endingOf(state)?.outcome.resumableBy === "nobody";
}

const LATER = "The next run of this task brings it to its branch first, without a turn.";
