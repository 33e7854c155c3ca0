import type { Github } from "../github/client.ts";
import type { AskedPullRequest } from "../github/pulls.ts";
import type { Intent } from "./intent.ts";
import { tipOf } from "../github/refs.ts";
import { unchangedSince } from "./push-time.ts";

/** The commit that a request holds for. */
export type Pinned =
  | { readonly kind: "pinned"; readonly head: string }
  /** somebody pushed since; `reason` is a sentence */
  | { readonly kind: "moved"; readonly reason: string }
  /** GitHub does not say whether somebody did; `why` is part of a sentence */
  | { readonly kind: "unknown"; readonly why: string };

/**
 * Holds a request to the commit that was seen when it was made (T6): a label and a check name it, a comment was written
 * when it was there.
 */
export async function pinHead(access: Github, intent: Intent, pull: AskedPullRequest | null): Promise<Pinned> {
  const { headSha, headBranch, at } = intent;
  if (headSha !== null) {
    const tip = pull === null ? await tipOf(access, `heads/${headBranch ?? ""}`) : answered(pull.headSha);
    if (!tip.answered && tip.absent) return moved("The branch that it was about is gone.");
    if (!tip.answered) return { kind: "unknown", why: `where the branch is now cannot be told: ${tip.why}` };
    if (tip.value === headSha) return { kind: "pinned", head: headSha };
    return moved(`That was about commit ${headSha}, and now there is ${tip.value}.`);
  }
  if (pull === null || at === null) return moved("What it was about is not known.");
  const sight = await unchangedSince(access, { branch: pull.headBranch, head: pull.headSha, at });
  if (sight.seen) return { kind: "pinned", head: pull.headSha };
  return sight.told ? moved(`${sight.why}.`) : { kind: "unknown", why: sight.why };
}

function answered<T>(value: T): { readonly answered: true; readonly value: T } {
  return { answered: true, value };
}

function moved(reason: string): Pinned {
  return { kind: "moved", reason };
}
