import { OperationalError, type Problem } from "../../core/errors.ts";
import { provedCriteria } from "../../core/story/judge.ts";
import { storiesBefore } from "../../core/story/ledger.ts";
import type { Story } from "../../core/story/story.ts";
import { checkLabel, type CheckResult, type Verdict } from "../../core/verdict.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { ClaimedWork } from "./candidates.ts";
import type { Closing, TakenStory } from "./closing.ts";
import type { Landed } from "./prd-branch.ts";
import { gateUnrunnable, type Prove, redWords } from "./prove.ts";
import { type NotLanded, putOnBranch } from "./put-on-branch.ts";
import { strengthOf } from "./strength.ts";

/**
 * Puts one candidate on the branch's tip, proves it there and pushes it.
 *
 * @throws OperationalError as `putOnBranch`, and `GATE_UNRUNNABLE`
 */
export async function landCandidate(
  closing: Closing,
  taken: TakenStory,
  one: ClaimedWork,
  prove: Prove,
): Promise<NotLanded | Landed> {
  const { teller, branch } = closing;
  const { story } = taken;
  const judge = async (commit: string, at: string) => {
    const unseen = await whyNotThere(closing, commit, at);
    if (unseen !== null) return { why: unseen };
    const verdict = await prove.all(story, passedBut(closing, story.id));
    const red = await redOf(closing, story, { verdict, at }, prove);
    if (red !== null) return red;
    const { weak, isRefused, changed } = await strengthOf(closing, verdict, { at, commit });
    if (isRefused) return { why: `Its checks are green, and prove little: ${weak}.` };
    if (weak !== null) teller.notice(`The checks of ${story.id} are green on ${branch}, and ${oneLine(weak)}.`);
    // What was red before the story its own job has asked; what is green now is known here.
    const before = story.checks.map(({ run }) => ({ run, green: false }));
    return { proved: Math.min(one.proved, provedCriteria(story, { before }, verdict, changed).proved) };
  };
  return putOnBranch(closing, taken, one, { trailers: [], judge });
}

/**
 * Checks a commit out. What cannot be, such as a name that this machine does not take, is the story's fault when the branch
 * can be without it.
 *
 * @returns why it cannot, in sentences
 * @throws OperationalError `NOT_CHECKED_OUT`
 */
async function whyNotThere({ ground }: Closing, commit: string, at: string): Promise<string | null> {
  try {
    await ground.standAt(commit);
    return null;
  } catch (error) {
    if (!(error instanceof OperationalError) || error.code !== "NOT_CHECKED_OUT") throw error;
    await ground.standAt(at);
    return error.message;
  }
}

/**
 * Why a verdict is held against the story; null: it is not. What cannot be run, or is red of a passed story's commands, is
 * asked on `at` as well, where the story began, only then: what is so without it is not its fault. What is checked out
 * afterwards is either commit.
 *
 * @throws OperationalError `GATE_UNRUNNABLE` when no story could be proved
 */
async function redOf(
  closing: Closing,
  story: Story,
  { verdict, at }: { readonly verdict: Verdict; readonly at: string },
  prove: Prove,
): Promise<Pick<NotLanded, "why"> | null> {
  const { ground, teller, branch, prd } = closing;
  const red = verdict.checks.filter(({ exitCode }) => exitCode !== 0);
  const isRed = (checks: readonly CheckResult[]) => ({
    why: `On ${branch}, its checks are red.\n${redWords({ checks })}`,
  });
  const unprovable = (problem: Problem) => gateUnrunnable(prd.name, { story: story.id, branch }, problem);
  if (verdict.result === "unrunnable") {
    await ground.standAt(at);
    const before = await prove.all(story, passedBut(closing, story.id));
    if (before.result === "unrunnable") throw unprovable(before.problem);
    return { why: `On ${branch}, a check cannot be run that can be without it.\n${redWords(verdict)}` };
  }
  const own = new Set(story.checks.map(({ run }) => run));
  const others = red.filter(({ role, command }) => role === "story" && !own.has(command));
  if (others.length < red.length) return isRed(red);
  if (others.length === 0) return null;
  await ground.standAt(at);
  const commands = others.map(({ story: id = "", command }) => ({ story: id, run: command, timeoutMs: null }));
  const before = await prove.only(story, commands);
  if (before.result === "unrunnable") throw unprovable(before.problem);
  const isRedBefore = new Set(before.checks.flatMap(({ command, exitCode }) => (exitCode === 0 ? [] : [command])));
  const [known, broken] = [true, false].map((is) => others.filter(({ command }) => isRedBefore.has(command) === is));
  for (const check of known ?? []) {
    teller.notice(
      `${oneLine(checkLabel(check))} is red on ${branch} without ${story.id} as well, and not held against it.`,
    );
  }
  return broken === undefined || broken.length === 0 ? null : isRed(broken);
}

/** Stories whose commands have to stay as green as they are. */
function passedBut({ prd, ledger }: Closing, id: string) {
  const before = storiesBefore(ledger.now, prd);
  return prd.stories.filter((story) => story.id !== id && before.get(story.id)?.state === "passed");
}
