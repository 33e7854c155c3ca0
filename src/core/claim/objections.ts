import { type Contradiction, contradictionWords } from "./contradictions/contradiction.ts";
import type { LoopState } from "../state.ts";
import { recordOf } from "../story/stories.ts";
import { hasChecks, type Task } from "../task.ts";
import { seenOnOneLine } from "../text.ts";

/** What a claim rests on, as the ending will be called. */
export type ClaimKind = "promise" | "done_token" | "dual_gate" | "exit_signal" | "plan_complete";

/** Why a claim that is made is not taken as one, so that nothing is asked to prove it. */
export type Objection =
  /** the promise stands among other words, and every check was green before the first turn (C35) */
  | { readonly kind: "mention" }
  /** nothing but the promise, of a loop in which nothing changed and that has no check (C38) */
  | { readonly kind: "bare" }
  /** it admits that something is left; `isFinal`: it was told so before, and it is a stub or does not work (C36) */
  | { readonly kind: "leftover"; readonly said: string; readonly isBroken: boolean; readonly isFinal: boolean }
  /** the plan, the tree or its own numbers contradict it (C46 to C49) */
  | { readonly kind: "contradiction"; readonly found: readonly Contradiction[] };

type Objector = (task: Task, state: LoopState, kind: ClaimKind) => Objection | undefined;

/** A claim with leftovers is refused this often; the next one is taken, or ends the loop (P14). */
const REFUSALS = 1;

/** C35: a check that was green before the agent came cannot vouch for a mention. A guard that a person set wins. */
const mention: Objector = (task, state, kind) => {
  const isPromise = kind === "promise" || kind === "done_token";
  const isMention = isPromise && state.last_turn?.claim.mention === true;
  const { promise, checks } = task.identity;
  // Nobody gets `off` without having asked for it.
  const isGuardSet = promise.isGuardSet === true || promise.guard === "off";
  return isMention && !isGuardSet && hasChecks(checks) && !canVouch(task, state) ? { kind: "mention" } : undefined;
};

/** C38: nothing changed, nothing said, nothing that could show it. What is not measured may have changed. */
const bare: Objector = (task, { last_turn: turn, iterations }, kind) => {
  const isBare = (kind === "promise" || kind === "done_token") && turn?.claim.bare === true;
  if (!isBare || hasChecks(task.identity.checks)) return undefined;
  const changes = [turn.change?.files, ...iterations.map(({ files_changed: files }) => files)];
  return changes.every((files) => files === 0) ? { kind: "bare" } : undefined;
};

/** C36: once; then a person is shown the sentence, unless it is a stub or something that does not work. */
const leftover: Objector = (task, state) => {
  const { unfinished: said, broken: isBroken = false } = state.last_turn?.claim ?? { unfinished: null };
  if (said === null || canVouch(task, state)) return undefined;
  const isAgain = state.admissions > REFUSALS;
  return isAgain && !isBroken ? undefined : { kind: "leftover", said, isBroken, isFinal: isAgain };
};

/** A claim is refused this often for the very same, where checks that were red are green; the next is taken (C46). */
const CONTRADICTIONS = 2;

/** C46 to C49: as long as it is so, unless checks that were red before the first turn say that the work is done. */
const contradicts: Objector = (task, state) => {
  const found = state.last_turn?.contradictions ?? [];
  const isProvable = state.strength.began === "failed" && canVouch(task, state);
  const isTaken = isProvable && state.contradicted.times > CONTRADICTIONS;
  return found.length === 0 || isTaken ? undefined : { kind: "contradiction", found };
};

/**
 * What may speak against a claim, each from what the loop knows without asking anybody; the first one is told. A new one
 * is a rule here, a member of `Objection`, and its words below.
 */
const OBJECTORS: readonly Objector[] = [mention, bare, contradicts, leftover];

export function objectionTo(task: Task, state: LoopState, kind: ClaimKind): Objection | null {
  for (const objector of OBJECTORS) {
    const objection = objector(task, state, kind);
    if (objection !== undefined) return objection;
  }
  return null;
}

/**
 * Whether the checks can vouch for the work: not if all of them were green before the first turn, of the loop or of its
 * story. What is not known does not weaken them; CI is never asked before a turn.
 */
export function canVouch({ identity: { checks } }: Pick<Task, "identity">, { strength, stories }: LoopState): boolean {
  if (!hasChecks(checks)) return false;
  if (checks.ci !== null || strength.began !== "passed") return true;
  const active = stories === null || stories.active === null ? undefined : recordOf(stories, stories.active);
  return active?.before?.some(({ green }) => !green) ?? false;
}

const SAID_LENGTH = 500;

/** What the agent hears of it. The sentence is its own, on one line. */
export function objectionWords(objection: Objection): string {
  switch (objection.kind) {
    case "mention":
      return "Your promise stood among other words, so it did not count: every check was green before you began, so they cannot show that you did the work. When everything is done, end your message with the promise alone on the last line.";
    case "bare":
      return "Your message held the promise and nothing else, nothing has changed since the loop began, and there is no check. So it did not count. If there is nothing to do, say why before the promise; if there is, do it.";
    case "contradiction":
      return `You claimed that the work is done, and this contradicts it, so the claim does not count:\n${objection.found.map((one) => `- ${contradictionWords(one)}`).join("\n")}\nDo what is missing, tick off what is done, put back what has left the list, then claim it again, in words that hold.`;
    case "leftover": {
      const said = `You claimed that the work is done, and admitted that something is left: "${seenOnOneLine(objection.said, SAID_LENGTH)}". So the claim does not count.`;
      return objection.isBroken
        ? `${said} Finish it, then claim it without that. A second claim like this stops the loop, and a person is asked.`
        : `${said} Finish it, then claim it without that. If it has to stay like this, claim again and say why: a person will read that sentence first.`;
    }
  }
}
