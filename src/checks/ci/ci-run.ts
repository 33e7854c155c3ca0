import type { Clock } from "../../core/ports.ts";
import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import type { Github } from "../../github/client.ts";
import { dispatchWorkflow } from "../../github/dispatch.ts";
import { ask, type Refused, statusOf } from "../../github/refusal.ts";
import { tipOf } from "../../github/refs.ts";

/** Which runs prove a commit. */
export interface CiQuestion {
  /** the workflow's file, as in `ci.yml` */
  readonly workflow: string;
  /** the branch that it runs on, without `refs/heads/` */
  readonly branch: string;
  /** the commit */
  readonly sha: string;
}

/** A run of the workflow that proves the work. */
export interface CiRun {
  readonly id: number;
  readonly url: string;
  readonly sha: string;
  readonly ended: boolean;
  /** null: it has not ended */
  readonly conclusion: string | null;
  /** asked with it, GitHub only answers when the run has changed, and does not count the question */
  readonly tag: string | null;
}

/** Endings that say nothing about the work: such a run does not count. */
const INCONCLUSIVE: ReadonlySet<string> = new Set(["cancelled", "stale", "action_required", "skipped"]);

/** Whether a run has ended without a word about the work. */
export function isInconclusive({ conclusion }: Pick<CiRun, "conclusion">): boolean {
  return conclusion !== null && INCONCLUSIVE.has(conclusion);
}

/** The newest dispatched run that proves the commit, or is going to (`actions: read`); null: not found. Never throws. */
export async function findCiRun(
  github: Github,
  { workflow, branch, sha }: CiQuestion,
): Promise<Result<CiRun | null, Refused>> {
  return ask("actions: read", async () => {
    const { data } = await github.rest.actions.listWorkflowRuns({
      workflow_id: workflow,
      event: "workflow_dispatch",
      branch,
      head_sha: sha,
      per_page: 10,
    });
    const runs = data.workflow_runs.map((run) => runOf(run, null));
    return runs.find((run) => run.sha === sha && !isInconclusive(run)) ?? null;
  });
}

/** Reads a run (`actions: read`). Never throws. @param known as it was read last; null: never */
export async function readCiRun(github: Github, id: number, known: CiRun | null): Promise<Result<CiRun, Refused>> {
  const tag = known?.tag ?? null;
  return ask("actions: read", async () => {
    try {
      const { data, headers } = await github.rest.actions.getWorkflowRun({
        run_id: id,
        ...(tag === null ? {} : { headers: { "if-none-match": tag } }),
      });
      return runOf(data, headers.etag ?? null);
    } catch (error) {
      if (known === null || statusOf(error) !== 304) throw error;
      return known;
    }
  });
}

/** The part of GitHub's answers that is the same in all of them. */
interface Answer extends Pick<CiRun, "id" | "conclusion"> {
  readonly html_url: string;
  readonly head_sha: string;
  readonly status: string | null;
}

function runOf({ id, html_url: url, head_sha: sha, status, conclusion }: Answer, tag: string | null): CiRun {
  return { id, url, sha, ended: status === "completed", conclusion, tag };
}

/** Why CI has no verdict; `cut_off`: the caller gave up. A run that has begun goes on and is found later. */
interface NoVerdict extends Trouble {
  readonly kind: "cut_off" | "refused";
}

