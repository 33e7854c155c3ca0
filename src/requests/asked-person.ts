import { type Command, readCommand } from "../core/policy/command.ts";
import { letsWork, type Way } from "../core/policy/may.ts";
import type { Github } from "../github/client.ts";
import { isOurselves } from "../github/accounts.ts";
import type { AskedPullRequest } from "../github/pulls.ts";
import { authorise } from "./authorise.ts";
import { readComment } from "../github/comments.ts";
import type { Account } from "../github/event-payload.ts";
import { commandOf } from "./intent.ts";
import { type DispatchInput, INPUT, type RequestId } from "../github/intent-input.ts";
import { readLabelEvent } from "./issue-events.ts";
import { unchangedSince } from "./push-time.ts";
import { type AskedFor, must, openPullRequest } from "./asked-facts.ts";
import { forged, moved, notAllowed, stale, unknowable } from "./asked-refusals.ts";

/** What somebody did on a pull request, as GitHub has it now. */
interface Deed {
  readonly way: Way;
  readonly actor: Account | null;
  readonly number: number;
  readonly command: Command | undefined;
  readonly text: string;
  readonly edited: boolean;
  /** milliseconds since the epoch */
  readonly at: number;
}

/**
 * Verifies that somebody who may has asked for this by a comment or a label, and for what is there now.
 *
 * @throws UsageError, OperationalError as `verifyAsked`
 */
export async function verifyPerson(
  access: Github,
  { command, pr, head }: DispatchInput,
  request: RequestId,
  allowedBots: readonly string[],
): Promise<Pick<AskedFor, "by" | "asker" | "guidance" | "headBranch">> {
  const deed = request.kind === "comment" ? await commentDeed(access, request.id) : await labelDeed(access, request.id);
  const { way, actor, edited, text } = deed;
  if (pr === null || deed.number !== pr) throw forged(`That ${way} is not on the pull request that the input names.`);
  if (actor === null || isOurselves(actor)) throw forged(`Nobody stands behind that ${way}.`);
  const pull = await openPullRequest(access, pr);
  const petition = { way, actor, behind: [], author: pull.author, fork: pull.fork, edited };
  const { ruling, who, trouble } = await authorise(access, petition, allowedBots);
  if (trouble !== null) throw unknowable(trouble);
  if (ruling.decision === "ignored") throw notAllowed(`${who} ${ruling.why}.`);
  if (ruling.decision === "refused") throw notAllowed(ruling.reason);
  if (deed.command !== command) throw forged(`That ${way} does not ask for ${command}.`);
  if (letsWork(command)) await requireSeen(access, pull, head, deed.at);
  return { by: ruling.as, asker: actor.login, guidance: text === "" ? null : text, headBranch: pull.headBranch };
}

async function commentDeed(access: Github, id: number): Promise<Deed> {
  const { author, body, number, edited, createdAt } = must(await readComment(access, id), "There is no such comment.");
  const read = readCommand(body);
  const said = read.kind === "command" ? read : { command: undefined, text: "" };
  return { way: "comment", actor: author, number, command: said.command, text: said.text, edited, at: createdAt };
}

async function labelDeed(access: Github, id: number): Promise<Deed> {
  const none = "No label was put on in that event.";
  const event = must(await readLabelEvent(access, id), none);
  if (event === null) throw forged(none);
  const { actor, number, label, at } = event;
  return { way: "label", actor, number, command: commandOf(label), text: "", edited: false, at };
}

/** What was asked holds for what the asker saw (T6). */
async function requireSeen(access: Github, pull: AskedPullRequest, head: string | null, at: number): Promise<void> {
  const { headSha, headBranch } = pull;
  if (head === null) throw forged(`The input ${INPUT} does not say for which commit it holds.`);
  if (head !== headSha) throw moved(head, headSha);
  const sight = await unchangedSince(access, { branch: headBranch, head: headSha, at });
  if (sight.seen) return;
  throw sight.told ? stale(`${sight.why}. What was asked is void.`) : unknowable(sight.why);
}
