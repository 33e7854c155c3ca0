import type { Clock } from "../../core/ports.ts";
import type { Github } from "../../github/client.ts";
import { done, failed, type Result } from "../../core/result.ts";
import type { Refused } from "../../github/refusal.ts";
import { type CiQuestion, type CiRun, findCiRun, readCiRun } from "./ci-run.ts";
import { dispatchWorkflow } from "../../github/dispatch.ts";

/** What came of asking CI. */
export type CiAnswer =
  | { readonly answer: "ended"; readonly run: CiRun }
  /** nobody waits any more; it goes on, if it has begun, and is found when it is asked for again */
  | { readonly answer: "cut_off" }
  /** `why`: part of a sentence, with the cure where there is one */
  | { readonly answer: "none"; readonly why: string };

/** How CI is asked. */
export interface CiAsking {
  /** its signal ends the waiting, too */
  readonly access: Github;
  readonly question: CiQuestion;
  readonly clock: Clock;
  /** whether the time is up */
  readonly isOver: () => boolean;
  /** hears of the run as soon as there is one; waited for */
  readonly begun: (run: CiRun) => Promise<void>;
}

/** Between two looks at a run: first and longest; milliseconds. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 30_000;
const SLOWER = 1.5;
/** A run that has been started is known everywhere within moments. */
const PATIENCE_FOR_A_NEW_RUN = 6;
/** So often in a row GitHub may not answer: ten minutes. */
const PATIENCE_WITH_GITHUB = 20;

/**
 * Has CI judge a commit that is the tip of its branch: waits for the run that is under way or has ended already, else
 * starts one, so that a commit is never judged twice. Never throws for what GitHub refuses.
 */
export async function awaitCi(asking: CiAsking): Promise<CiAnswer> {
  const first = await findOrStart(asking);
  if (first.answer !== "run") return first;
  await asking.begun(first.run);
  return untilEnded(asking, first.run);
}

type Begun = Exclude<CiAnswer, { answer: "ended" }> | { readonly answer: "run"; readonly run: CiRun };

async function findOrStart(asking: CiAsking): Promise<Begun> {
  const { access, question } = asking;
  const { workflow, branch } = question;
  const found = await findCiRun(access, question);
  if (asking.isOver()) return { answer: "cut_off" };
  if (!found.ok) {
    const { kind, because } = found.trouble;
    return none(kind === "absent" ? `GitHub knows no ${workflow} on the default branch` : because);
  }
  if (found.value !== null) return { answer: "run", run: found.value };
  const started = await dispatchWorkflow(access, { workflow, ref: branch, inputs: {} });
  if (asking.isOver()) return { answer: "cut_off" };
  // What was not answered may have been started all the same.
  if (!started.ok && started.trouble.kind !== "unreachable") return none(started.trouble.because);
  const runId = started.ok ? started.value.runId : null;
  const run = await repeated(asking, PATIENCE_FOR_A_NEW_RUN, async () =>
    runId === null ? findCiRun(access, question) : readCiRun(access, runId, null),
  );
  if (run === "cut_off") return { answer: "cut_off" };
  if (!run.ok) return none((started.ok ? run : started).trouble.because);
  const { value } = run;
  if (value.sha === question.sha) return { answer: "run", run: value };
  return none(`it ran on ${value.sha.slice(0, 12)}, for somebody moved ${branch} at that moment`);
}

async function untilEnded(asking: CiAsking, first: CiRun): Promise<CiAnswer> {
  const { access } = asking;
  let run = first;
  for (let pause = FIRST_PAUSE; !run.ended; pause = Math.min(pause * SLOWER, LONGEST_PAUSE)) {
    await rest(asking, pause);
    const known = run;
    const next = await repeated(asking, PATIENCE_WITH_GITHUB, async () => readCiRun(access, known.id, known));
    if (next === "cut_off") return { answer: "cut_off" };
    if (!next.ok) return none(next.trouble.because);
    run = next.value;
  }
  return { answer: "ended", run };
}

/** Asks until there is a run. What GitHub refuses is asked for a little longer: it may not know of the run yet. */
async function repeated(
  asking: CiAsking,
  times: number,
  ask: () => Promise<Result<CiRun | null, Refused>>,
): Promise<Result<CiRun> | "cut_off"> {
  let because = "GitHub has started it and shows no run of it";
  for (let tries = 0; tries < times; tries += 1) {
    if (asking.isOver()) return "cut_off";
    const asked = await ask();
    if (asking.isOver()) return "cut_off";
    if (asked.ok && asked.value !== null) return done(asked.value);
    if (!asked.ok) {
      ({ because } = asked.trouble);
      if (asked.trouble.kind !== "unreachable" && tries >= PATIENCE_FOR_A_NEW_RUN) break;
    }
    await rest(asking, Math.min(FIRST_PAUSE * SLOWER ** tries, LONGEST_PAUSE));
  }
  return failed({ because });
}

async function rest({ access, clock }: CiAsking, ms: number): Promise<void> {
  await clock.sleepUntil(clock.now() + ms, access.signal);
}

function none(why: string): { readonly answer: "none"; readonly why: string } {
  return { answer: "none", why };
}
