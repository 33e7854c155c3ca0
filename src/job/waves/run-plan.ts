import { locate } from "../../app/locate.ts";
import type { PlanOutputs } from "../../config/action.ts";
import type { Config } from "../../config/config.ts";
import { resolveSettings } from "../../config/resolve.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { timestamp } from "../../core/open-loop.ts";
import { beginWave, storiesBefore, tokensOfStory, type Wave } from "../../core/story/ledger.ts";
import { DONE } from "../../core/result.ts";
import type { Prd } from "../../core/story/story.ts";
import { branchOfPrd, loopsOfTake } from "../../core/story/wave-names.ts";
import { planWave } from "../../core/story/waves.ts";
import type { HeldLedger, LedgerRef } from "../../git/ledger/ledger-ref.ts";
import { type GithubAccess, githubAccess } from "../../github/access.ts";
import type { Github } from "../../github/client.ts";
import { type GithubContext, readContext } from "../../github/context.ts";
import { KILL_SWITCH } from "../../github/kill-switch.ts";
import { reply } from "../../github/comments.ts";
import { createRef, tipOf } from "../../github/refs.ts";
import { readRun } from "../../github/runs.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { createTeller } from "../../os/teller.ts";
import { setOutputs, writeJobSummary } from "../../reporters/job-files.ts";
import { type PrdRequest, verifyPrdRequest } from "../../requests/verify-prd.ts";
import { jobPlaceOf } from "../../store/place.ts";
import { maskSecrets } from "../../store/redaction.ts";
import { refusalReply } from "../../views/github/relay-reply.ts";
import { waveReply, waveSummary } from "../../views/github/wave-summary.ts";
import { asInputs } from "../../views/run-view.ts";
import { Base } from "../base.ts";
import type { Host } from "../run-stage.ts";
import { prdAtBase } from "./base-prd.ts";
import { LEDGER_MS, ledgerOfJob, ledgerUnknown } from "./ledger-of-job.ts";
import { ledgerOnceObeyed } from "./obey.ts";

const WITHIN_MS = 60_000;
const ANSWER_MS = 20_000;

/**
 * The job that chooses the stories which run side by side next (decision 0035), and begins their wave: by one
 * compare-and-swap of the PRD's ledger, so that none begins twice. It runs no agent and no check.
 *
 * @returns the exit code
 * @throws UsageError for a PRD that is not on the base, is invalid or is not named, and for a request that is refused
 * @throws OperationalError `WAVE_UNKNOWN`, `LEDGER_UNKNOWN`, `BRANCH_UNKNOWN`; no wave was begun then
 */
export async function runPlan(host: Host, log: RunnerLog): Promise<number> {
  const { context, config, base } = await readPlanJob(host, log);
  const access = githubAccess(config.githubToken, context);
  if (access === undefined) throw NO_TOKEN;
  const asked = await verifyPrdRequest(context, access, config.allowedBots);
  const tell = async (body: string): Promise<void> => {
    if (asked !== null && asked.place !== null) await answer(access, asked.place, body, log);
  };
  try {
    const { outputs, said } = await plan({ host, log, context, config, base, asked, access });
    await setOutputs(outputs);
    await tell(said);
    return 0;
  } catch (error) {
    const { what, next } = (error instanceof UsageError ? error.problems[0] : undefined) ?? NOT_TOLD;
    await tell(refusalReply(log.secrets.hiddenInWords(what), next));
    throw error;
  }
}

const NOT_TOLD = {
  what: "The run that was to do it has failed; its log says why.",
  next: "Put that right, then ask again.",
};

/** Says where somebody has asked what came of it; the workflow may not let us. */
async function answer(
  access: GithubAccess,
  { number, on }: NonNullable<PrdRequest["place"]>,
  body: string,
  log: Pick<RunnerLog, "line">,
): Promise<void> {
  const written = await reply(await access.within(ANSWER_MS), number, body, on);
  if (!written.ok) log.line(`No answer could be written: ${written.trouble.because}.`);
}

/** What a plan comes to. */
interface Planned {
  readonly outputs: PlanOutputs;
  /** for who asked; Markdown */
  readonly said: string;
}

async function plan({ host, log, context, config, base, asked, access }: PlanJob): Promise<Planned> {
  const name = nameOf(asked, config.prd);
  const files = await base.files();
  const prd = await prdAtBase(files, name, log);
  const { serverUrl, repository, temp, workspace } = context;
  const place = jobPlaceOf(temp, workspace, "plan", null);
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const ref = ledgerOfJob(context, config, place, name);
  const { runId, attempt } = context;
  const by = `run ${runId}, attempt ${attempt}`;
  const held = await ledgerOnceObeyed(ref, prd, { asked, runId, attempt, by, notice: (text) => log.notice(text) });
  const github = await access.within(WITHIN_MS);
  const planning = { context, config, github, log, prd, asked, ref, by, held, base: files?.commit ?? "" };
  const isOff = asked?.by === "trigger" && (host.env[KILL_SWITCH] ?? "") !== "";
  return (await openWave(planning, url)) ?? (isOff ? switchedOff(planning) : begin(planning));
}

/** What the job knows before it has read anything of the PRD. */
interface PlanJob extends Pick<Planning, "context" | "config" | "log" | "asked"> {
  readonly access: GithubAccess;
  readonly host: Host;
  readonly base: Base;
}

