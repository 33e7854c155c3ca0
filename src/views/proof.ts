import { checkLabel, type CheckResult, secondTry, type SomePaths, type Verdict } from "../core/verdict.ts";
import { contradictionWords } from "../core/claim/contradictions/contradiction.ts";
import { admittedIn } from "../core/claim/effective-claim.ts";
import { failedTests } from "../core/progress/failures.ts";
import { isOnlyFlagged, isTakenByPerson, weaknessWords } from "../core/progress/strength.ts";
import type { LoopState } from "../core/state.ts";
import { oneLine } from "./plain-text.ts";

/** What of the work is proved by something other than the agent. */
export interface Proof {
  /** `accepted`: green but weak, and a person took it; `unchecked`: no check is configured, so nothing can be proved */
  readonly result: "verified" | "accepted" | "not_verified" | "unchecked";
  /** one sentence for a person */
  readonly sentence: string;
  /** the last red check */
  readonly failing: CheckResult | null;
}

/** The verdict that counts; null when the checks have not run on the last state of the work. */
export function lastVerdict({ stop_reason: ending, first_check: first, verdict }: LoopState): Verdict | null {
  if (ending?.kind === "already_green") return first;
  // A plan that was ticked off before the turn was proved by the checks that ran before the turn.
  return ending?.kind === "plan_complete" && ending.verified && verdict?.result !== "passed" ? first : verdict;
}

/** What the checks said last. @param tells whether the sentence names the tests that failed */
export function proofOf(state: LoopState, tells: "tests" | "no tests" = "tests"): Proof {
  if (!isChecked(state)) {
    const sentence = "NOTHING was verified: no check is configured (--success-cmd, --quality-commands).";
    return { result: "unchecked", sentence, failing: null };
  }
  const verdict = lastVerdict(state);
  const failing = verdict?.checks.findLast((check) => check.exitCode !== 0 || check.timedOut) ?? null;
  const not = (why: string): Proof => ({ result: "not_verified", sentence: `Not verified: ${why}`, failing });
  switch (verdict?.result) {
    case undefined:
      return not("the checks have not run on the last state of the work.");
    case "passed":
      if (state.stop_reason?.kind === "not_reproduced")
        return not(`${green(verdict)} passed, with nothing changed since the run failed on GitHub.`);
      if (verdict.occasion !== undefined)
        return not(`${green(verdict)} passed between claims, and the agent has not said that the work is done.`);
      return greenProof(state, green(verdict)) ?? not(`${green(verdict)} passed, and that proves little.`);
    case "failed":
      return not(
        failing === null
          ? "a check failed."
          : `${shown(failing)} failed (${failure(failing)})${tells === "tests" ? named(failing) : ""}.`,
      );
    case "cut_off":
      return not("the checks were cut off before they had ended.");
    case "unrunnable":
      return not(`a check could not be started: ${oneLine(verdict.problem.what)}`);
  }
}

/** What checks that passed prove; undefined: they are weak, and nothing has taken them all the same (C21, C43). */
function greenProof(state: LoopState, passed: string): Proof | undefined {
  const strong = isOnlyFlagged(state.strength.weaknesses);
  if (!strong && isTakenByPerson(state)) {
    const sentence = `Accepted, not proved: ${passed} passed; the proof is weak.`;
    return { result: "accepted", sentence, failing: null };
  }
  if (!strong && state.status !== "completed") return undefined;
  const unasked = unaskedJob(state);
  const times = lastVerdict(state)?.repeated;
  const again =
    times === undefined
      ? ""
      : ` The commands were asked again ${times === 1 ? "once" : `${times} times`} on the same files, and were green.`;
  const sentence = `Verified: ${passed} passed.${again}${unasked === undefined ? "" : ` ${unasked}`}`;
  return { result: "verified", sentence, failing: null };
}

/**
 * That GitHub does not judge the job that failed, where a failed run is repaired (C116): what proves the work is another thing
 * then, as a sentence; undefined: that very job is asked, or nothing is repaired.
 */
export function unaskedJob({ repair, checks }: LoopState): string | undefined {
  if (repair === null || checks.ci_workflow === repair.run.file) return undefined;
  const name = repair.jobs[0]?.name ?? "";
  const job = name === "" ? "The failed job" : `The failed job ${JSON.stringify(oneLine(name))}`;
  const isItsCommand =
    checks.success_cmd === null && checks.success_sh !== null && checks.success_sh === repair.command;
  const how = isItsCommand
    ? "its command proves the work here, as the base has it"
    : "what the loop's workflow names proves the work";
  const { unasked } = repair;
  const names = unasked.map((one) => JSON.stringify(oneLine(one))).join(", ");
  const others = unasked.length === 0 ? "" : ` Nothing has asked what failed as well: ${names}.`;
  return `${job} itself is not asked on GitHub: ${how}.${others}`;
}

