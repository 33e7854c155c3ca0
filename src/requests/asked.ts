import { may, openToTriggers, type AuthDecision } from "../core/policy/may.ts";
import type { Github } from "../github/client.ts";
import { isOurselves } from "../github/accounts.ts";
import type { GithubContext } from "../github/context.ts";
import type { Account } from "../github/event-payload.ts";
import { type DispatchInput, INPUT, readInput } from "../github/intent-input.ts";
import { type AskedFor, openPullRequest } from "./asked-facts.ts";
import { verifyPerson } from "./asked-person.ts";
import { forged, moved, notAllowed, unknowable } from "./asked-refusals.ts";
import { verifyRun } from "./asked-run.ts";

/** Whom the worker asks, and whom it trusts. */
export interface Verification {
  /** undefined: there is no token */
  readonly access: Github | undefined;
  /** logins */
  readonly allowedBots: readonly string[];
}

type Dispatch = Pick<GithubContext, "eventName" | "event">;

const NOBODY: AskedFor = {
  by: "trigger",
  asker: null,
  guidance: null,
  command: null,
  request: null,
  loopId: null,
  pullRequest: null,
  headBranch: null,
  head: null,
};

/**
 * Finds out who asks for this run, before anything is done: what a relay says that somebody did is looked at again by
 * GitHub's API. Whoever starts the workflow by hand speaks for themselves.
 *
 * @throws UsageError when the request is malformed, forged, stale or not allowed
 * @throws OperationalError `REQUEST_UNVERIFIED` when GitHub cannot be asked
 */
export async function verifyAsked({ eventName, event }: Dispatch, verification: Verification): Promise<AskedFor> {
  const text = event.inputs[INPUT]?.trim() ?? "";
  if (eventName !== "workflow_dispatch" || text === "") return NOBODY;
  const read = readInput(text);
  if (!read.ok) throw forged(`The input ${INPUT} ${read.why}.`);
  const { input } = read;
  const { command, loop: loopId, pr: pullRequest, head } = input;
  const request = input.request === null ? null : `${input.request.kind}:${input.request.id}`;
  const asked = { command, request, loopId, pullRequest, head };
  if (input.request === null) return { ...NOBODY, ...asked, ...(await byHand(event.sender, input, verification)) };
  const { access } = verification;
  if (access === undefined) throw unknowable("there is no github-token to ask GitHub with");
  if (input.request.kind === "run") {
    return { ...NOBODY, ...asked, ...(await verifyRun(access, input, input.request.id, verification.allowedBots)) };
  }
  return { ...asked, ...(await verifyPerson(access, input, input.request, verification.allowedBots)) };
}

/** Started by hand, or by a program or the loop itself, which are triggers, whoever wrote them and whose token they have. */
async function byHand(
  sender: Account | null,
  input: DispatchInput,
  { access }: Verification,
): Promise<Pick<AskedFor, "by" | "asker" | "headBranch">> {
  const { command, pr, head, self } = input;
  if (command === "prd") throw forged("The command prd needs the name of a PRD, which only a comment can say.");
  if (pr === null && head !== null) throw forged(`The input ${INPUT} names a commit without its pull request.`);
  if (pr !== null && access === undefined) throw unknowable("there is no github-token to ask GitHub with");
  const pull = pr === null || access === undefined ? null : await openPullRequest(access, pr);
  const ruling = mayStart(sender, { fork: pull?.fork === true, self });
  if (ruling.decision === "ignored") throw notAllowed(`${sender?.login ?? "Nobody"} ${ruling.why}.`);
  if (ruling.decision === "refused") throw notAllowed(ruling.reason);
  if (ruling.as === "trigger" && !openToTriggers(command)) {
    throw notAllowed(`${command} takes a person, and a program asks for it.`);
  }
  if (pull !== null && head !== null && head !== pull.headSha) throw moved(head, pull.headSha);
  const asker = ruling.as === "person" ? (sender?.login ?? null) : null;
  return { by: ruling.as, asker, headBranch: pull?.headBranch ?? null };
}

/** GitHub starts a workflow for nobody who may not write, so that nobody has to be looked up. */
function mayStart(
  sender: Account | null,
  { fork, self }: { readonly fork: boolean; readonly self: boolean },
): AuthDecision {
  return may("dispatch", {
    permission: "write",
    bot: sender?.type !== "User",
    listed: false,
    ourselves: self || (sender !== null && isOurselves(sender)),
    author: false,
    fork,
    edited: false,
  });
}
