import { counted, grouped } from "../amounts.ts";
import { cut } from "../plain-text.ts";
import { assembled, type Block, code, COMMENT_BYTES, heading, marked, paragraph, table, verbatim } from "./markdown.ts";

const SUMMARY_BYTES = 900_000;
const REASON = 400;

/** Loops that are going to try one whole task side by side. */
export interface CandidatesTold {
  readonly loops: readonly string[];
  /** that the chosen one's pull request is for */
  readonly branch: string;
  /** that they begin from */
  readonly commit: string;
  /** what one of them may use; null: there is no limit */
  readonly maxTokens: number | null;
}

/** What they may cost, before they do; whole sentences. */
export function priceOf({ loops, maxTokens }: CandidatesTold): string {
  const what = `${counted(loops.length, "agent")} try the task side by side, and the best one is chosen.`;
  if (maxTokens === null) return `${what} What that may cost is not known: max-tokens is off.`;
  return `${what} That may take up to ${grouped(loops.length * maxTokens)} tokens (max-tokens is ${grouped(maxTokens)} each).`;
}

/** The plan of job plan, as Markdown. */
export function candidatesSummary(told: CandidatesTold): string {
  const { loops, branch, commit } = told;
  const place = paragraph`They begin from ${code(commit.slice(0, 12))}; the pull request of the best one, into ${code(branch)}, is made ready.`;
  const rows = loops.map((loop, at) => [at + 1, code(loop)]);
  return assembled(
    [
      ["the candidates", [heading(2, "One task, several agents"), paragraph`${priceOf(told)}`, place]],
      ["their loops", [table(["right", null], ["Candidate", "Loop"], rows)]],
    ],
    SUMMARY_BYTES,
  );
}

/** What has become of one candidate. */
export interface CandidateFate {
  /** from 1 */
  readonly number: number;
  readonly loop: string;
  readonly branch: string;
  readonly isChosen: boolean;
  /** sentences; may hold words of others */
  readonly why: string;
  /** changed lines that count; null: they were not counted */
  readonly lines: number | null;
  readonly tokens: number | null;
}

/** How the choice has ended. */
export interface ChoiceReport {
  readonly fates: readonly CandidateFate[];
  /** what is next, in sentences */
  readonly next: string;
}

/** The choice as the summary of job land. */
export function choiceSummary(report: ChoiceReport): string {
  return assembled(partsOf(report), SUMMARY_BYTES);
}

/** The same as the text of a pull request that the chosen loop has not got. @param marker its first line */
export function choicePullRequest(report: ChoiceReport, marker: string): string {
  return marked(marker, partsOf(report));
}

/** What is said on the pull request of the one that was chosen. */
export function chosenComment(report: ChoiceReport): string {
  return assembled(partsOf(report), COMMENT_BYTES);
}

/** What is said on that of another one. */
export function notChosenComment({ number, why }: CandidateFate, next: string): string {
  return assembled(
    [
      ["the outcome", [paragraph`Candidate ${number} was not chosen. ${next}`]],
      ["why", [verbatim(why, 4_000)]],
    ],
    COMMENT_BYTES,
  );
}

function partsOf({ fates, next }: ChoiceReport): readonly (readonly [string, readonly Block[]])[] {
  const chosen = fates.find(({ isChosen }) => isChosen);
  const title =
    chosen === undefined ? "No candidate was chosen" : `Candidate ${chosen.number} of ${fates.length} was chosen`;
  const rows = fates.map(({ number, branch, why, lines, tokens }) => [
    number,
    code(branch),
    lines === null ? "" : grouped(lines),
    tokens === null ? "" : grouped(tokens),
    cut(why, REASON),
  ]);
  const heads = ["Candidate", "Branch", "Changed lines", "Tokens", "What became of it"];
  return [
    ["the choice", [heading(2, title), paragraph`${next}`]],
    ["the candidates", [table(["right", null, "right", "right", null], heads, rows)]],
  ];
}