/** How CI is asked. */
interface CiAsking {
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
/** For some seconds after a push, GitHub may start a run of what the branch was before it. */
const MOST_STARTS = 3;
/** A run that has been started is known everywhere within moments. */
const PATIENCE_FOR_A_NEW_RUN = 6;
/** How often in a row GitHub may not answer: ten minutes. */
const PATIENCE_WITH_GITHUB = 20;

const CUT_OFF = failed({ kind: "cut_off" as const, because: "the time is up" });

/**
 * Has CI judge a commit that is the tip of its branch: waits for a run that is under way or over, else starts one, so
 * that a commit is never judged twice. Does not throw for what GitHub refuses.
 *
 * @returns the run, which has ended
 */
export async function awaitCi(asking: CiAsking): Promise<Result<CiRun, NoVerdict>> {
  const { access, clock, begun } = asking;
  let run = await findOrStart(asking);
  if (run.ok) await begun(run.value);
  for (let pause = FIRST_PAUSE; run.ok && !run.value.ended; pause = Math.min(pause * SLOWER, LONGEST_PAUSE)) {
    await clock.sleepUntil(clock.now() + pause, access.signal);
    const known: CiRun = run.value;
    run = await repeated(asking, PATIENCE_WITH_GITHUB, async () => readCiRun(access, known.id, known));
  }
  return run;
}

async function findOrStart(asking: CiAsking): Promise<Result<CiRun, NoVerdict>> {
  const { access, question, clock } = asking;
  const { workflow, branch, sha } = question;
  const found = await findCiRun(access, question);
  if (asking.isOver()) return CUT_OFF;
  if (!found.ok) {
    const { kind, because } = found.trouble;
    return refused(kind === "absent" ? `GitHub knows no ${workflow} on the default branch` : because);
  }
  if (found.value !== null) return done(found.value);
  for (let left = MOST_STARTS; ; left -= 1) {
    const started = await start(asking);
    if (!started.ok) return started;
    const run = started.value;
    if (run !== null && run.sha === sha) return done(run);
    const tip = await tipOf(access, `refs/heads/${branch}`);
    const isBehind = tip.ok && tip.value === sha;
    if (left === 1 || !isBehind) return refused(whyNotIt(run, branch, isBehind));
    await clock.sleepUntil(clock.now() + FIRST_PAUSE, access.signal);
    if (asking.isOver()) return CUT_OFF;
  }
}

/** Starts a run of what GitHub takes for the branch's tip. @returns null: it does not know the branch yet */
async function start(asking: CiAsking): Promise<Result<CiRun | null, NoVerdict>> {
  const { access, question } = asking;
  const started = await dispatchWorkflow(access, { workflow: question.workflow, ref: question.branch, inputs: {} });
  if (asking.isOver()) return CUT_OFF;
  if (!started.ok && started.trouble.kind === "unknown_ref") return done(null);
  // Without an answer it may have been started all the same.
  if (!started.ok && started.trouble.kind !== "unreachable") return refused(started.trouble.because);
  const runId = started.ok ? started.value.runId : null;
  const run = await repeated(asking, PATIENCE_FOR_A_NEW_RUN, async () =>
    runId === null ? findCiRun(access, question) : readCiRun(access, runId, null),
  );
  return run.ok || started.ok || run.trouble.kind === "cut_off" ? run : refused(started.trouble.because);
}

function whyNotIt(run: CiRun | null, branch: string, isBehind: boolean): string {
  if (run === null) return `there is no branch ${branch}`;
  const ran = `it ran on ${run.sha.slice(0, 12)}`;
  if (!isBehind) return `${ran}, for somebody moved ${branch} at that moment`;
  return `${ran}, as often as it was started: GitHub has not noticed yet that ${branch} has moved`;
}

/** Asks until there is a run. What GitHub refuses is asked for a little longer: it may not know of the run yet. */
async function repeated(
  { access, clock, isOver }: CiAsking,
  times: number,
  look: () => Promise<Result<CiRun | null, Refused>>,
): Promise<Result<CiRun, NoVerdict>> {
  let because = "GitHub has started it and shows no run of it";
  for (let tries = 0; tries < times; tries += 1) {
    if (isOver()) return CUT_OFF;
    const asked = await look();
    if (isOver()) return CUT_OFF;
    if (asked.ok && asked.value !== null) return done(asked.value);
    if (!asked.ok) {
      ({ because } = asked.trouble);
      if (asked.trouble.kind !== "unreachable" && tries >= PATIENCE_FOR_A_NEW_RUN) break;
    }
    await clock.sleepUntil(clock.now() + Math.min(FIRST_PAUSE * SLOWER ** tries, LONGEST_PAUSE), access.signal);
  }
  return refused(because);
}

function refused(because: string): Result<never, NoVerdict> {
  return failed({ kind: "refused", because });
}
