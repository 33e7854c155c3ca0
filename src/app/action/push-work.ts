import type { Publishing } from "./publication-facts.ts";

const PUSH_MS = 60_000;

/** Whether the work is on its branch; `why` is one or more whole sentences. */
export type PushedWork = { readonly done: true } | { readonly done: false; readonly why: string };

/** Pushes the loop's commits to its branch, if that is where it was when the run began (C13, threats T6). */
export async function pushWork({ hand, job }: Publishing, commit: string | null): Promise<PushedWork> {
  if (hand === undefined || commit === null) return { done: false, why: "There is nothing that could be pushed." };
  const { name, tip, branch } = hand;
  if (commit === tip) return { done: true };
  const pushed = await branch.push(commit, tip, PUSH_MS);
  if (pushed.pushed) {
    job.log.line(`pushed to ${name}: ${commit}`);
    return { done: true };
  }
  const kept = `The work is kept in refs/smithers/${job.place.loopId}; the next run puts it on top of what is there then.`;
  if (pushed.because === "moved") {
    const now = pushed.now === null ? "it was deleted" : `it is at ${pushed.now.slice(0, 12)}`;
    const was = tip === null ? "it was not there" : `it was at ${tip.slice(0, 12)}`;
    return {
      done: false,
      why: `Nothing was pushed to ${name}, because somebody moved it meanwhile: ${was} when this run began, and ${now}. ${kept}`,
    };
  }
  const next = "next" in pushed && pushed.next !== "" ? ` ${pushed.next}` : "";
  return { done: false, why: `Nothing was pushed to ${name}: ${pushed.why}.${next} ${kept}` };
}