/** What a wave is begun with. */
interface Planning {
  readonly context: GithubContext;
  readonly config: Config;
  readonly github: Github;
  readonly log: RunnerLog;
  readonly prd: Prd;
  readonly asked: PrdRequest | null;
  readonly ref: LedgerRef;
  /** whose change of the ledger it is */
  readonly by: string;
  readonly held: HeldLedger;
  /** the commit that the PRD was read at */
  readonly base: string;
}

/** What no job follows from. */
function nothing({ prd }: Planning): PlanOutputs {
  return { matrix: NO_JOBS, stories: "0", prd: prd.name, "prd-branch": branchOfPrd(prd), commit: "", wave: "" };
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
async function openWave(planning: Planning, url: string): Promise<Planned | undefined> {
  const { context, github, held } = planning;
  const { wave } = held.ledger;
  if (wave?.is_open !== true) return undefined;
  const address = `${url}/actions/runs/${wave.run}`;
  if (await runs(wave, context, github)) return untilThen(planning, `Wave ${wave.number} runs already: ${address}`);
  const outputs = { commit: wave.commit, wave: String(wave.number) };
  return untilThen(planning, `Wave ${wave.number} is closed first: ${address}`, outputs);
}

async function begin(planning: Planning): Promise<Planned> {
  const { context, config, github, log, prd, asked, ref, by, held, base } = planning;
  const branch = branchOfPrd(prd);
  const tip = await tipOf(github, `heads/${branch}`);
  if (!tip.ok && tip.trouble.kind !== "absent") throw branchUnknown(branch, tip.trouble.because);
  const commit = tip.ok ? tip.value : base;
  const head = asked?.head ?? commit;
  if (head !== commit) log.notice(`${branch} was left at ${head}, and is at ${commit} now: the stories begin there.`);
  const before = storiesBefore(held.ledger, prd, !tip.ok);
  const plan = planWave({ stories: prd.stories, before, waveSize: config.waveSize, only: config.story });
  const titles = new Map(prd.stories.map(({ id, title }) => [id, title]));
  const tokens = tokensOfStory(held.ledger);
  const summarize = (number: number | null): void =>
    writeJobSummary(
      log.secrets.hiddenInWords(waveSummary({ prd: prd.name, branch, commit, plan, titles, number, tokens })),
    );
  for (const { id, why } of plan.waiting) log.line(`${id} waits. ${why}`);
  const last = held.ledger.wave?.number ?? null;
  if (plan.stories.length === 0) {
    summarize(null);
    // What is left to do for a PRD whose last wave is closed, its closing job knows.
    const outputs = { ...nothing(planning), commit, wave: last === null ? "" : String(last) };
    return { outputs, said: waveReply(prd.name, null) };
  }
  const made = tip.ok ? DONE : await createRef(github, `refs/heads/${branch}`, commit);
  if (!made.ok) throw branchUnknown(branch, made.trouble.because);
  const begun = beginWave(held.ledger, plan.stories, { commit, run: context.runId, begun_at: timestamp(Date.now()) });
  const written = await ref.write(held, begun, by, LEDGER_MS);
  if (!written.ok && written.trouble.kind === "moved") {
    return untilThen(planning, "Another run has changed the ledger of this PRD meanwhile, so nothing is begun here.");
  }
  if (!written.ok) throw ledgerUnknown(written.trouble);
  const number = (last ?? 0) + 1;
  summarize(number);
  log.line(`wave ${number} of PRD ${prd.name} has begun`);
  const matrix = matrixOf(prd.name, begun.wave);
  const stories = plan.stories.map(({ id }) => id);
  const outputs = { matrix, stories: String(stories.length), commit, wave: String(number) };
  return { outputs: { ...nothing(planning), ...outputs }, said: waveReply(prd.name, { number, stories }) };
}

/** A matrix without a job, which GitHub refuses to run: `stories` says that it is left out. */
const NO_JOBS = JSON.stringify({ include: [] });

/** One job for each candidate of each story. Only ids are in it, and none of them is anybody's words. */
export function matrixOf(prd: string, wave: Pick<Wave, "stories"> | null): string {
  const include = (wave?.stories ?? []).flatMap((take) =>
    loopsOfTake(prd, take).map((loop) => ({ story: take.story, loop })),
  );
  return JSON.stringify({ include });
}

async function readPlanJob({ env, stdout, stderr }: Host, log: RunnerLog) {
  const context = readContext(env);
  const token = env["INPUT_GITHUB-TOKEN"]?.trim() || null;
  const base = new Base(context, token);
  const committed = (root: string) => base.at(root);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr, committed };
  const { input } = await locate({}, shell);
  const { config, notices } = resolveSettings(input);
  const teller = createTeller(log);
  maskSecrets(config, log);
  for (const text of [...base.remarks, ...notices]) teller.notice(asInputs(text));
  return { context, config, base };
}

function nameOf(asked: PrdRequest | null, set: string | null): string {
  const name = asked?.prd ?? set;
  if (name === null) {
    const what = "This job does not know which PRD it is to plan. No story was begun.";
    const next =
      'Name it with the input prd, or start the workflow with smithers set to {"command":"prd","verb":"run"}.';
    throw new UsageError({ code: "PRD_NOT_NAMED", what, next });
  }
  if (set === null || set === name) return name;
  const what = `This workflow is for the PRD ${set}, and it was asked for ${name}. No story was begun.`;
  throw new UsageError({ code: "OTHER_PRD", what, next: "Leave the input prd out, or ask for that PRD." });
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

const NO_TOKEN = new UsageError({
  code: "NO_TOKEN",
  what: "There is no github-token, so the PRD's ledger can neither be read nor written. No story was begun.",
  next: "Leave the input github-token out, so that the workflow's own token is used.",
});
