import { locate } from "../../app/locate.ts";
import { resolveSettings } from "../../config/resolve.ts";
import { UsageError } from "../../core/errors.ts";
import { whyNoNext } from "../../core/story/landing.ts";
import { closed, type Ledger, nextWave, type Wave } from "../../core/story/ledger.ts";
import { branchOfPrd, loopsOfTake } from "../../core/story/wave-names.ts";
import { createLandingGit } from "../../git/landing/landing-git.ts";
import { ProvingGround } from "../../git/landing/stand-at.ts";
import { githubAccess } from "../../github/access.ts";
import { readContext } from "../../github/context.ts";
import { KILL_SWITCH } from "../../github/kill-switch.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { createTeller } from "../../os/teller.ts";
import { writeJobSummary } from "../../reporters/job-files.ts";
import { jobPlaceOf, marksOf } from "../../store/place.ts";
import { maskSecrets } from "../../store/redaction.ts";
import { landingSummary } from "../../views/github/landing-report.ts";
import { asInputs } from "../../views/run-view.ts";
import { Base } from "../base.ts";
import type { Host } from "../run-stage.ts";
import { prdAtBase } from "./base-prd.ts";
import { type Closing, type TakenStory, WITHIN } from "./closing.ts";
import { KeptLedger } from "./kept-ledger.ts";
import { ledgerOfJob } from "./ledger-of-job.ts";
import { type Closed, landStory } from "./land-story.ts";
import { landPreflight } from "./land-preflight.ts";
import { proving } from "./prove.ts";
import { askForNext, noteOf, publishReport, reportOf, tidyStory } from "./report-wave.ts";
import { runs } from "./run-plan.ts";

/**
 * The job that closes a wave (decision 0035): puts what its stories' jobs have done on the PRD's branch, proves it there,
 * and asks for the next wave. Killed at any point and run again, it goes on where it has stopped.
 *
 * @returns the exit code
 * @throws UsageError for a PRD that is not on the base, is invalid or is not named
 * @throws OperationalError when something is not known or refused that is no story's fault: the wave stays open then
 */
export async function runLand(host: Host, log: RunnerLog): Promise<number> {
  const closing = await readLandJob(host, log);
  if (closing === undefined) return 0;
  const { teller, wave } = closing;
  if (wave.is_open && (await runs(wave, closing.context, await closing.github.within(WITHIN.ask)))) {
    teller.notice(`Wave ${wave.number} is at work in another run, which closes it.`);
    return 0;
  }
  const isOff = (host.env[KILL_SWITCH] ?? "") !== "";
  const fates = wave.is_open ? await landAll(host, log, closing) : [];
  const { next, isFailed } = await goOn(closing, fates, isOff);
  writeJobSummary(log.secrets.hiddenInWords(landingSummary(reportOf(closing, fates, next))));
  return isFailed ? 1 : 0;
}

type Fates = readonly (readonly [TakenStory, Closed])[];

async function landAll(host: Host, log: RunnerLog, closing: Closing): Promise<Fates> {
  const { context, place, config, teller, wave, prd } = closing;
  await landPreflight(closing);
  if (config.ciWorkflow !== null) teller.notice(NO_CI);
  return proving({ host, context, place, config, log, teller }, async (prove) => {
    const fates: [TakenStory, Closed][] = [];
    for (const take of wave.stories) {
      const story = prd.stories.find(({ id }) => id === take.story);
      // It was taken out of the PRD since.
      if (story === undefined) continue;
      const taken = { story, take, loops: loopsOfTake(prd.name, take) };
      const done = await landStory(closing, taken, prove);
      await tidyStory(closing, taken, done.fate);
      fates.push([taken, done]);
    }
    return fates;
  });
}

/** Closes the wave, tells how the PRD is, and asks for the next one where there is to be one. */
async function goOn(closing: Closing, fates: Fates, isOff: boolean) {
  const { ledger, prd, config } = closing;
  const { waveSize, onBlockedStory: onBlocked } = config;
  const whyNot = (now: Ledger) => whyNoNext({ ledger: now, prd, waveSize, onBlocked, isOff });
  const wasOpen = isLast(ledger.now, closing.wave) && ledger.now.wave?.is_open === true;
  const ending = wasOpen ? whyNot(closed(ledger.now)) : whyNot(ledger.now);
  const isDue = wasOpen ? ending === null : isLast(ledger.now, closing.wave) && ledger.now.wave?.next === "due";
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

async function readLandJob({ env, stdout, stderr }: Host, log: RunnerLog): Promise<Closing | undefined> {
  const context = readContext(env);
  const token = env["INPUT_GITHUB-TOKEN"]?.trim() || null;
  const base = new Base(context, token);
  const committed = (root: string) => base.at(root);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr, committed };
  const location = await locate({}, shell);
  const { config, notices } = resolveSettings(location.input);
  const teller = createTeller(log);
  maskSecrets(config, log);
  for (const text of [...base.remarks, ...notices]) teller.notice(asInputs(text));
  const github = githubAccess(config.githubToken, context);
  if (github === undefined) throw NO_TOKEN;
  if (config.prd === null) throw NOT_NAMED;
  const files = await base.files();
  const prd = await prdAtBase(files, config.prd, log);
  if (files === null) throw new Error("a PRD was read of no commit");
  const place = jobPlaceOf(context.temp, location.root, "land", null);
  const { serverUrl, repository } = context;
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const at = { url, token: config.githubToken, mark: marksOf(place).tools };
  const ref = ledgerOfJob(context, config, place, prd.name);
  const ledger = await KeptLedger.open(ref, `run ${context.runId}, attempt ${context.attempt}`);
  const { wave } = ledger.now;
  if (wave === null) {
    teller.notice(`The PRD ${prd.name} has had no wave, so there is nothing to close.`);
    return undefined;
  }
  const ground = await ProvingGround.open(files.repository, place.gitFolder("proving"));
  const git = createLandingGit({ ...at, folder: place.gitFolder("landing") });
  return {
    ...{ context, config, place, github, teller, prd, base: files, branch: branchOfPrd(prd) },
    ...{ wave, ledger, git, ground },
  };
}

const NO_CI =
  "ci-workflow is asked by each story's own job, and not again when it lands: there its commands prove it, and CI runs on the pull request of the PRD's branch.";

const NO_TOKEN = new UsageError({
  code: "NO_TOKEN",
  what: "There is no github-token, so nothing can land. The wave stays open.",
  next: "Leave the input github-token out, so that the workflow's own token is used.",
});

const NOT_NAMED = new UsageError({
  code: "PRD_NOT_NAMED",
  what: "This job does not know which PRD's wave it is to close. The wave stays open.",
  next: "Give it the input prd, with the output prd of the job that has planned.",
});
