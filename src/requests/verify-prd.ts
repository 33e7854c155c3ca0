import { readCommand } from "../core/policy/command.ts";
import type { PrdAsk } from "../core/policy/prd-ask.ts";
import { done, type Result } from "../core/result.ts";
import type { GithubAccess } from "../github/access.ts";
import { isOurselves } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { type CommentedOn, readComment } from "../github/comments.ts";
import type { GithubContext } from "../github/context.ts";
import { INPUT, type PrdOrder, readInput } from "../github/intent-input.ts";
import { type NamedPullRequest, readPullRequest } from "../github/pulls.ts";
import type { Refused } from "../github/refusal.ts";
import { authorise } from "./authorise.ts";
import { choosePrd, listPrds } from "./prds.ts";
import { forged, known, must, notAllowed, refusal, requireAllowed, unknowable, verify, WITHIN_MS } from "./verify.ts";

/** What a run is to do with a PRD, and who says so; found out by us, not taken from the dispatch. */
export interface PrdRequest {
  /** its name; for a comment, of one that is on the default branch */
  readonly prd: string;
  /** `retry` and `accept` go on as `run` does, after they have changed the story */
  readonly verb: PrdOrder["verb"];
  /** its id, which the PRD need not have; null for `run` */
  readonly story: string | null;
  /** guidance for the story's next attempt; "" without. Somebody's words: data */
  readonly words: string;
  readonly by: "person" | "trigger";
  /** login of the person; null: no person */
  readonly asker: string | null;
  /** what was done, as in `comment:30`: obeyed once, see `refuseObeyed`; null: the start of the run itself */
  readonly request: string | null;
  /** the commit from which a run goes on that the one before it has started, as it says: not verified; null: not named */
  readonly head: string | null;
  /** the PRD's branch, as that run knew it: not verified either */
  readonly branch: string | null;
  /** where they have asked; null: by hand, or nobody in particular */
  readonly place: { readonly number: number; readonly on: CommentedOn } | null;
}

/**
 * Finds out what is asked of a PRD in this run, and by whom, before anything is done: the comment that a relay names is
 * read again, with its author, their permission and what it says. A person who starts the workflow by hand speaks for
 * themselves; a program and the run before this one may only let it go on.
 *
 * @returns null: nothing in particular is asked, as on a schedule
 * @throws UsageError when the request is malformed, forged or not allowed, or is for no PRD
 * @throws OperationalError `REQUEST_UNVERIFIED` when GitHub cannot be asked
 */
export async function verifyPrdRequest(
  { eventName, event }: Pick<GithubContext, "eventName" | "event">,
  access: GithubAccess | undefined,
  allowedBots: readonly string[],
): Promise<PrdRequest | null> {
  const text = event.inputs[INPUT]?.trim() ?? "";
  if (eventName !== "workflow_dispatch" || text === "") return null;
  const read = readInput(text);
  if (!read.ok) throw forged(`The input ${INPUT} ${read.trouble.because}.`);
  const input = read.value;
  const { prd: order, head } = input;
  if (order === null) {
    const next = `Ask for it with /smithers prd, or start the workflow with ${INPUT} set to {"command":"prd","verb":"run"}.`;
    throw refusal("NOT_FOR_A_PRD", `${input.command} is for a loop, and this workflow works on a PRD.`, next);
  }
  const github = await access?.within(WITHIN_MS);
  const branch = event.defaultBranch;
  if (input.request !== null) {
    const asked = await commented(known(github), order, input.request.id, branch, allowedBots);
    return { ...asked, request: `comment:${input.request.id}`, head: null, branch: null };
  }
  const { by, asker } = await verify(github, input, event.sender, allowedBots);
  const { name, verb, story, words } = order;
  const prd = name ?? (await onlyPrd(known(github), null, branch));
  return { prd, verb, story, words, by, asker, request: null, head, branch: order.branch, place: null };
}

/** Somebody who may has asked for this by a comment, and has not changed it since. */
async function commented(
  github: Github,
  order: PrdOrder,
  id: number,
  branch: string | null,
  allowedBots: readonly string[],
): Promise<Omit<PrdRequest, "request" | "head" | "branch">> {
  // Where it is, only the comment itself says.
  const comment = must(await readComment(github, id, "issues"), "There is no such comment.");
  const { author, edited } = comment;
  if (author === null || isOurselves(author)) throw forged("Nobody stands behind that comment.");
  const pull = must(await pullRequestAt(github, comment.number), "");
  const from = { author: pull?.author ?? null, fork: pull?.fork === true };
  const asked = { way: "comment", actor: author, behind: [], ...from, edited } as const;
  const by = requireAllowed(await authorise(github, asked, allowedBots));
  const read = readCommand(comment.body);
  const ask = read.kind === "command" && read.command === "prd" ? read.ask : null;
  if (ask === null || !isSame(ask, order)) throw forged(`That comment does not ask for ${order.verb}.`);
  const prd = await onlyPrd(github, ask.name, branch);
  if (prd !== order.name) throw notAllowed(`That comment is about the PRD ${prd}, and the input names another one.`);
  const place = { number: comment.number, on: pull === null ? "issues" : "pull-requests" } as const;
  return { prd, verb: order.verb, story: order.story, words: ask.words, by, asker: author.login, place };
}

function isSame(ask: PrdAsk, { verb, story }: PrdOrder): boolean {
  return ask.verb === verb && ask.story === story;
}

/** The pull request that has a number; null: it is an issue's. */
async function pullRequestAt(github: Github, number: number): Promise<Result<NamedPullRequest | null, Refused>> {
  const pull = await readPullRequest(github, number);
  return !pull.ok && pull.trouble.kind === "absent" ? done(null) : pull;
}

async function onlyPrd(github: Github, name: string | null, branch: string | null): Promise<string> {
  if (branch === null) throw unknowable("the event does not say which branch is the default one");
  const names = must(await listPrds(github), "");
  const chosen = choosePrd(name, names, branch);
  if (chosen.ok) return chosen.value;
  throw refusal("NO_SUCH_PRD", chosen.trouble.because, chosen.trouble.next);
}
