import { duration } from "./amounts.ts";
import { CI_CONTEXT } from "./ci.ts";
import { type Finding, findingLines, gapsIn, permissionLines, type Right } from "./gaps.ts";

/** What a run needs of GitHub, and how it is with it; null: it is not needed. */
export interface GithubRights {
  /** to push these, as they are told to people: `smithers/a` */
  readonly push: { readonly refs: readonly string[]; readonly right: Right } | null;
  readonly pullRequests: Right | null;
  /** whether GitHub Actions may create pull requests, which is no right of a token but a setting */
  readonly creation: Right | null;
  /** to start this workflow again */
  readonly dispatch: { readonly workflow: string; readonly right: Right } | null;
  /** to run the workflow of `ci-workflow`, and to tell what it says by a commit status */
  readonly ci: { readonly workflow: string; readonly run: Right; readonly status: Right } | null;
  /** by how much this machine's clock is ahead of GitHub's; null: that is not known; milliseconds */
  readonly aheadMs: number | null;
}

/** From here on clocks differ too much: tokens and times of events are compared with ours. */
const SKEW_MS = 5 * 60_000;

/** What the Action does besides, when it may. */
const BESIDES = ["actions: read", "statuses: write"];

/** What was looked at, in the order in which it is used. */
export function githubFindings({
  push,
  pullRequests,
  creation,
  dispatch,
  ci,
  aheadMs,
}: GithubRights): readonly Finding[] {
  const findings: Finding[] = [];
  if (push !== null) {
    const subject = `push to ${push.refs.join(" and ")}`;
    findings.push({ subject, right: push.right, permission: "contents: write", blocks: true });
  }
  if (pullRequests !== null) {
    const subject = "open the pull request and comment on it";
    findings.push({ subject, right: pullRequests, permission: "pull-requests: write", blocks: true });
  }
  if (creation !== null) {
    const subject = "GitHub Actions may create pull requests";
    findings.push({ subject, right: creation, permission: null, blocks: false });
  }
  if (dispatch !== null) {
    const subject = `start the next run of ${dispatch.workflow} (self-continue: auto)`;
    findings.push({ subject, right: dispatch.right, permission: "actions: write", blocks: false });
  }
  if (ci !== null) {
    const subject = `run ${ci.workflow} on the work (ci-workflow)`;
    findings.push({ subject, right: ci.run, permission: "actions: write", blocks: true });
    const status = `set the commit status ${CI_CONTEXT}`;
    findings.push({ subject: status, right: ci.status, permission: "statuses: write", blocks: false });
  }
  if (aheadMs !== null) {
    findings.push({ subject: "this machine's clock", right: clock(aheadMs), permission: null, blocks: false });
  }
  return findings;
}

/** All of it as one table, with the lines that a workflow needs where any of them is missing. */
export function githubGapTable(findings: readonly Finding[]): string {
  const lacksPermission = gapsIn(findings).some(
    ({ right, permission }) => permission !== null && right.right === "missing" && right.next === "",
  );
  const all = lacksPermission
    ? [
        "All that this run needs, for the job in the workflow's file (a token of another kind needs the same rights):",
        ...permissionLines(findings, BESIDES).map((line) => `    ${line}`),
      ]
    : [];
  return [...findingLines(findings).map((line) => `  ${line}`), ...all].join("\n");
}

function clock(aheadMs: number): Right {
  if (Math.abs(aheadMs) <= SKEW_MS) return { right: "there" };
  const why = `it is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"} GitHub's`;
  return { right: "missing", why, next: "Set it right: what people ask for is judged by its time." };
}
