import type { Problem } from "../../core/errors.ts";
import type { CheckResult } from "../../core/verdict.ts";
import type { Github } from "../../github/client.ts";
import type { CiFailure } from "./ci-failure.ts";
import { type CiRun, findCiRun } from "./ci-run.ts";
import type { PublicationFacts } from "../../views/github/facts.ts";
import type { RunView } from "../../views/run-view.ts";

/** What a run of CI that has ended says of the work. */
export type CiWord =
  | ({ readonly says: "passed" | "failed" } & Pick<CheckResult, "exitCode" | "timedOut">)
  /** `why`: as in "the run was cancelled" */
  | { readonly says: "nothing"; readonly why: string; readonly next: string };

const GREEN: CiWord = { says: "passed", exitCode: 0, timedOut: false };
const RED: CiWord = { says: "failed", exitCode: 1, timedOut: false };
const AGAIN = "Resume the loop: it starts another run of the same commit.";

/** By GitHub's conclusions. */
const WORDS: Readonly<Record<string, CiWord>> = {
  success: GREEN,
  neutral: GREEN,
  skipped: GREEN,
  failure: RED,
  startup_failure: RED,
  timed_out: { says: "failed", exitCode: null, timedOut: true },
  cancelled: { says: "nothing", why: "was cancelled", next: AGAIN },
  stale: { says: "nothing", why: "was given up by GitHub, because it had not ended in two weeks", next: AGAIN },
  action_required: {
    says: "nothing",
    why: "waits for somebody's approval",
    next: "Approve the run and let it end, then resume the loop.",
  },
};

/** What a run says that has ended. */
export function wordOf({ conclusion }: Pick<CiRun, "conclusion">): CiWord {
  const known = conclusion === null ? undefined : WORDS[conclusion];
  return known ?? { says: "nothing", why: `ended as ${conclusion ?? "nothing"}`, next: AGAIN };
}

/** How CI is called where commands are told. */
export function ciName(file: string): string {
  return `CI ${file}`;
}

/** Why CI says nothing about the work. @param why as in "the run was cancelled", without a full stop */
export function ciProblem(file: string, why: string, next: string): Problem {
  return { code: "CI_UNRUNNABLE", what: `CI (${file}) has no verdict: ${why}. It says nothing about the work.`, next };
}

/** The agent reads about so much of a check that failed (UTF-16 units). */
const LONGEST = 3_000;
const LONGEST_NAME = 200;

/**
 * What the agent and people read of CI that failed: what failed, then the end of its log. Nothing in it names the run, so
 * that the same failure is the same text (C6).
 */
export function ciTail({ conclusion }: Pick<CiRun, "conclusion">, { jobs, log }: CiFailure): string {
  const told = conclusion === "startup_failure" ? NOT_STARTED : NOT_TOLD;
  const head = jobs.length === 0 ? [told] : jobs.map((job) => `Failed: ${job.slice(0, LONGEST_NAME)}`);
  if (log === null) return head.join("\n");
  const title = `The end of the log of job "${log.job.slice(0, LONGEST_NAME)}":`;
  const left = LONGEST - [...head, title, ""].join("\n").length;
  return [...head, title, wholeLines(log.text, left)].join("\n");
}

const NOT_STARTED = "GitHub could not start it, as it does with a workflow's file that is not valid.";
const NOT_TOLD = "GitHub does not tell which of its jobs failed.";

/** The last lines of a text. */
function wholeLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.slice(text.length - limit);
  return end.slice(end.indexOf("\n") + 1);
}

/** What CI has said of the head, where the loop asks it: read anew, for whoever publishes may not be who has asked. */
export async function ciOfHead(
  access: Github,
  { state }: RunView,
  { head: sha, branch }: Pick<PublicationFacts, "head" | "branch">,
): Promise<PublicationFacts["ci"]> {
  const { ci_workflow: workflow } = state.checks;
  if (workflow === null) return null;
  if (sha === null) return { workflow, run: null };
  const found = await findCiRun(access, { workflow, branch, sha });
  if (!found.ok || found.value === null) return { workflow, run: null };
  const run = found.value;
  return { workflow, run: { url: run.url, said: run.ended ? wordOf(run).says : null } };
}
