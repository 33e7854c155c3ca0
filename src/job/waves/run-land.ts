import { locate } from "../../app/locate.ts";
import { resolveSettings } from "../../config/resolve.ts";
import { UsageError } from "../../core/errors.ts";
import { whyNoNext } from "../../core/story/landing.ts";
import { closed, type Ledger, nextWave, unlandedAccepted, type Wave } from "../../core/story/ledger.ts";
import { ledgerRef, loopsOfTake } from "../../core/story/wave-names.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
import { createLandingGit } from "../../git/landing/landing-git.ts";
import { ProvingGround } from "../../git/landing/stand-at.ts";
import { githubAccess } from "../../github/access.ts";
import { probePullRequests, probeWorkflow } from "../../github/probes.ts";
import { firstToken, withAppToken } from "../../github/app/app-token.ts";
import { readContext } from "../../github/context.ts";
import { isSwitchedOff, KILL_SWITCH } from "../../github/kill-switch.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { createTeller } from "../../os/teller.ts";
import { writeJobSummary } from "../../reporters/job-files.ts";
import { jobPlaceOf, marksOf } from "../../store/place.ts";
import { maskSecrets } from "../../store/redaction.ts";
import { landingSummary } from "../../views/github/landing-report.ts";
import { asInputs } from "../../views/run-view.ts";
import { Base } from "../base.ts";
import { pushRight, tellOwnWorkflow, tellRights } from "../github-preflight.ts";
import type { Host } from "../run-stage.ts";
import { ownBranchOf, prdAtBase } from "./base-prd.ts";
import { branchesOf, type Closing, type Landing, type TakenStory, WITHIN } from "./closing.ts";
import { keepReport } from "./keep-report.ts";
import { KeptLedger } from "./kept-ledger.ts";
import { type Closed, landStory } from "./land-story.ts";
import { landAccepted } from "./land-accepted.ts";
import { landLoop } from "./land-loop.ts";
import { NO_COMMIT } from "./plan-loop.ts";
import { proving } from "./prove.ts";
import { giveUpStory } from "./removed-story.ts";
import { askForNext, noteOf, publishReport, reportOf, tidyStory } from "./report-wave.ts";
import { runs } from "./begin-wave.ts";
import { isWholeLoop, wholeLoopOf } from "./whole-loop.ts";

/**
 * The job that closes a wave (decision 0035): puts what its stories' jobs have done on the PRD's branch, proves it there,
 * and asks for the next wave. Killed at any point and run again, it goes on where it has stopped. Without a PRD, it chooses
 * the best of several loops (0036).
 *
 * @returns the exit code
 * @throws UsageError for a PRD that is not on the base, is invalid or is not named
 * @throws OperationalError when something is not known or refused that is no story's fault: the wave stays open then
 */
export async function runLand(host: Host, log: RunnerLog): Promise<number> {
  const job = await readLandJob(host, log);
  await tellOwnWorkflow(job.context, job.teller);
  if (isWholeLoop(job.config, job.context)) {
    const whole = wholeLoopOf(job.context, job.location, job.config);
    if (job.files === null) throw NO_COMMIT;
    return landLoop(await landingOf(job, job.files), whole, host, log);
  }
  const closing = await closingOf(job, log);
  if (closing === undefined) return 0;
  const { teller, wave } = closing;
  if (wave.is_open && (await runs(wave, closing.context, await closing.github.within(WITHIN.ask)))) {
    teller.notice(`Wave ${wave.number} is at work in another run, which closes it.`);
    return 0;
  }
  const isOff = isSwitchedOff(host.env[KILL_SWITCH]);
  const isAccepted = unlandedAccepted(closing.ledger.now, closing.prd).length > 0;
  if (wave.is_open || isAccepted) await landPreflight(closing);
  const accepted = await landAccepted(closing);
  const fates = [...accepted, ...(wave.is_open ? await landAll(host, log, closing, accepted) : [])];
  const { next, isFailed } = await goOn(closing, fates, isOff);
  const report = reportOf(closing, fates, next);
  writeJobSummary(log.secrets.hiddenInWords(landingSummary(report)));
  const kept = fates.flatMap(([, done]) => done.kept);
  await keepReport(closing, host, report, kept);
  return isFailed ? 1 : 0;
}

/** Milliseconds of one question of the preflight. */
const PREFLIGHT_MS = 10_000;

type Fates = readonly (readonly [TakenStory, Closed])[];

/** @param before stories that were seen to already */
async function landAll(host: Host, log: RunnerLog, closing: Closing, before: Fates): Promise<Fates> {
  const { context, place, config, teller, wave, prd } = closing;
  return proving({ host, context, place, config, log, teller }, async (prove) => {
    const fates: [TakenStory, Closed][] = [];
    const seen = new Set(before.map(([{ story }]) => story.id));
    for (const take of wave.stories.filter(({ story }) => !seen.has(story))) {
      const story = prd.stories.find(({ id }) => id === take.story);
      if (story === undefined) {
        await giveUpStory(closing, take);
        continue;
      }
      const taken = { story, take, loops: loopsOfTake(prd.name, take) };
      const done = await landStory(closing, taken, prove);
      await tidyStory(closing, taken, done.fate);
      fates.push([taken, done]);
    }
    return fates;
  });
}

/**
 * Asks, without writing anything, whether the closing job may do what it is for, before it proves anything: push the
 * PRD's branch and ledger, see to pull requests, and start the next wave.
 *
 * @throws UsageError `PREFLIGHT` when nothing could land, unless `preflight` is `warn`
 */
