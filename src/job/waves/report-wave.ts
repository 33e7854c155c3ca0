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
  hasPassed,
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
import { oneLine } from "../../views/plain-text.ts";
import { dropLoop, pullOfStory, tellPull } from "./story-pulls.ts";

/** Where the workflow is started anew: what a branch of its own says does not count. */
function defaultBranchOf({ context }: Closing): string {
  return context.event.defaultBranch ?? branchOfRun(context);
}

/**
 * Makes the pull requests of a story's loops say what the ledger says of it, and deletes what nobody needs: branch and ref
 * of the loop that has landed. The others stay, as evidence. Safe to repeat.
 */
export async function tidyStory(closing: Closing, taken: TakenStory, fate: StoryFate): Promise<void> {
  const { story, take, loops } = taken;
  const { ledger, config } = closing;
  const { id } = story;
  const { state, passed, commit, take: now, blocked, feedback } = entryOf(ledger.now, id);
  const lost = new Map(lostIn(ledger.now, taken).map(({ loop, why }) => [loop, why]));
  if (state === "passed" && passed === "proved" && commit !== null) {
    await tidyLanded(closing, taken, { commit, passed, winner: await winnerOf(closing, loops, commit, fate) });
    return;
  }
  // It lands, or is found to have nothing to land, by itself.
  if (passed === "accepted") return;
  if (now === take.take) return;
  const why = textWithoutSecrets(blocked ?? feedback ?? "", config);
  for (const loop of loops) {
    const text = notLandedComment(id, lost.get(loop) ?? why, blocked === null ? AGAIN : WAITS);
    await tellPull(closing, pullOfStory(closing, loop), { text, closes: blocked === null });
  }
}

/** The same for a story that has landed. @param winner the loop whose work it is; undefined: not known */
export async function tidyLanded(
  closing: Closing,
  taken: TakenStory,
  landed: { readonly commit: string; readonly passed: "proved" | "accepted"; readonly winner: string | undefined },
): Promise<void> {
  const { ledger, branch } = closing;
  const { id } = taken.story;
  const lost = new Map(lostIn(ledger.now, taken).map(({ loop, why }) => [loop, why]));
  for (const loop of taken.loops) {
    const isWinner = loop === landed.winner;
    const text = isWinner
      ? landedComment(id, landed.commit, { branch, passed: landed.passed })
      : notLandedComment(id, lost.get(loop) ?? "", OTHER);
    await tellPull(closing, pullOfStory(closing, loop), { text, closes: true });
    if (isWinner) await dropLoop(closing, loop);
  }
}

const OTHER = "Another candidate has landed; this one is kept as evidence, on its branch.";
const AGAIN = "It begins again, from what the PRD's branch holds then. Its branch is kept as evidence.";
/** What comes next for a story that is blocked. */
export const WAITS = "It waits for a person.";

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
  const before = storiesBefore(ledger.now, prd);
  const told = fates.map(([taken, { fate }]) => {
    const { story } = taken;
    const lost = lostIn(ledger.now, taken);
    return { id: story.id, text: fateText(ledger.now, story, fate), lost };
  });
  const stories = prd.stories.map((story): StoryStanding => {
    const { commit, passed, proved, blocked, feedback, attempts, accepted_by: by } = entryOf(ledger.now, story.id);
    const { state = "pending", blocked: isBlocked = false } = before.get(story.id) ?? {};
    const how: StoryStanding["how"] = state === "passed" ? HOW[passed ?? "file"] : isBlocked ? "blocked" : state;
    const { id, title, criteria } = story;
    const common = { id, title, how, by: by ?? null, commit, proved, criteria: criteria.length };
    return { ...common, attempts, why: blocked ?? feedback ?? "" };
  });
  return { prd: prd.name, branch, wave: wave.number, stories, next, fates: told };
}

/** How a story has passed; `file`: only `prd.json` says so. */
const HOW = { proved: "passed", accepted: "accepted", file: "taken_over" } as const;