function green({ checks }: Verdict): string {
  return checks
    .map((check) => {
      const again = secondTry(check);
      return again === undefined ? shown(check) : `${shown(check)} (${again})`;
    })
    .join(", ");
}

function isChecked({ checks }: LoopState): boolean {
  const { success_cmd: command, success_sh: shell, quality_commands: quality, ci_workflow: ci } = checks;
  return command !== null || shell !== null || quality.length > 0 || ci !== null;
}

function shown(check: CheckResult): string {
  return `\`${oneLine(checkLabel(check))}\``;
}

/** Which tests failed, by name. */
function named(check: CheckResult): string {
  const tests = oneLine(failedTests(check));
  return tests === "" ? "" : `: ${tests}`;
}

function failure(check: CheckResult): string {
  if (check.timedOut) return "timed out";
  return check.exitCode === null ? "killed" : `exit ${check.exitCode}`;
}

/** What weakens a proof that is green (C21), as a sentence; undefined: nothing that anybody knows. */
export function weakness(state: LoopState): string | undefined {
  const words = weaknessWords(state.strength.weaknesses);
  if (words.length === 0 || lastVerdict(state)?.result !== "passed") return undefined;
  return `The proof is weak: ${oneLine(words.join("; "))}.`;
}

/** Who has accepted a weak proof, and when (C43), as a sentence; undefined: nobody has, or other files are there now. */
export function acceptance(state: LoopState): string | undefined {
  const { accepted } = state.strength;
  if (accepted === null || !isTakenByPerson(state)) return undefined;
  return `${oneLine(accepted.by)} has accepted the weak proof, on ${accepted.at}.`;
}

/** What judges the work and could not be compared with the beginning (C40), as a sentence; undefined: nothing. */
export function unread(state: LoopState): string | undefined {
  const { unread: found } = state.strength;
  if (lastVerdict(state)?.result !== "passed" || found?.count === 0) return undefined;
  if (found === null)
    return "Whether the agent has bent what judges the work is not known: what was there when the loop began is lost.";
  return `Whether the agent has bent these is not known, because they are not text, too large or too many: ${oneLine(listing(found))}.`;
}

/** How check scripts and tests have changed since the loop began (C21), as a sentence; undefined: not known. */
export function tampering({ strength: { tampering: found } }: LoopState): string | undefined {
  if (found === null) return undefined;
  const since = found.since === 0 ? "the loop began" : `iteration ${found.since}`;
  const parts = [
    ...(found.scripts.count === 0 ? [] : [`check scripts: ${listing(found.scripts)}`]),
    ...(found.changed.count === 0 ? [] : [`tests: ${listing(found.changed)}`]),
  ];
  return `Changed since ${since}, of what the work is judged by: ${oneLine(parts.join("; "))}.`;
}

/** The sentence in which a completed loop's agent admits that something is left (C36), quoted; undefined: none. */
export function unfinishedWords({ status, last_turn: turn, plan }: LoopState): string | undefined {
  const said = turn === null ? null : admittedIn(turn.claim, plan);
  if (status !== "completed" || said === null) return undefined;
  return `As it claimed to be done, the agent named unfinished work: "${oneLine(said)}"`;
}

/** What contradicts the claim of a completed loop (C46 to C49), as a sentence; undefined: nothing. */
export function contradictedWords({ status, last_turn: turn }: LoopState): string | undefined {
  const found = turn?.contradictions ?? [];
  if (status !== "completed" || found.length === 0) return undefined;
  return `The agent's claim to be done is contradicted: ${oneLine(found.map(contradictionWords).join("; "))}.`;
}

/** What suggests that a completed loop has not done all of its plan (R-27), as a sentence; undefined: nothing. */
export function planDoubt({ status, plan }: LoopState): string | undefined {
  if (status !== "completed" || plan === null) return undefined;
  const { items, ticked, most_items: most } = plan;
  if (ticked < items) return `The plan has open items: ${items - ticked} of ${items} are not ticked.`;
  if (items >= most) return undefined;
  return `The plan holds fewer items than it did, ${items} of ${most}: look for what was taken out.`;
}

function listing({ count, paths }: SomePaths): string {
  const rest = count - paths.length;
  return paths.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
