import { UsageError } from "../core/errors.ts";
import { type LoopState, MOST_CONTINUATIONS } from "../core/state.ts";
import type { Command } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import { storyOfLoop } from "../core/story/wave-names.ts";
import type { GithubAccess } from "../github/access.ts";
import type { Github } from "../github/client.ts";
import { react, readComment, reply } from "../github/comments.ts";
import type { GithubContext } from "../github/context.ts";
import { type DispatchInput, INPUT, readInput } from "../github/intent-input.ts";
import { refusalReply } from "../views/github/relay-reply.ts";
import { wordsOfWave } from "../views/github/wave-story.ts";
import { isLoopOf } from "./find-loop.ts";
import { forged, NOTHING_TO_FIX, refusal, STALE, type Verified, verify, WITHIN_MS } from "./verify.ts";

/** Who lets a loop run, and what they want; found out by us, not taken from the dispatch. */
export interface RunRequest extends Verified {
  /** null: nothing in particular, as on a schedule */
  readonly command: Command | null;
  /** what was done, as in `comment:30`: one thing done lets a loop go on once; null: the start of the run itself */
  readonly request: string | null;
  /** null: not named. Its own record has to say which pull request it belongs to */
  readonly loopId: string | null;
  readonly pullRequest: number | null;
  /** the commit that it holds for: what is pushed has to be built on it */
  readonly head: string | null;
}

const NOBODY: RunRequest = {
  ...{ by: "trigger", asker: null, guidance: null, headBranch: null },
  ...{ command: null, request: null, loopId: null, pullRequest: null, head: null },
};

/** These are for a loop that runs, and this run would be one that begins. */
const FOR_A_RUNNING_LOOP: ReadonlySet<Command> = new Set(["pause", "stop", "status"]);

/**
 * Finds out who asks for this run, before anything is done: what a relay says that somebody did is looked at again by
 * GitHub's API. A person who starts the workflow by hand speaks for themselves, and without a word says nothing.
 *
 * @param hasStory whether this job works on a story that a plan in this very run has given it: what was asked of the PRD
 *   was verified there (`verifyPrdRequest`), and nobody asks this job for anything
 * @throws UsageError when the request is malformed, forged, stale or not allowed, or makes no sense here
 * @throws OperationalError `REQUEST_UNVERIFIED` when GitHub cannot be asked
 */
export async function verifyRunRequest(
  { eventName, event, workflow }: Pick<GithubContext, "eventName" | "event"> & Partial<Pick<GithubContext, "workflow">>,
  github: GithubAccess | undefined,
  allowedBots: readonly string[],
  hasStory = false,
): Promise<RunRequest> {
  const text = event.inputs[INPUT]?.trim() ?? "";
  if (eventName !== "workflow_dispatch") return NOBODY;
  // Pressing the button confirms nothing, so it is a trigger (C25); but there is somebody to be told of the ending (C87).
  if (text === "") return { ...NOBODY, asker: event.sender?.type === "User" ? event.sender.login : null };
  const read = readInput(text);
  if (!read.ok) throw forged(`The input ${INPUT} ${read.trouble.because}.`);
  if (read.value.prd !== null) {
    if (hasStory) return NOBODY;
    const next = "Let the relay start that one: set relay-prd-to to its file.";
    throw refusal("NO_PLAN_HERE", "A PRD is for a workflow with job: plan, and this job has no story of it.", next);
  }
  const { command, loop: loopId, pr: pullRequest, head, request } = read.value;
  const story = loopId === null ? null : storyOfLoop(loopId);
  if (story !== null) {
    const { because, next } = wordsOfWave(story);
    throw refusal("STORY_OF_A_WAVE", because, next);
  }
  const asking = verify(await github?.within(WITHIN_MS), read.value, event.sender, allowedBots, workflow?.file);
  const verified = await asking.catch(async (error: unknown) => {
    const problem = error instanceof UsageError ? error.problems[0] : undefined;
    if (github !== undefined && (problem?.code === STALE || problem?.code === NOTHING_TO_FIX))
      await tellStale(await github.within(TELL_MS), read.value, problem);
    throw error;
  });
  if (FOR_A_RUNNING_LOOP.has(command)) {
    throw refusal(
      "NO_LOOP_RUNS",
      `${command} is for a loop that runs, and this run would only begin.`,
      `Comment /smithers ${command} on the loop's pull request while it runs.`,
    );
  }
  const id = request === null ? null : `${request.kind}:${request.id}`;
  return { ...verified, command, request: id, loopId, pullRequest, head };
}