/** Of several candidates, those that have not landed, by their loops. */
function lostIn(ledger: Ledger, { story, loops }: TakenStory) {
  const { lost = [] } = entryOf(ledger, story.id);
  return loops.flatMap((loop, at) => {
    const found = lost.find(({ candidate }) => candidate === at + 1);
    return found === undefined ? [] : [{ loop, why: found.why }];
  });
}

function fateText(ledger: Ledger, { id, criteria }: Story, fate: StoryFate): string {
  const { state, commit, proved, blocked, feedback, passed, accepted_by: by = "a person" } = entryOf(ledger, id);
  if (state === "passed" && passed === "accepted") {
    const landed = fate.fate === "landed" ? `its work has landed as it was, as ${fate.commit.slice(0, 12)}` : null;
    return `${by} has accepted it, and ${landed ?? "no open pull request shows work of it that could land"}`;
  }
  if (state === "passed") {
    const shown = proved === null ? "" : `, proved ${proved} of ${criteria.length}`;
    return commit === null ? "prd.json says that it has passed" : `it has landed as ${commit.slice(0, 12)}${shown}`;
  }
  if (fate.fate === "goes_on") return "it was cut off, and goes on in the next wave";
  if (blocked !== null) return `it waits for a person: ${blocked}`;
  return `it begins again: ${feedback ?? "a person has said so"}`;
}

/** What a wave adds to the notes of its PRD, in Markdown. */
export function noteOf({ wave, fates }: PrdReport, learned: ReadonlyMap<string, readonly string[]>): string {
  const lines = fates.flatMap(({ id, text, lost }) => [
    `- ${id}: ${plain(text)}`,
    ...lost.map(({ loop, why }) => `  - not ${loop}: ${plain(why)}`),
    ...(learned.get(id) ?? []).map((one) => `  - ${plain(one)}`),
  ]);
  return `## Wave ${wave}\n\n${lines.join("\n")}\n\n`;
}

const NOTE = 500;
/** Blocked stories that are told on the page of the run. */
const MOST_TOLD = 10;

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().slice(0, NOTE);
}

/**
 * Makes the pull request of the PRD's branch say how the PRD is: a draft until every story has passed. What fails is told.
 */
export async function publishReport(closing: Closing, report: PrdReport): Promise<void> {
  const { github, teller, prd, branch, config } = closing;
  for (const { id, why } of report.stories.filter(({ how }) => how === "blocked").slice(0, MOST_TOLD)) {
    teller.notice(`${id} waits for a person: ${oneLine(textWithoutSecrets(why, config)).slice(0, NOTE)}`);
  }
  const access = await github.within(WITHIN.ask);
  const marker = pullRequestMarker(loopIdOfPrd(prd.name));
  const isDone = report.stories.every(hasPassed);
  const published = await publishPullRequest(access, {
    ...{ branch, base: defaultBranchOf(closing), title: prdTitle(report), body: prdPullRequest(report, marker) },
    ...{ draft: !isDone, marker, known: null },
  });
  if (!published.ok) {
    const { kind, because } = published.trouble;
    teller.notice(`The PRD has no pull request${kind === "nothing_to_publish" ? " yet" : ""}: ${because}.`);
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
  const tip = await tipOf(access, `refs/heads/${branch}`);
  const order = { name: prd.name, verb: "run", story: null, branch, words: "" } as const;
  const head = tip.ok ? tip.value : null;
  const input = writeInput({
    command: "prd",
    loop: null,
    pr: null,
    issue: null,
    head,
    request: null,
    self: true,
    prd: order,
  });
  const ref = defaultBranchOf({ context, github, teller, prd, branch, ...rest });
  const started = await dispatchWorkflow(access, { workflow: context.workflow.file, ref, inputs: { [INPUT]: input } });
  if (!started.ok) return started.trouble.because;
  const { runUrl } = started.value;
  teller.line(`the next wave was asked for${runUrl === null ? "" : `: ${runUrl}`}`);
  return null;
}
