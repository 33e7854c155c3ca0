import { OperationalError, UsageError } from "../core/errors.ts";
import { type Command, readCommand } from "../core/policy/command.ts";
import { FROM_FORK, letsWork, may, openToTriggers } from "../core/policy/may.ts";
import type { Result } from "../core/result.ts";
import type { ReviewOrder } from "../core/task.ts";
import { isOurselves } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { type CommentedOn, readComment } from "../github/comments.ts";
import type { Account } from "../github/event-payload.ts";
import { type DispatchInput, INPUT, type IssueOrder, type RequestId } from "../github/intent-input.ts";
import { type Issue, readIssue } from "../github/orders/issue.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import { tipOf } from "../github/refs.ts";
import type { Refused } from "../github/refusal.ts";
import { isOfFile, readRun, type WorkflowRun } from "../github/runs.ts";
import { type Authorisation, authorise } from "./authorise.ts";
import { commandOf } from "./intent.ts";
import { readLabelEvent } from "./issue-events.ts";
import { readRecord } from "./find-loop.ts";
import { READ_AGAIN, taskOf, whyVoid } from "./ordered-issue.ts";
import { ownPushOf, unchangedSince } from "./pinned-head.ts";
import { readReviewed } from "./reviewed.ts";
import { findRunToFix, type RunToFix } from "./run-to-fix.ts";

/** How long it may take, in milliseconds. */
export const WITHIN_MS = 30_000;

export interface Verified {
  readonly by: "person" | "trigger";
  /** login of the person; null: no person */
  readonly asker: string | null;
  /** the text of their comment after the command: guidance or the task; null: none */
  readonly guidance: string | null;
  /** of the pull request, without `refs/heads/`; null without one */
  readonly headBranch: string | null;
  /** the failed run that is to be repaired; absent: none */
  readonly failed?: WorkflowRun;
  /** the issue on which they have asked; absent: on none */
  readonly issue?: number;
  /** the review by which they have asked; absent: by none */
  readonly review?: ReviewOrder;
}

/**
 * Looks at what a dispatch says that somebody did, and at whether they may.
 *
 * @param ownFile the file of the workflow that runs: what it has done wrong itself it never repairs
 * @throws UsageError, OperationalError as `verifyRunRequest`
 */
export async function verify(
  github: Github | undefined,
  input: DispatchInput,
  sender: Account | null,
  allowedBots: readonly string[],
  ownFile = "",
): Promise<Verified> {
  const { request } = input;
  if (request?.kind === "run") return failedRun(known(github), input, request.id, { allowedBots, ownFile });
  const verified =
    request === null ? await byHand(github, input, sender) : await person(known(github), input, request, allowedBots);
  if (input.command !== "fix") return verified;
  const { run: failed, words } = await runToFix(known(github), input, verified.guidance ?? "", ownFile);
  return { ...verified, failed, guidance: words === "" ? null : words };
}

/** The run that somebody wants to have repaired: the one that the input names, else the one that their words are about. */
async function runToFix(
  github: Github,
  { pr, head, run, request }: DispatchInput,
  text: string,
  ownFile: string,
): Promise<Pick<RunToFix, "run" | "words">> {
  const sha = head ?? (pr === null ? null : (await openPullRequest(github, pr)).headSha);
  if (sha === null)
    throw refusal(NOTHING_TO_FIX, "No pull request is named.", 'Say which: {"command": "fix", "pr": 7}.');
  const named = run === undefined ? null : must(await readRun(github, run), "There is no such run.");
  if (named !== null) requireRepairable(named, sha, ownFile);
  // Whoever names a run by hand has chosen it themselves.
  if (named !== null && request === null) return { run: named, words: text };
  const found = await findRunToFix(github, { sha, own: [ownFile] }, text);
  if (!found.ok) {
    const { kind, because, next } = found.trouble;
    throw kind === "none" ? refusal(NOTHING_TO_FIX, because, next) : unknowable(because);
  }
  const { run: newest, others, words } = found.value;
  // What the words name counts. Else the workflow that a relay has chosen stays while it is red: another may have failed since.
  if (named === null || words !== text) return { run: newest, words };
  const again = [newest, ...others].find(({ path, event }) => path === named.path && event === named.event);
  if (again === undefined) throw refusal(NOTHING_TO_FIX, `Run ${named.id} is green since.`);
  return { run: again, words };
}