async function landPreflight(closing: Closing): Promise<void> {
  const { context, config, github, prd, branch, teller } = closing;
  const refs = [branch, ledgerRef(prd.name)];
  const { file } = context.workflow;
  const access = await github.within(PREFLIGHT_MS);
  const work = await branchesOf(closing).named(branch);
  const [rehearsed, pulls, workflow] = await Promise.all([
    work?.dryRun([ledgerRef(prd.name)], PREFLIGHT_MS),
    probePullRequests(access),
    probeWorkflow(access, file),
  ]);
  const rights = {
    push: rehearsed === undefined ? null : { refs, right: pushRight(rehearsed) },
    pullRequests: pulls.right,
    ...{ creation: null, dispatch: { workflow: file, right: workflow.right }, ci: null, labels: null },
    aheadMs: pulls.aheadMs,
  };
  tellRights(rights, config.preflight === "warn", teller);
}

/** Closes the wave, tells how the PRD is, and asks for the next one where there is to be one. */
async function goOn(closing: Closing, fates: Fates, isOff: boolean) {
  const { ledger, prd, config } = closing;
  const { waveSize, onBlockedStory: onBlocked } = config;
  const whyNot = (now: Ledger) => whyNoNext({ ledger: now, prd, waveSize, onBlocked, isOff });
  const wasOpen = isLast(ledger.now, closing.wave) && ledger.now.wave?.is_open === true;
  const ending = wasOpen ? whyNot(closed(ledger.now)) : whyNot(ledger.now);
  const isDue = ending === null && (wasOpen || (isLast(ledger.now, closing.wave) && ledger.now.wave?.next === "due"));
  const next = isDue ? "The next wave is asked for." : (ending ?? "The next wave was asked for.");
  await publishReport(closing, reportOf(closing, fates, next));
  if (wasOpen) {
    const learned = new Map(fates.map(([{ story }, done]) => [story.id, done.learned]));
    const note = noteOf(reportOf(closing, fates, next), learned);
    await ledger.change((now) => {
      if (!isLast(now, closing.wave) || now.wave?.is_open !== true) return now;
      return nextWave(closed(now), isDue ? "due" : null);
    }, note);
  }
  if (!isDue) return { next, isFailed: false };
  const failed = await askForNext(closing);
  if (failed === null) {
    await ledger.change((now) =>
      isLast(now, closing.wave) && now.wave?.next === "due" ? nextWave(now, "asked") : now,
    );
    return { next, isFailed: false };
  }
  const told = `The next wave could not be started: ${failed}. Nothing is lost: /smithers prd ${prd.name} run begins it.`;
  closing.teller.error(told);
  await publishReport(closing, reportOf(closing, fates, told));
  return { next: told, isFailed: true };
}

function isLast({ wave }: Ledger, { number }: Wave): boolean {
  return wave?.number === number;
}

async function readLandJob({ env, stdout, stderr }: Host, log: RunnerLog) {
  const context = readContext(env);
  const base = Base.ofJob(env, context, log);
  const committed = (root: string) => base.at(root);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr, committed };
  const location = await locate({}, shell);
  const { config: read, notices } = resolveSettings(location.input);
  const config = withAppToken(read, context, log);
  await firstToken(config.githubToken);
  const teller = createTeller(log);
  maskSecrets(config, log);
  for (const text of [...base.remarks, ...notices]) teller.notice(asInputs(text));
  const github = githubAccess(config.githubToken, context);
  if (github === undefined) throw NO_TOKEN;
  const place = jobPlaceOf(context.temp, location.root, "land", null);
  return { context, config, place, github, teller, location, files: await base.files() };
}

type LandJob = Awaited<ReturnType<typeof readLandJob>>;

async function landingOf(job: LandJob, base: CommitFiles): Promise<Landing> {
  const { context, config, place, github, teller } = job;
  const { serverUrl, repository } = context;
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const folder = place.gitFolder("landing");
  const git = createLandingGit({ url, token: config.githubToken, mark: marksOf(place).tools, folder });
  const ground = await ProvingGround.open(base.repository, place.gitFolder("proving"));
  return { context, config, place, github, teller, base, git, ground };
}

async function closingOf(job: LandJob, log: RunnerLog): Promise<Closing | undefined> {
  const { context, config, place, teller, files } = job;
  if (config.prd === null) throw NOT_NAMED;
  const prd = await prdAtBase(files, config.prd, log);
  if (files === null) throw new Error("a PRD was read of no commit");
  const ledger = await KeptLedger.ofJob({ context, config, place }, prd.name);
  const { wave } = ledger.now;
  if (wave === null) {
    teller.notice(`The PRD ${prd.name} has had no wave, so there is nothing to close.`);
    return undefined;
  }
  return { ...(await landingOf(job, files)), prd, branch: ownBranchOf(prd, context), wave, ledger };
}

const NO_TOKEN = new UsageError({
  code: "NO_TOKEN",
  what: "There is no github-token, so nothing can land. The wave stays open.",
  next: "Leave the input github-token out, so that the workflow's own token is used.",
});

const NOT_NAMED = new UsageError({
  code: "PRD_NOT_NAMED",
  what: "This job does not know which PRD's wave it is to close. The wave stays open.",
  next: "Give it the input prd, with the output prd of the job that has planned; without a PRD, the same attempts as that.",
});
