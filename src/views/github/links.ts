import type { RunView } from "../run-view.ts";
import { CI_CONTEXT } from "../../core/names.ts";
import { type CiOfHead, type GithubPlace, type PagePlace, type PublicationFacts, pushes } from "./facts.ts";
import { type Block, code, heading, inline, link, listed, paragraph, type Piece } from "./markdown.ts";

/** Where people look at what the branch adds to its base. */
function compareUrl({ repositoryUrl, base, branch }: GithubPlace): string {
  const [from, to] = [base, branch].map((name) => name.split("/").map(encodeURIComponent).join("/"));
  return `${repositoryUrl}/compare/${from}...${to}`;
}

/**
 * The links of every text: the run, and what the branch adds.
 *
 * @param isThere whether the branch is on GitHub: one to which nothing was pushed is not
 */
export function linkBlocks(facts: GithubPlace, isThere = true): Block[] {
  const changes = isThere ? inline` · ${link("All changes", compareUrl(facts))}` : [];
  return [paragraph`${link("This run", facts.runUrl)}${changes} · ${code(facts.branch)} → ${code(facts.base)}`];
}

/** Where the page about the loop is; [] where there is none. */
export function pageBlocks(page: PagePlace | null): Block[] {
  if (page === null) return [];
  if ("url" in page) return [paragraph`${link("Report", page.url)}: ${page.hasTexts ? WHOLE : WITHOUT_TEXTS}`];
  const key = page.isSealed ? inline`, with the state-key in ${code("SMITHERS_STATE_KEY")}` : [];
  const before = page.byHand
    ? inline`download this run's artifact ${code(page.artifact)}, then `
    : page.artifactUrl === null
      ? []
      : inline`in ${link("this artifact", page.artifactUrl)}, downloaded and opened by `;
  return [paragraph`**Report:** ${before}${code(page.command)}${key}`];
}

const WHOLE = "the verdict with its proof, charts and every iteration, on a page in the browser.";
const WITHOUT_TEXTS =
  "the verdict with its proof, charts and every iteration, on a page in the browser. Others can read this repository, so it has no prompts, messages and changes.";

/** For the job's summary: where the work is, and why it has no pull request although one is wanted. */
export function workBlocks(view: RunView, facts: PublicationFacts): Block[] {
  const { pullRequest } = facts;
  if (pullRequest === null && !pushes(view, facts)) return [];
  const branch = code(facts.branch);
  const where =
    pullRequest === null
      ? inline`${branch} ${link("compare it with its base", compareUrl(facts))}`
      : inline`${link(`pull request ${pullRequest.number}`, pullRequest.url)} from ${branch}`;
  return [paragraph`**The work:** ${where}`, ...forbiddenBlocks(facts)];
}

/** What to change when Actions may not create pull requests; [] when there is one, or none is wanted. */
function forbiddenBlocks(facts: PublicationFacts): Block[] {
  if (!facts.creationForbidden || facts.pullRequest !== null || facts.wanted === "never") return [];
  const byHand = link("Open one by hand", `${compareUrl(facts)}?expand=1`);
  const setting = link("Settings → Actions → General", `${facts.repositoryUrl}/settings/actions`);
  return [
    heading(3, "There is no pull request yet"),
    paragraph`This repository does not let Actions create pull requests, so the work waits on its branch. ${byHand} or allow it, here and in the organisation: ${setting} → “Allow GitHub Actions to create and approve pull requests”. Where the loop goes on, its next run then opens it.`,
  ];
}

/** What the kind of token means for CI. Nothing is promised that GitHub does not promise. */
const CI = {
  "github-token":
    "The loop works with the workflow's own token, whose pushes start no workflow; a run that GitHub creates for the pull request waits until somebody presses “Approve workflows to run”.",
  app: "The loop works with the token of an App, whose pushes and pull requests start workflows as a person's do.",
  person: "The loop works with a person's token, whose pushes and pull requests start workflows as that person's do.",
};

/** What CI that the loop has run says of the work. */
const SAID = {
  passed: "was run on this commit by the loop, and passed.",
  failed: "was run on this commit by the loop, and failed.",
  nothing: "was run on this commit by the loop, and has ended without a verdict.",
  running: "runs on this commit, started by the loop, and has not ended.",
};
const NOT_RUN = "has not been run on this commit.";
const SEEN_AS = "GitHub does not list such a run among the checks of a pull request; this commit status tells of it:";

/** Whether CI has looked at what the loop has pushed, or will by itself. */
export function ciBlocks({ token, ci }: PublicationFacts): Block[] {
  const isAlone = token === "github-token" && ci === null;
  const other = inline` To have CI start by itself, give the input github-token the token of an App.`;
  return [paragraph`**CI:** ${ciPieces(ci)}${CI[token]}${isAlone ? other : []}`];
}

function ciPieces(ci: CiOfHead | null): readonly Piece[] {
  if (ci === null) return [];
  if (ci.run === null) return inline`${code(ci.workflow)} ${NOT_RUN} `;
  const { url, said } = ci.run;
  return inline`${link(ci.workflow, url)} ${SAID[said ?? "running"]} ${SEEN_AS} ${code(CI_CONTEXT)} · `;
}

/** Names that are listed. */
const MOST = 20;

/** What became of the checks that the base's rules ask for, and what a person has to do for the rest (C96). */
export function requiredBlocks({ ci, base }: PublicationFacts): Block[] {
  const required = ci?.required ?? null;
  if (required === null) return [];
  const { passed, failed, open, unread } = required;
  const by = code(base);
  if (unread !== null) {
    return [
      paragraph`**Required checks:** the rules of ${by} could not be read (${unread}), so nothing is said under their names.`,
    ];
  }
  const mirrored = [
    ...passed.map((name) => inline`${code(name)}: passed`),
    ...failed.map((name) => inline`${code(name)}: failed`),
  ];
  const left = open.map(({ context, why }) => inline`${code(context)}: ${why}`);
  return [
    ...(mirrored.length === 0
      ? []
      : [paragraph`**Required by ${by}**, set from that run as commit statuses:`, listed(mirrored, MOST, ELSEWHERE)]),
    ...(left.length === 0 ? [] : [paragraph`**Still required by ${by}:** ${TO_DO}`, listed(left, MOST, ELSEWHERE)]),
  ];
}

const ELSEWHERE = "see the checks below";
const TO_DO =
  "nothing is said for these. A person has to start what they come from: press “Approve workflows to run”, or close and reopen this pull request.";

/** What could not be done; [] when nothing was left undone. */
export function noteBlocks({ notes }: PublicationFacts): Block[] {
  return notes.length === 0 ? [] : [heading(3, "What could not be done"), listed(notes, 20, "see the log of the run")];
}

/** Who let the loop run, and which loop it is. It mentions nobody. */
export function authorBlocks({ state }: RunView): Block[] {
  const login = state.github?.authorised_by ?? null;
  return [paragraph`Loop ${code(state.loop_id)}${login === null ? [] : inline` · let run by ${code(login)}`}`];
}