/** A run that is repaired is one of this repository, of another workflow, has failed, and was for this very commit (C100). */
function requireRepairable(run: WorkflowRun, head: string | null, own: string): void {
  const { id, attempt, conclusion, headSha, fork, path } = run;
  // A relay has seen it red: somebody may have run it again in the meantime.
  if (conclusion !== "failure" && attempt > 1) throw stale(`Run ${id} was run again since, and is not red now.`);
  if (conclusion !== "failure") throw forged("That run has not failed.");
  if (head !== headSha) throw forged("That run was for another commit than the input names.");
  if (fork) throw notAllowed("That run was for a commit of a fork, and nothing of a fork is worked on.");
  if (isOfFile({ path }, [own])) throw forged("That run was one of the loop's own.");
}

export function known(github: Github | undefined): Github {
  if (github === undefined) throw unknowable("there is no github-token to ask GitHub with");
  return github;
}

/** Started by hand, or by a program or the loop itself, which are triggers, whoever owns their token. */
async function byHand(
  github: Github | undefined,
  { command, pr, issue, head, self, prd }: DispatchInput,
  sender: Account | null,
): Promise<Verified> {
  if (pr === null && head !== null && prd === null)
    throw forged(`The input ${INPUT} names a commit without its pull request.`);
  const pull = pr === null ? null : await openPullRequest(known(github), pr);
  // GitHub only starts a workflow for accounts that may write, so nobody has to be looked up.
  const decision = may("dispatch", {
    permission: "write",
    bot: sender?.type !== "User",
    listed: false,
    ourselves: self || (sender !== null && isOurselves(sender)),
    author: false,
    fork: pull?.fork === true,
    edited: false,
  });
  const by = requireAllowed({ decision, who: sender?.login ?? "Nobody", trouble: null });
  if (by === "trigger" && !openToTriggers(prd?.verb ?? command)) {
    const what = `${prd?.verb ?? command} takes a person, and a program asks for it.`;
    throw notAllowed(what, prd === null ? AGAIN : "Ask for it with /smithers prd, or start the workflow yourself.");
  }
  if (pull !== null && head !== null && head !== pull.headSha) throw moved(head, pull.headSha);
  const asker = by === "person" ? (sender?.login ?? null) : null;
  if (command === "start" && pr === null && issue !== null) return byHandOnIssue(known(github), issue.number, asker);
  return { by, asker, guidance: null, headBranch: pull?.headBranch ?? null };
}

/** The issue as it is now: whoever presses the button has nothing else to go by. */
async function byHandOnIssue(github: Github, number: number, asker: string | null): Promise<Verified> {
  if (asker === null) throw notAllowed("What an issue asks for takes a person to order it, and a program does.");
  const issue = await openIssue(github, number);
  return { by: "person", asker, guidance: taskOf(issue, asker, ""), headBranch: null, issue: number };
}

/** A workflow's run has failed for the current commit, and everybody who caused it may ask (T5). */
async function failedRun(
  github: Github,
  { command, pr, head }: DispatchInput,
  id: number,
  { allowedBots, ownFile }: { readonly allowedBots: readonly string[]; readonly ownFile: string },
): Promise<Verified> {
  if (!openToTriggers(command)) throw notAllowed(`${command} takes a person, and a check that failed is none.`);
  const found = must(await readRun(github, id), "There is no such run.");
  const { headBranch, actors, fork } = found;
  const [actor, ...behind] = actors;
  requireRepairable({ ...found, fork: false }, head, ownFile);
  if (actor === undefined) throw forged("Nobody stands behind that run.");
  const tip = await tipNow(github, pr, headBranch);
  if (tip !== found.headSha) throw moved(found.headSha, tip);
  const run = { way: "workflow_run", actor, behind, author: null, fork, edited: false } as const;
  const by = requireAllowed(await authorise(github, run, allowedBots));
  return { by, asker: null, guidance: null, headBranch: pr === null ? null : headBranch, failed: found };
}

async function tipNow(github: Github, pr: number | null, branch: string | null): Promise<string> {
  if (pr === null) return must(await tipOf(github, `refs/heads/${branch ?? ""}`), "The branch of that run is gone.");
  const { fork, headSha, headBranch } = await openPullRequest(github, pr);
  if (fork || headBranch !== branch) throw notAllowed(`Pull request #${pr} is not that run's.`);
  return headSha;
}

