import { done } from "../../core/result.ts";
import { entryOf, type Ledger, storiesBefore } from "../../core/story/ledger.ts";
import { loopIdOfPrd, type Story } from "../../core/story/story.ts";
import { tipOf } from "../../github/refs.ts";
import { branchOfRun } from "../../github/context.ts";
import { dispatchWorkflow } from "../../github/dispatch.ts";
import { INPUT, writeInput } from "../../github/intent-input.ts";
import { publishPullRequest } from "../../github/own-pull-request.ts";
import { stickyComment } from "../../github/sticky-comment.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import {
  landedComment,
  notLandedComment,
  type PrdReport,
  prdPullRequest,
  prdTitle,
  type StoryStanding,
  waveComment,
} from "../../views/github/landing-report.ts";
import { landingMarker, pullRequestMarker } from "../../views/github/markers.ts";
import { type Closing, type TakenStory, WITHIN } from "./closing.ts";
import type { Closed, StoryFate } from "./land-story.ts";
import { dropLoop, tellPull } from "./story-pulls.ts";

/** Where the workflow is started anew: what a branch of its own says does not count. */
function defaultBranchOf({ context }: Closing): string {
  return context.event.defaultBranch ?? branchOfRun(context);
}

/**
 * Makes the pull requests of a story's loops say what the ledger says of it, and deletes what nobody needs: branch and ref
 * of the loop that has landed. The others stay, as evidence. Safe to repeat.
 */
export async function tidyStory(closing: Closing, { story, take, loops }: TakenStory, fate: StoryFate): Promise<void> {
  const { ledger, branch, config } = closing;
  const { id } = story;
  const { state, passed, commit, take: now, blocked, feedback } = entryOf(ledger.now, id);
  if (state === "passed" && passed === "proved" && commit !== null) {
    const winner = await winnerOf(closing, loops, commit, fate);
    for (const loop of loops) {
      const isWinner = loop === winner;
      const text = isWinner ? landedComment(id, commit, branch) : notLandedComment(id, "", OTHER);
      await tellPull(closing, loop, { text, closes: true });
      if (isWinner) await dropLoop(closing, loop);
    }
    return;
  }
  if (now === take.take) return;
  const why = textWithoutSecrets(blocked ?? feedback ?? "", config);
  const text = notLandedComment(id, why, blocked === null ? AGAIN : WAITS);
  for (const loop of loops) await tellPull(closing, loop, { text, closes: blocked === null });
}

const OTHER = "Another candidate has landed; this one is kept as evidence, on its branch.";
const AGAIN = "It begins again, from what the PRD's branch holds then. Its branch is kept as evidence.";
const WAITS = "It waits for a person.";

/** Which of its loops has landed with a commit. */
async function winnerOf({ git, wave }: Closing, loops: readonly string[], commit: string, fate: StoryFate) {
  if (fate.fate === "landed") return fate.loop;
  if (loops.length === 1) return loops[0];
  const since = await git.since(wave.commit, commit, WITHIN.git);
  const message = since.ok ? since.value.find((one) => one.commit === commit)?.message : undefined;
  return loops.find((loop) => message?.split("\n").includes(`Smithers-Loop: ${loop}`));
}

/** How a PRD is. @param next what comes next, as a sentence */
export function reportOf(
  { prd, branch, wave, ledger }: Closing,
  fates: readonly (readonly [TakenStory, Closed])[],
  next: string,
): PrdReport {
  const before = storiesBefore(ledger.now, prd, false);
  const told = fates.map(([{ story }, { fate }]) => ({ id: story.id, text: fateText(ledger.now, story, fate) }));
  const stories = prd.stories.map((story): StoryStanding => {
    const { commit, passed, proved, blocked, feedback, attempts } = entryOf(ledger.now, story.id);
    const { state = "pending", blocked: isBlocked = false } = before.get(story.id) ?? {};
    const how = state === "passed" ? (passed === "accepted" ? "accepted" : "passed") : isBlocked ? "blocked" : state;
    const { id, title, criteria } = story;
    return { id, title, how, commit, proved, criteria: criteria.length, attempts, why: blocked ?? feedback ?? "" };
  });
  return { prd: prd.name, branch, wave: wave.number, stories, next, fates: told };
}

function fateText(ledger: Ledger, { id, criteria }: Story, fate: StoryFate): string {
  const { state, commit, proved, blocked, feedback } = entryOf(ledger, id);
  if (state === "passed") {
    const shown = proved === null ? "" : `, proved ${proved} of ${criteria.length}`;
    return commit === null ? "it has passed" : `it has landed as ${commit.slice(0, 12)}${shown}`;
  }
  if (fate.fate === "goes_on") return "it was cut off, and goes on in the next wave";
  return blocked === null ? `it begins again: ${feedback ?? "it has not landed"}` : `it is blocked: ${blocked}`;
}

/** What a wave adds to the notes of its PRD, in Markdown. */
export function noteOf({ wave, fates }: PrdReport, learned: ReadonlyMap<string, readonly string[]>): string {
  const lines = fates.flatMap(({ id, text }) => [
    `- ${id}: ${plain(text)}`,
    ...(learned.get(id) ?? []).map((one) => `  - ${plain(one)}`),
  ]);
  return `## Wave ${wave}\n\n${lines.join("\n")}\n\n`;
}

const NOTE = 500;

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().slice(0, NOTE);
}

/**
 * Makes the pull request of the PRD's branch say how the PRD is: a draft until every story has passed. What fails is told.
 */
export async function publishReport(closing: Closing, report: PrdReport): Promise<void> {
  const { github, teller, prd, branch } = closing;
  const access = await github.within(WITHIN.ask);
  const marker = pullRequestMarker(loopIdOfPrd(prd.name));
  const isDone = report.stories.every(({ how }) => how === "passed" || how === "accepted");
  const published = await publishPullRequest(access, {
    ...{ branch, base: defaultBranchOf(closing), title: prdTitle(report), body: prdPullRequest(report, marker) },
    ...{ draft: !isDone, marker, known: null },
  });
  if (!published.ok) {
    const { kind, because } = published.trouble;
    if (kind !== "nothing_to_publish") teller.notice(`The PRD has no pull request: ${because}.`);
    return;
  }
  const { number, url, notes } = published.value;
  for (const note of notes) teller.notice(`${note}.`);
  teller.line(`the PRD's pull request: ${url}`);
  const comment = stickyComment(access, { number, marker: landingMarker(loopIdOfPrd(prd.name)) });
  const put = report.fates.length === 0 ? done(undefined) : await comment.put(waveComment(report));
  if (!put.ok) teller.notice(`The wave could not be told on pull request #${number}: ${put.trouble.because}.`);
}

/** Starts the next wave on the default branch. @returns why it was not started, as part of a sentence; null: it was */
export async function askForNext({ context, github, teller, prd, branch, ...rest }: Closing): Promise<string | null> {
  const access = await github.within(WITHIN.ask);
  const tip = await tipOf(access, `heads/${branch}`);
  const order = { name: prd.name, verb: "run", story: null, words: "" } as const;
  const head = tip.ok ? tip.value : null;
  const input = writeInput({ command: "prd", loop: null, pr: null, head, request: null, self: true, prd: order });
  const ref = defaultBranchOf({ context, github, teller, prd, branch, ...rest });
  const started = await dispatchWorkflow(access, { workflow: context.workflow.file, ref, inputs: { [INPUT]: input } });
  if (!started.ok) return started.trouble.because;
  const { runUrl } = started.value;
  teller.line(`the next wave was asked for${runUrl === null ? "" : `: ${runUrl}`}`);
  return null;
}
