import { locate } from "../../app/locate.ts";
import type { Sources } from "../../config/config.ts";
import { resolveSettings } from "../../config/resolve.ts";
import { wrongJudges } from "../../config/rules.ts";
import { UsageError } from "../../core/errors.ts";
import { createLandingGit } from "../../git/landing/landing-git.ts";
import { type GithubAccess, githubAccess } from "../../github/access.ts";
import { firstToken, withAppToken } from "../../github/app/app-token.ts";
import { readContext } from "../../github/context.ts";
import { isSwitchedOff, KILL_SWITCH } from "../../github/kill-switch.ts";
import { reply } from "../../github/comments.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { createTeller } from "../../os/teller.ts";
import { setOutputs } from "../../reporters/job-files.ts";
import { type PrdRequest, verifyPrdRequest } from "../../requests/verify-prd.ts";
import { jobPlaceOf, marksOf } from "../../store/place.ts";
import { maskSecrets } from "../../store/redaction.ts";
import { refusalReply } from "../../views/github/relay-reply.ts";
import { asInputs } from "../../views/run-view.ts";
import { Base } from "../base.ts";
import { tellOwnWorkflow } from "../github-preflight.ts";
import type { Host } from "../run-stage.ts";
import { ownBranchOf, prdAtBase, requireDefaultBranch } from "./base-prd.ts";
import { nextWaveOf, type Planned, type Planning } from "./begin-wave.ts";
import { KeptLedger } from "./kept-ledger.ts";
import { obey } from "./obey.ts";
import { planLoop } from "./plan-loop.ts";
import { isWholeLoop, wholeLoopOf } from "./whole-loop.ts";

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
  const { context, config, sources, base, location } = await readPlanJob(host, log);
  await tellOwnWorkflow(context, createTeller(log));
  if (isWholeLoop(config, context)) return planLoop(wholeLoopOf(context, location, config), { config, base, log });
  requireDefaultBranch(context);
  const access = githubAccess(config.githubToken, context);
  if (access === undefined) throw NO_TOKEN;
  const asked = await verifyPrdRequest(context, access, config.allowedBots);
  const tell = async (body: string): Promise<void> => {
    if (asked !== null && asked.place !== null) await answer(access, asked.place, body, log);
  };
  try {
    const { outputs, said } = await plan({ host, log, context, config, sources, base, asked, access });
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

async function plan({ host, log, context, config, sources, base, asked, access }: PlanJob): Promise<Planned> {
  const name = nameOf(asked, config.prd);
  // The jobs of its stories would refuse it, each on a machine of its own.
  const wrong = wrongJudges({ config, sources, surface: "action" }).flatMap((found) =>
    "problem" in found ? [found.problem] : [],
  );
  if (wrong.length > 0) throw new UsageError(wrong);
  const files = await base.files();
  const prd = await prdAtBase(files, name, log);
  if (files === null) throw new Error("a PRD was read of no commit");
  const branch = ownBranchOf(prd, context);
  const place = jobPlaceOf(context.temp, context.workspace, "plan", null);
  const ledger = await KeptLedger.ofJob({ context, config, place }, name);
  const { runId, attempt, serverUrl, repository } = context;
  const url = `${serverUrl}/${repository.owner}/${repository.name}`;
  const at = { url, token: config.githubToken, folder: place.gitFolder("landed"), mark: marksOf(place).tools };
  await obey(ledger, prd, { asked, runId, attempt, notice: (text) => log.notice(text) });
  const github = await access.within(WITHIN_MS);
  const planning = { context, config, github, log, prd, asked, ledger, branch, base: files, git: createLandingGit(at) };
  const { outputs, said } = await nextWaveOf(planning, asked?.by === "trigger" && isSwitchedOff(host.env[KILL_SWITCH]));
  return { outputs, said: `${heardOf(asked)}${said}` };
}

/** What was done for who asked, as a sentence with a space behind it; "": nothing but what follows. */
function heardOf(asked: PrdRequest | null): string {
  if (asked === null || asked.story === null) return "";
  if (asked.verb === "retry") return `${asked.story} may be tried again. `;
  return `${asked.story} counts as passed${asked.asker === null ? "" : `, in the name of ${asked.asker}`}. `;
}

/** What the job knows before it has read anything of the PRD. */
interface PlanJob extends Pick<Planning, "context" | "config" | "log" | "asked"> {
  readonly access: GithubAccess;
  readonly sources: Sources;
  readonly host: Host;
  readonly base: Base;
}

async function readPlanJob({ env, stdout, stderr }: Host, log: RunnerLog) {
  const context = readContext(env);
  const base = Base.ofJob(env, context, log);
  const committed = (root: string) => base.at(root);
  const shell = { program: "smithers", cwd: context.workspace, env, inputs: env, stdout, stderr, committed };
  const location = await locate({}, shell);
  const { config: read, sources, notices } = resolveSettings(location.input);
  const config = withAppToken(read, context, log);
  await firstToken(config.githubToken);
  const teller = createTeller(log);
  maskSecrets(config, log);
  for (const text of [...base.remarks, ...notices]) teller.notice(asInputs(text));
  return { context, config, sources, base, location };
}

function nameOf(asked: PrdRequest | null, set: string | null): string {
  const name = asked?.prd ?? set;
  if (name === null) {
    const what = "This job does not know which PRD it is to plan. No story was begun.";
    const next =
      'Name it with the input prd, or start the workflow with smithers set to {"command":"prd","verb":"run"}; to have several agents try one task without a PRD, set attempts.';
    throw new UsageError({ code: "PRD_NOT_NAMED", what, next });
  }
  if (set === null || set === name) return name;
  const what = `This workflow is for the PRD ${set}, and it was asked for ${name}. No story was begun.`;
  throw new UsageError({ code: "OTHER_PRD", what, next: "Leave the input prd out, or ask for that PRD." });
}

const NO_TOKEN = new UsageError({
  code: "NO_TOKEN",
  what: "There is no github-token, so the PRD's ledger can neither be read nor written. No story was begun.",
  next: "Leave the input github-token out, so that the workflow's own token is used.",
});