/** Somebody who may has asked for this by a comment or a label, and for what is there now. */
async function person(
  github: Github,
  input: DispatchInput,
  request: RequestId,
  allowedBots: readonly string[],
): Promise<Verified> {
  const { command, pr, issue } = input;
  if (request.kind === "review") return reviewedBy(github, input, request.id, allowedBots);
  const on = issue === null ? "pull-requests" : "issues";
  const action =
    request.kind === "comment" ? await commented(github, request.id, on) : await labeled(github, request.id, issue);
  const { way, actor, edited, text } = action;
  if (issue !== null && action.number === issue.number)
    return onIssue(github, { ...input, issue }, action, allowedBots);
  if (pr === null || action.number !== pr) throw forged(`That ${way} is not on the pull request that the input names.`);
  if (actor === null || isOurselves(actor)) throw forged(`Nobody stands behind that ${way}.`);
  const pull = await openPullRequest(github, pr);
  const asked = { way, actor, behind: [], author: pull.author, fork: pull.fork, edited };
  const by = requireAllowed(await authorise(github, asked, allowedBots));
  if (action.command !== command) throw forged(`That ${way} does not ask for ${command}.`);
  if (letsWork(command)) await requireSeen(github, pull, input, action.at);
  return { by, asker: actor.login, guidance: text === "" ? null : text, headBranch: pull.headBranch };
}

/** Somebody who may has asked for this by a review of what is there now. */
async function reviewedBy(
  github: Github,
  input: DispatchInput,
  id: number,
  allowedBots: readonly string[],
): Promise<Verified> {
  const { command, pr } = input;
  if (pr === null) throw forged("A review is of a pull request, which the input does not name.");
  const pull = await openPullRequest(github, pr);
  const read = await readReviewed(github, pr, id);
  if (!read.ok) {
    const { kind, because } = read.trouble;
    throw kind === "unknown" ? unknowable(because) : kind === "absent" ? forged(because) : notAllowed(because);
  }
  const { actor, command: said, text, edited, at, review } = read.value;
  if (actor === null || isOurselves(actor)) throw forged("Nobody stands behind that review.");
  const asked = { way: "review", actor, behind: [], author: pull.author, fork: pull.fork, edited } as const;
  const by = requireAllowed(await authorise(github, asked, allowedBots));
  if (said !== command) throw forged(`That review does not ask for ${command}.`);
  const who = { by, asker: actor.login, guidance: text === "" ? null : text, headBranch: pull.headBranch };
  if (!letsWork(command)) return who;
  await requireSeen(github, pull, input, at);
  if (review.commit !== pull.headSha) throw moved(review.commit, pull.headSha);
  return { ...who, review };
}

/** Somebody who may has asked for this on an issue, which anybody may have written. */
async function onIssue(
  github: Github,
  input: DispatchInput & { readonly issue: IssueOrder },
  { way, actor, edited, text, command: said, at }: Action,
  allowedBots: readonly string[],
): Promise<Verified> {
  const { command, pr, issue: order } = input;
  if (actor === null || isOurselves(actor)) throw forged(`Nobody stands behind that ${way}.`);
  const { number } = order;
  const issue = must(await readIssue(github, number), `There is no issue #${number}.`);
  const asked = { way, actor, behind: [], author: issue.author, fork: false, edited } as const;
  const by = requireAllowed(await authorise(github, asked, allowedBots));
  if (said !== command) throw forged(`That ${way} does not ask for ${command}.`);
  const who = { by, asker: actor.login, issue: number };
  if (command === "start") {
    if (pr !== null || order.text === null) throw forged(`The input ${INPUT} does not say what the issue said.`);
    if (!issue.open) throw notAllowed(`Issue #${number} is closed.`);
    const why = whyVoid(issue, { at, text: order.text });
    if (why !== null) throw refusal(STALE, `${why} What was ordered is void.`, READ_AGAIN);
    return { ...who, guidance: taskOf(issue, actor.login, text), headBranch: null };
  }
  const guidance = text === "" ? null : text;
  if (pr === null) return { ...who, guidance, headBranch: null };
  const pull = await openPullRequest(github, pr);
  if (pull.fork) throw notAllowed(FROM_FORK);
  if (letsWork(command)) await requireSeen(github, pull, input, at);
  return { ...who, guidance, headBranch: pull.headBranch };
}

