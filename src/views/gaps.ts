import { duration } from "./amounts.ts";
import { CI_CONTEXT } from "../core/names.ts";

/** What is known of a right without using it. */
export type Right =
  /** `readable`: it may be looked at; whether it may be changed shows only when it is */
  | { readonly right: "there" | "readable" }
  /** `next`: a sentence when a line in the workflow is not the solution; else "" */
  | { readonly right: "missing"; readonly why: string; readonly next: string }
  /** never counts as missing; `because`: GitHub has not answered, or does not tell this token */
  | { readonly right: "unknown"; readonly because: "unreachable" | "untold"; readonly why: string };

/** One thing that is needed, and whether it is there. */
export interface Finding {
  /** as in `push to smithers/a` */
  readonly subject: string;
  readonly right: Right;
  /** the line of `permissions:` that gives it, as in `contents: write`; null: none does */
  readonly permission: string | null;
  /** whether all is in vain without it */
  readonly blocks: boolean;
}

/** Words of a row for its state; as wide as each other. */
const STATES = { there: "ok     ", readable: "ok     ", missing: "GAP    ", unknown: "unknown" } as const;

/** What is missing. */
export function gapsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ right }) => right.right === "missing");
}

/** Everything that was looked at, one line each; a gap with what closes it. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  return findings.map(lineOf);
}

/** The lines of a workflow that give a job all that was checked, not only what is missing: a job has only these. */
export function permissionLines(findings: readonly Finding[], besides: readonly string[]): readonly string[] {
  const named = findings.flatMap(({ permission }) => (permission === null ? [] : [permission]));
  const all = new Set([...besides, ...named]);
  // Another line may give more of the same.
  const lines = [...all].filter((line) => !line.endsWith(": read") || !named.includes(line.replace(/read$/u, "write")));
  return ["permissions:", ...lines.toSorted().map((line) => `  ${line}`)];
}

function lineOf({ subject, right, permission }: Finding): string {
  const line = `${STATES[right.right]}  ${subject}`;
  switch (right.right) {
    case "there":
      return line;
    case "readable":
      return `${line} (as far as it shows without writing)`;
    case "unknown":
      return `${line}: ${right.why}`;
    case "missing": {
      const cure = permission === null ? "" : ` → permissions: ${permission}`;
      return `${line}: ${right.why}${right.next === "" ? cure : `. ${right.next}`}`;
    }
  }
}

/** What a run needs of GitHub, and whether it is there; null: not needed. */
export interface GithubRights {
  /** to push these, as people read them: `smithers/a` */
  readonly push: { readonly refs: readonly string[]; readonly right: Right } | null;
  readonly pullRequests: Right | null;
  /** whether GitHub Actions may create pull requests, a setting and not a right of a token */
  readonly creation: Right | null;
  /** to start this workflow again */
  readonly dispatch: { readonly workflow: string; readonly right: Right } | null;
  /** to run the workflow of `ci-workflow`, and to report its result by a commit status */
  readonly ci: { readonly workflow: string; readonly run: Right; readonly status: Right } | null;
  /** to put our labels on: whether they are there */
  readonly labels: Right | null;
  /** to push workflow files, where the settings let the work change them */
  readonly workflowFiles?: Right | null;
  /** whether anything would keep work that GitHub does not take; absent: something would */
  readonly refusedWork?: Right | null;
  /** whether pull requests can meet the checks that their base requires; null or absent: it requires none */
  readonly rules?: Right | null;
  /** whether GitHub knows whom `reviewers` and `notify` name; null or absent: nobody is named */
  readonly people?: Right | null;
  /** by how much this machine's clock is ahead of GitHub's; null: not known; milliseconds */
  readonly aheadMs: number | null;
  /** whether an App was granted what a loop uses; null or absent: GitHub is asked with another token */
  readonly app?: Right | null;
}

/** From here on clocks differ too much: tokens and times of events are compared with ours. */
const SKEW_MS = 5 * 60_000;

/** What the Action also does, if it may. */
const BESIDES = ["actions: read", "statuses: write"];

/** How the labels are named among the findings. */
export const LABELS_THERE = "the labels of a loop";

/** How the checks are named that people's rules ask for. */
export const RULES_MET = "the checks that the base branch requires";

/** How the rights of an App are named among them, which only its owner can give. */
export const APP_MAY = "all that a loop does, by what the App was granted";

/** What was looked at, in the order in which it is used. */
export function githubFindings(rights: GithubRights): readonly Finding[] {
  const { push, pullRequests, creation, dispatch, ci, labels, rules, people, aheadMs } = rights;
  const { workflowFiles, refusedWork, app } = rights;
  const rows: readonly (readonly [string, Right | null | undefined, permission: string | null, blocks: boolean])[] = [
    [`push to ${push?.refs.join(" and ")}`, push?.right, "contents: write", true],
    [APP_MAY, app, null, false],
    ["push workflow files (protected-paths opens them)", workflowFiles, null, false],
    ["keep work that GitHub does not take", refusedWork, null, false],
    ["open the pull request and comment on it", pullRequests, "pull-requests: write", true],
    ["GitHub Actions may create pull requests", creation, null, false],
    [`start the next run of ${dispatch?.workflow} (self-continue: auto)`, dispatch?.right, "actions: write", false],
    [`run ${ci?.workflow} on the work (ci-workflow)`, ci?.run, "actions: write", true],
    [`set the commit status ${CI_CONTEXT}`, ci?.status, "statuses: write", false],
    [RULES_MET, rules, null, false],
    [LABELS_THERE, labels, "issues: write", false],
    ["tell those that reviewers and notify name", people, null, false],
    ["this machine's clock", aheadMs === null ? null : clock(aheadMs), null, false],
  ];
  return rows.flatMap(([subject, right, permission, blocks]) =>
    right === null || right === undefined ? [] : [{ subject, right, permission, blocks }],
  );
}

/** All of it as one table, with the lines that a workflow needs where any of them is missing. */
export function githubGapTable(findings: readonly Finding[]): string {
  const lacksPermission = gapsIn(findings).some(
    ({ right, permission }) => permission !== null && right.right === "missing" && right.next === "",
  );
  const rows = findingLines(findings).map((line) => `  ${line}`);
  if (!lacksPermission) return rows.join("\n");
  const needed = permissionLines(findings, BESIDES).map((line) => `    ${line}`);
  return [...rows, ALL_NEEDED, ...needed].join("\n");
}

const ALL_NEEDED =
  "All that this run needs, for the job in the workflow's file (a token of another kind needs the same rights):";

function clock(aheadMs: number): Right {
  if (Math.abs(aheadMs) <= SKEW_MS) return { right: "there" };
  const why = `it is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} GitHub's`;
  return { right: "missing", why, next: "Set it right: what people ask for is judged by its time." };
}
