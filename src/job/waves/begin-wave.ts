import type { PlanOutputs } from "../../config/action.ts";
import type { Config } from "../../config/config.ts";
import { OperationalError } from "../../core/errors.ts";
import { timestamp } from "../../core/open-loop.ts";
import { DONE } from "../../core/result.ts";
import {
  beginWave,
  editedStories,
  entryOf,
  type Ledger,
  reconciled,
  storiesBefore,
  tokensOfStory,
  unlandedAccepted,
  type Wave,
} from "../../core/story/ledger.ts";
import { storyDigest } from "../../core/story/stories.ts";
import type { Prd } from "../../core/story/story.ts";
import { loopsOfTake } from "../../core/story/wave-names.ts";
import { planWave } from "../../core/story/waves.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
import type { LandingGit } from "../../git/landing/landing-git.ts";
import type { Github } from "../../github/client.ts";
import type { GithubContext } from "../../github/context.ts";
import { KILL_SWITCH } from "../../github/kill-switch.ts";
import { createRef, tipOf } from "../../github/refs.ts";
import { readRun } from "../../github/runs.ts";
import { sha256 } from "../../os/digest.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { writeJobSummary } from "../../reporters/job-files.ts";
import type { PrdRequest } from "../../requests/verify-prd.ts";
import { waveReply, waveSummary } from "../../views/github/wave-summary.ts";
import { heldByBranch } from "./held-by-branch.ts";
import type { KeptLedger } from "./kept-ledger.ts";

/** How often somebody else may change the ledger before a wave has begun. */
const MOST_TRIES = 5;

/** What a plan comes to. */
export interface Planned {
  readonly outputs: PlanOutputs;
  /** for who asked; Markdown */
  readonly said: string;
}

/** What a wave is begun with. */
export interface Planning {
  readonly context: GithubContext;
  readonly config: Config;
  readonly github: Github;
  readonly log: RunnerLog;
  readonly prd: Prd;
  readonly asked: PrdRequest | null;
  readonly ledger: KeptLedger;
  /** of the commit that the PRD was read at */
  readonly base: CommitFiles;
  /** the PRD's, without `refs/heads/` */
  readonly branch: string;
  readonly git: Pick<LandingGit, "since">;
}

/** What no job follows from. */
function nothing({ prd, branch }: Planning): PlanOutputs {
  return { matrix: NO_JOBS, stories: "0", prd: prd.name, "prd-branch": branch, commit: "", wave: "" };
}

/**
 * Closes the wave that is open, or begins the next one.
 *
 * @param isOff whether somebody has switched off what nobody has asked for
 * @throws OperationalError `WAVE_UNKNOWN`, `LEDGER_UNKNOWN`, `BRANCH_UNKNOWN`; no wave was begun then
 */
export async function nextWaveOf(planning: Planning, isOff: boolean): Promise<Planned> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const planned = (await openWave(planning)) ?? (isOff ? switchedOff(planning) : await begin(planning));
    if (planned !== null) return planned;
  }
  return untilThen(planning, "Other runs change the ledger of this PRD all the time, so nothing is begun here.");
}

function switchedOff(planning: Planning): Planned {
  return untilThen(planning, `${KILL_SWITCH} is set, so no wave is begun that nobody has asked for.`);
}

/** @param said why no story is begun now */
function untilThen(planning: Planning, said: string, outputs: Partial<PlanOutputs> = {}): Planned {
  planning.log.notice(said);
  return { outputs: { ...nothing(planning), ...outputs }, said };
}

/** What follows from a wave that is open: it runs, or it is closed before the next one is begun. Undefined: none is. */
async function openWave(planning: Planning): Promise<Planned | undefined> {
  const { context, github, ledger } = planning;
  const { wave } = ledger.now;
  if (wave?.is_open !== true) return acceptedFirst(planning);
  const { serverUrl, repository } = context;
  const address = `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${wave.run}`;
  if (await runs(wave, context, github)) return untilThen(planning, `Wave ${wave.number} runs already: ${address}`);
  const outputs = { commit: wave.commit, wave: String(wave.number) };
  return untilThen(planning, `Wave ${wave.number} is closed first: ${address}`, outputs);
}

/** What a person has accepted lands before what may depend on it begins. Undefined: nothing is to land. */
function acceptedFirst(planning: Planning): Planned | undefined {
  const { ledger, prd } = planning;
  const { wave } = ledger.now;
  const [first, ...more] = unlandedAccepted(ledger.now, prd);
  if (wave === null || first === undefined) return undefined;
  const which = more.length === 0 ? first.id : `${first.id} and ${more.length} more`;
  const said = `What an open pull request shows of ${which} lands first, as it is; then the next wave begins.`;
  return untilThen(planning, said, { commit: wave.commit, wave: String(wave.number) });
}