async function openIssue(github: Github, number: number): Promise<Issue> {
  const issue = must(await readIssue(github, number), `There is no issue #${number}.`);
  if (!issue.open) throw notAllowed(`Issue #${number} is closed.`);
  return issue;
}

interface Action {
  readonly way: "comment" | "label";
  readonly actor: Account | null;
  readonly number: number;
  readonly command: Command | undefined;
  readonly text: string;
  readonly edited: boolean;
  readonly at: number;
}

async function commented(github: Github, id: number, on: CommentedOn): Promise<Action> {
  const { author, body, number, edited, createdAt } = must(
    await readComment(github, id, on),
    "There is no such comment.",
  );
  const read = readCommand(body);
  const said = read.kind === "command" && read.command !== "prd" ? read : { command: undefined, text: "" };
  return { way: "comment", actor: author, number, command: said.command, text: said.text, edited, at: createdAt };
}

async function labeled(github: Github, id: number, issue: IssueOrder | null): Promise<Action> {
  const none = "No label was put on in that event.";
  const event = must(await readLabelEvent(github, id, issue === null ? "pull-requests" : "issues"), none);
  if (event === null) throw forged(none);
  const { actor, number, label, at } = event;
  const on = number === issue?.number ? "issue" : "pull request";
  return { way: "label", actor, number, command: commandOf(label, on), text: "", edited: false, at };
}

/** What was asked holds for what the asker saw (T6). */
async function requireSeen(
  github: Github,
  pull: NamedPullRequest,
  { head, loop }: Pick<DispatchInput, "head" | "loop">,
  at: number,
): Promise<void> {
  const { headSha, headBranch } = pull;
  if (head === null) throw forged(`The input ${INPUT} does not say for which commit it holds.`);
  if (head !== headSha) throw moved(head, headSha);
  const unchanged = await unchangedSince(github, {
    ...{ branch: headBranch, head: headSha, at },
    ownPush: async () => {
      const found = loop === null ? null : await readRecord(github, loop);
      return found?.ok === true ? ownPushOf(found.value?.record.state) : null;
    },
  });
  if (unchanged.ok) return;
  const { kind, because } = unchanged.trouble;
  throw kind === "moved" ? stale(`${because}. What was asked is void.`) : unknowable(because);
}

export function requireAllowed({ decision, who, trouble }: Authorisation): Verified["by"] {
  if (trouble !== null) throw unknowable(trouble);
  if (decision.kind === "ignored") throw notAllowed(`${who} ${decision.why}.`);
  if (decision.kind === "refused") throw notAllowed(decision.reason);
  return decision.as;
}

async function openPullRequest(github: Github, number: number): Promise<NamedPullRequest> {
  const pull = must(await readPullRequest(github, number), `There is no pull request #${number}.`);
  if (!pull.open) throw notAllowed(`Pull request #${number} is closed.`);
  return pull;
}

/** @param absent what it means that it was not found, as a sentence */
export function must<T>(answer: Result<T, Refused>, absent: string): T {
  if (answer.ok) return answer.value;
  throw answer.trouble.kind === "absent" ? forged(absent) : unknowable(answer.trouble.because);
}

const AGAIN =
  "Ask again with a new comment or label on the pull request, or start the workflow by hand with its input smithers set to continue.";

export function forged(what: string): UsageError {
  return refusal("REQUEST_FORGED", what);
}

export function notAllowed(what: string, next = AGAIN): UsageError {
  return refusal("REQUEST_NOT_ALLOWED", what, next);
}

/** What somebody who may has asked for, and for something that has changed since. */
export const STALE = "REQUEST_STALE";
/** What was red is so no more, or never was. */
export const NOTHING_TO_FIX = "NOTHING_TO_FIX";

function stale(what: string): UsageError {
  return refusal(STALE, what);
}

export function moved(asked: string, found: string): UsageError {
  return stale(`This was asked for commit ${asked}, and the branch is at ${found} now.`);
}

/** @param why part of a sentence */
export function unknowable(why: string): OperationalError {
  return new OperationalError({
    code: "REQUEST_UNVERIFIED",
    what: `Who asks for this run cannot be verified: ${why}. Nothing was done.`,
    next: "Run this workflow again when that is fixed.",
  });
}

/** @param next what to do instead, as a sentence */
export function refusal(code: string, what: string, next = AGAIN): UsageError {
  return new UsageError({ code, what: `${what} Nothing was done.`, next });
}
