import type { Problem } from "../../core/errors.ts";
import type { LoopState } from "../../core/state.ts";
import { counted } from "../amounts.ts";
import { nextStep, type RunView, shownStatus } from "../run-view.ts";
import { fileBlocks, outputBlocks, suspectBlocks } from "./evidence.ts";
import { failedRunBlocks, flakeBlocks } from "./failed-run.ts";
import type { PagePlace, PublicationFacts } from "./facts.ts";
import { totalBlocks, circuitBlocks, iterationBlocks } from "./iterations.ts";
import { pageBlocks, workBlocks } from "./links.ts";
import { assembled, type Block, bullets, code, fence, heading, link, listed, paragraph, table } from "./markdown.ts";
import { storyBlocks } from "./stories.ts";
import { dangerBlocks, outcomeDetails, outcomeSentence } from "./outcome.ts";

/** GitHub drops a summary of more than 1 MiB, without failing the step. UTF-8 bytes. */
const LIMIT_BYTES = 900_000;

/**
 * The summary of a job as Markdown: how the loop ended, what to do next, and what led there. Pure. What others wrote is
 * in it only as text or code: it mentions nobody, closes nothing and is not HTML.
 *
 * @param limit UTF-8 bytes; a part that does not fit is left out, and a line at the end says so
 */
export function jobSummary(view: RunView, facts: JobFacts, limit = LIMIT_BYTES): string {
  return assembled(
    [
      ["outcome", [heading(2, `${shownStatus(view)}: ${outcomeSentence(view)}`), ...outcomeDetails(view)]],
      ["stories", storyBlocks(view)],
      ["the failed run", failedRunBlocks(view)],
      ["flaky checks", flakeBlocks(view)],
      ["changed tests and CI files", suspectBlocks(view, facts.published ?? { changedTests: [], changedCi: [] })],
      ["what to do next", [paragraph`**Next:** ${nextStep(view)}`]],
      ["the report", pageBlocks(facts.page)],
      ["where the work is", facts.published === undefined ? [] : workBlocks(view, facts.published)],
      ["dangerous settings", dangerBlocks(view)],
      ["notices", noticeBlocks(facts)],
      ["what was used", totalBlocks(view)],
      ["progress and circuit breaker", circuitBlocks(view.state)],
      ["iterations", iterationBlocks(view.state)],
      ["output of the failing check", outputBlocks(view)],
      ["changed files", fileBlocks(view)],
      ["where it is kept", placeBlocks(view, facts)],
    ],
    limit,
  );
}

/** Where a loop's files should go, and whether they did. */
export interface CarrierFate {
  /** `git ref`, `artifact`, `cache` */
  readonly name: string;
  readonly saved: boolean;
  /** where it is, or why it is not there */
  readonly detail: string;
}

/** What only the Action knows of a run. */
export interface JobFacts {
  readonly runUrl: string | null;
  readonly artifactUrl: string | null;
  /** null: there is no page about the loop */
  readonly page: PagePlace | null;
  /** what went otherwise than wanted without ending the loop */
  readonly notices: readonly string[];
  readonly carriers: readonly CarrierFate[];
  /** the facts after publishing; absent when nothing had to be published */
  readonly published?: PublicationFacts;
}

function noticeBlocks({ notices }: JobFacts): Block[] {
  return notices.length === 0 ? [] : [heading(3, "Notices"), listed(notices, 50, "see the log of the job")];
}

/** Where the loop is kept for the next machine, and where people find more. */
function placeBlocks({ state }: RunView, { carriers, runUrl, artifactUrl }: JobFacts): Block[] {
  const links = [
    ...(runUrl === null ? [] : [link("This run", runUrl)]),
    ...(artifactUrl === null ? [] : [link("Artifact: events, messages and summary.json", artifactUrl)]),
  ];
  const rows = carriers.map(({ name, saved, detail }) => [name, saved ? "yes" : "no", detail]);
  return [
    ...(rows.length === 0
      ? []
      : [heading(3, "Kept for the next run"), table([null, null, null], ["Where", "Saved", "Detail"], rows)]),
    paragraph`Loop ${code(state.loop_id)} generation ${state.generation}, revision ${state.revision}.`,
    ...(links.length === 0 ? [] : [bullets(links)]),
  ];
}

/** What is known when an error has ended a step of a job. */
export interface ErrorFacts {
  readonly problems: readonly Problem[];
  /** as it is stored on this machine; undefined: no loop was begun or restored here */
  readonly state: Pick<LoopState, "loop_id" | "iteration" | "status"> | undefined;
  /** words advice for the place where it is read, see `RunView` */
  readonly word: (advice: string) => string;
}

const ERROR_BYTES = 100_000;
const PROBLEMS = 50;

/** The summary of a step that an error has ended: what happened, what is unharmed, what to do next. Pure. */
export function errorSummary(facts: ErrorFacts): string {
  return assembled(
    [
      ["what happened", [heading(2, "error: This run could not do its work.")]],
      ["what is unharmed", [paragraph`${unharmed(facts.state)}`]],
      ["what to do next", problemBlocks(facts)],
    ],
    ERROR_BYTES,
  );
}

function unharmed(state: ErrorFacts["state"]): string {
  if (state === undefined) return "It has begun no loop and spent nothing; what earlier runs have kept is as it was.";
  const { loop_id: id, iteration, status } = state;
  return `Loop ${id} is unharmed: it is kept as of its last finished step, ${status} after ${counted(iteration, "iteration")}.`;
}

function problemBlocks({ problems, word }: ErrorFacts): Block[] {
  const shown = problems.slice(0, PROBLEMS).flatMap(({ code: id, what, next }) => {
    const [first = "", ...more] = word(what).split("\n");
    return [
      paragraph`${code(id)} ${first}`,
      ...(more.length === 0 ? [] : [fence("text", more.join("\n"))]),
      paragraph`**Next:** ${word(next)}`,
    ];
  });
  const rest = problems.length - PROBLEMS;
  return rest > 0 ? [...shown, paragraph`${rest} more: see the log of the run.`] : shown;
}