/** @returns null: somebody has changed the ledger meanwhile, so nothing is begun on what was read */
async function begin(planning: Planning): Promise<Planned | null> {
  const { context, config, github, log, prd, asked, ledger, base, branch } = planning;
  const outdated = await whyOutdated(planning);
  if (outdated !== null) return untilThen(planning, outdated);
  const tip = await tipOf(github, `refs/heads/${branch}`);
  if (!tip.ok && tip.trouble.kind !== "absent") throw branchUnknown(branch, tip.trouble.because);
  const commit = tip.ok ? tip.value : base.commit;
  const { ledger: known, remarks } = await asGitSays(planning, tip.ok ? commit : null);
  for (const remark of [...leftBehind(asked, branch, commit), ...remarks]) log.notice(remark);
  const before = storiesBefore(known, prd);
  const plan = planWave({ stories: prd.stories, before, waveSize: config.waveSize, only: config.story });
  const titles = new Map(prd.stories.map(({ id, title }) => [id, title]));
  const tokens = tokensOfStory(known);
  const summarize = (number: number | null): void =>
    writeJobSummary(
      log.secrets.hiddenInWords(waveSummary({ prd: prd.name, branch, commit, plan, titles, number, tokens, remarks })),
    );
  for (const { id, why } of plan.waiting) log.line(`${id} waits. ${why}`);
  const last = known.wave?.number ?? null;
  if (plan.stories.length === 0) {
    if (known !== ledger.now && !(await ledger.put(known))) return null;
    summarize(null);
    // What is left to do for a PRD whose last wave is closed, its closing job knows.
    const outputs = { ...nothing(planning), commit, wave: last === null ? "" : String(last) };
    return { outputs, said: [waveReply(prd.name, null), ...remarks].join(" ") };
  }
  const made = tip.ok ? DONE : await createRef(github, `refs/heads/${branch}`, commit);
  if (!made.ok) throw branchUnknown(branch, made.trouble.because);
  const begun = beginWave(known, plan.stories, { commit, run: context.runId, begun_at: timestamp(Date.now()) });
  if (!(await ledger.put(begun))) return null;
  const number = (last ?? 0) + 1;
  summarize(number);
  log.line(`wave ${number} of PRD ${prd.name} has begun`);
  const matrix = matrixOf(prd.name, begun.wave);
  const stories = plan.stories.map(({ id }) => id);
  const outputs = { matrix, stories: String(stories.length), commit, wave: String(number) };
  const said = [waveReply(prd.name, { number, stories }), ...remarks].join(" ");
  return { outputs: { ...nothing(planning), ...outputs }, said };
}

/** Why a run that somebody has started again begins nothing, as sentences: its PRD is an old one. Null: it may. */
async function whyOutdated({ context, github, prd, base }: Planning): Promise<string | null> {
  const { defaultBranch } = context.event;
  if (context.attempt === 1 || defaultBranch === null) return null;
  const now = await tipOf(github, `refs/heads/${defaultBranch}`);
  if (!now.ok) throw branchUnknown(defaultBranch, now.trouble.because);
  if (now.value === base.commit) return null;
  return `${defaultBranch} has moved since this run was started first, and the PRD may be another one now, so no story is begun. Start the workflow again, or ask for /smithers prd ${prd.name} run.`;
}

/** The ledger as git says it is, and what a person should know of it, in whole sentences. @param tip null: there is no branch */
async function asGitSays(
  { prd, ledger, base, branch, git }: Planning,
  tip: string | null,
): Promise<{ readonly ledger: Ledger; readonly remarks: readonly string[] }> {
  const commits = tip === null ? new Set<string>() : await heldByBranch(git, prd, base, tip);
  const known = reconciled(ledger.now, prd, commits);
  const lost = prd.stories.filter(({ id }) => entryOf(known, id) !== entryOf(ledger.now, id));
  const digests = prd.stories.map((story) => ({ id: story.id, digest: storyDigest(story, sha256) }));
  const edited = editedStories(known, digests);
  return {
    ledger: known,
    remarks: [
      ...lost.map(({ id }) => `${id} had landed, and ${branch} holds its commit no more: it begins again.`),
      ...edited.map((id) => `${id} has passed and reads differently now. It waits for retry.`),
    ],
  };
}

/** Where the closing job that has asked for this wave saw the branch: told where it is another one now. */
function leftBehind(asked: PrdRequest | null, branch: string, commit: string): readonly string[] {
  const { head = null, branch: before = null } = asked ?? {};
  if (before !== null && before !== branch) {
    return [`The wave before landed on ${before}, and the PRD names ${branch} now: the stories land there.`];
  }
  if (head === null || head === commit) return [];
  return [`${branch} was left at ${head}, and is at ${commit} now: the stories begin there.`];
}

/** A matrix without a job, which GitHub refuses to run: `stories` says that it is left out. */
const NO_JOBS = JSON.stringify({ include: [] });

/** One job for each candidate of each story. Only ids are in it, and none of them is anybody's words. */
function matrixOf(prd: string, wave: Pick<Wave, "stories"> | null): string {
  const include = (wave?.stories ?? []).flatMap((take) =>
    loopsOfTake(prd, take).map((loop) => ({ story: take.story, loop })),
  );
  return JSON.stringify({ include });
}

/** Whether another run is at work on a wave. */
export async function runs({ number, run }: Wave, { runId }: GithubContext, github: Github): Promise<boolean> {
  if (run === runId) return false;
  const found = await readRun(github, run);
  if (found.ok) return !found.value.ended;
  if (found.trouble.kind === "absent") return false;
  throw new OperationalError({
    code: "WAVE_UNKNOWN",
    what: `Whether wave ${number} still runs is not known: ${found.trouble.because}. No story was begun.`,
    next: "Give the job the permission `actions: read`, or try again when GitHub answers.",
  });
}

function branchUnknown(branch: string, because: string): OperationalError {
  return new OperationalError({
    code: "BRANCH_UNKNOWN",
    what: `The branch ${branch}, onto which the stories land, could not be found or made: ${because}. No story was begun.`,
    next: "Give the job the permission `contents: write`, or try again when GitHub answers.",
  });
}