/** To say so where somebody has asked; milliseconds. */
const TELL_MS = 20_000;

/**
 * Tells a person where they have asked that it came too late, as when of two reviews the first one's run has pushed (C147): the
 * relay that has started this run is gone. A comment is told of once, by its 😕. What cannot be written is left: this run
 * is red, and its log says the same.
 */
async function tellStale(
  github: Github,
  { request, pr, issue }: DispatchInput,
  { what, next }: UsageError["problems"][number],
): Promise<void> {
  if (request === null || request.kind === "run") return;
  const comment = request.kind === "comment" ? await readComment(github, request.id, "issues") : null;
  const number = comment?.ok === true ? comment.value.number : (pr ?? issue?.number);
  if (number === undefined) return;
  const on = number === pr ? "pull-requests" : "issues";
  const marked = comment === null ? null : await react(github, request.id, "confused", on);
  if (marked?.ok === true && !marked.value.first) return;
  const reason = `What a ${request.kind} has asked for came too late. ${what.replace(NOTHING_DONE, "")}`;
  await reply(github, number, refusalReply(reason, next), on);
}

/** The answer says it as well. */
const NOTHING_DONE = / Nothing was done\.$/u;

/**
 * Refuses a request for another loop's pull request, by the loop's own record (threats T15), or one that was obeyed
 * already: a comment that let it go on once does not acknowledge the next checkpoint. Failed checks let it run at most
 * `MOST_CONTINUATIONS` times in a row (T20).
 *
 * @throws UsageError when the loop does not go on
 */
export function refuseForLoop(runRequest: RunRequest, stored: LoopState | undefined): void {
  const { pullRequest, issue, loopId, head, headBranch, request, command } = runRequest;
  if (stored === undefined) return;
  const other = issue !== undefined && loopId !== null && stored.github?.issue !== issue;
  if (other)
    throw refusal("OTHER_LOOP", `Loop ${loopId} does not work on issue #${issue}.`, "Ask on the loop's own issue.");
  const isSeen = issue !== undefined && stored.github?.pull_request !== null;
  if (isSeen && head === null && command !== null && command !== "start" && letsWork(command)) {
    throw forged(`The input ${INPUT} does not say for which commit of the loop's pull request it holds.`);
  }
  const named = pullRequest !== null && loopId !== null;
  if (named && !isLoopOf(stored, { number: pullRequest, headBranch: headBranch ?? "" })) {
    const what = `Loop ${loopId} is not the one of pull request #${pullRequest}.`;
    throw refusal("OTHER_LOOP", what, "Ask on the loop's own pull request.");
  }
  refuseObeyed(request, stored);
  if (request?.startsWith("run:") === true && (stored.github?.continuations ?? 0) >= MOST_CONTINUATIONS) {
    const what = `Checks that failed, or the loop itself, have started it ${MOST_CONTINUATIONS} times in a row.`;
    throw refusal("TOO_OFTEN", what, "Look at the work, then let it go on with /smithers continue.");
  }
}

/**
 * Refuses what was obeyed already, as when somebody runs an old run again.
 *
 * @param request as in `comment:30`; null: nothing that could be repeated
 * @throws UsageError `OBEYED_ALREADY`
 */
export function refuseObeyed(request: string | null, stored: LoopState | undefined): void {
  if (request === null || request !== stored?.github?.obeyed) return;
  const what = `The loop has done already what ${request} asks for.`;
  throw refusal("OBEYED_ALREADY", what, "Ask again, with a new comment.");
}
