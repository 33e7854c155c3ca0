import { checkEnvironment } from "../../app/check-environment.ts";
import { type Isolating, keepProgramsOutsideOf } from "../../app/isolate.ts";
import { isolateChecks } from "../../app/isolate-checks.ts";
import { createCommandGate } from "../../checks/command-gate.ts";
import { tellingWithheld } from "../../checks/gates.ts";
import type { Config } from "../../config/config.ts";
import { OperationalError, type Problem, UsageError } from "../../core/errors.ts";
import type { CheckEvent } from "../../core/ports.ts";
import { commandsOf } from "../../core/story/passed-commands.ts";
import type { Story } from "../../core/story/story.ts";
import type { Checks } from "../../core/task.ts";
import type { StoryCommand, Verdict } from "../../core/verdict.ts";
import type { GithubContext } from "../../github/context.ts";
import { systemClock } from "../../os/clock.ts";
import { jobProcesses, startOf } from "../../os/process-tree.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import type { Teller } from "../../os/teller.ts";
import type { HandOver } from "../../store/hand-over.ts";
import { type JobPlace, marksOf } from "../../store/place.ts";
import { checkLine } from "../../views/event-lines.ts";
import { lastLines } from "../../views/plain-text.ts";
import { withoutCredentials } from "../credentials.ts";
import { dropSudo } from "../drop-sudo.ts";
import type { Host } from "../run-stage.ts";

const MINUTE_MS = 60_000;

/** `unrunnable`: a check could not be started, or says so itself; its words are of others. */
type Proof = Exclude<Verdict, { readonly result: "cut_off" }>;

/** Proves what is checked out. */
export interface Prove {
  /** the gates, the commands of one story, and those of all that have passed */
  readonly all: (story: Story, passed: readonly Story[]) => Promise<Proof>;
  /** these commands alone, for what that story is to be held to */
  readonly only: (story: Story, commands: readonly StoryCommand[]) => Promise<Proof>;
  /** the gates alone. @param what is proved, for people */
  readonly gates: (what: string) => Promise<Proof>;
}

/** The job in which stories are proved. */
interface ProvingJob {
  readonly host: Host;
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
  readonly log: RunnerLog;
  readonly teller: Teller;
}

/**
 * Lets `work` prove commits of strangers: isolated as any check is, without what the checkout keeps to log in with, and
 * without sudo where that is dropped.
 *
 * @throws UsageError where isolation is required and there is none; what `work` throws
 */
export async function proving<T>(job: ProvingJob, work: (prove: Prove) => Promise<T>): Promise<T> {
  const { host, context, place, log, teller } = job;
  // The agent's own sandbox is not here: no agent is.
  const checkSandbox = job.config.checkSandbox === "off" ? "off" : "auto";
  const config: Config = { ...job.config, checkSandbox };
  const { env } = host;
  const isolating: Isolating = { place, config, env };
  await keepProgramsOutsideOf(isolating);
  const isolated = isolateChecks(isolating, teller.notice);
  const missing = await isolated.announce();
  if (missing.length > 0) throw new UsageError([...missing]);
  const marks = marksOf(place);
  const machine = { env, user: process.getuid?.(), mark: marks.tools };
  await dropSudo({ ...config, isUnisolated: isolated.isOpen() }, machine, teller);
  const handOver = keptHere(env);
  const taking = { context, root: place.root, home: env["HOME"], mark: marks.all, handOver, notice: teller.notice };
  const { withheld, ...variables } = checkEnvironment(env, config);
  const commands = createCommandGate({
    ...{
      checks: checksOf(config),
      gates: config.gates,
      workspaceRoot: place.root,
      ...variables,
    },
    ...{ mark: marks.checks, timeoutMs: config.checkTimeoutMinutes * MINUTE_MS, isolation: isolated.isolation },
    ...{ clock: systemClock, observe: (event: CheckEvent) => show(event, log) },
  });
  const gate = tellingWithheld(commands, withheld, teller.notice);
  const hasGates = config.qualityCommands.length > 0 || config.successCmd !== null || config.successSh !== null;
  const ask = async (what: string, occasion: "claim" | "story", commands: readonly StoryCommand[]): Promise<Proof> => {
    if (commands.length === 0 && !(hasGates && occasion === "claim")) return { result: "passed", checks: [] };
    const evidence = { iteration: 1, occasion, deadline: null, commands } as const;
    const verdict = await gate.judge(evidence, new AbortController().signal);
    if (verdict.result !== "cut_off") return verdict;
    throw new OperationalError({ code: "PROOF_CUT_OFF", what: `The checks of ${what} were cut off.`, next: AGAIN });
  };
  const prove: Prove = {
    all: (story, passed) => ask(story.id, "claim", [story, ...passed].flatMap(commandsOf)),
    only: (story, commands) => ask(story.id, "story", commands),
    gates: (what) => ask(what, "claim", []),
  };
  return withoutCredentials(taking, () => work(prove));
}

/** What every story is proved with besides its own commands. */
export function checksOf({ successCmd, successSh, qualityCommands }: Config): Checks {
  return { successCommand: successCmd, successShell: successSh, quality: qualityCommands, ci: null };
}

/** In this process alone: when it is killed, its machine is gone. */
function keptHere(env: NodeJS.ProcessEnv): Parameters<typeof withoutCredentials>[0]["handOver"] {
  let displaced: HandOver["displaced"] = { credentials: null, instructions: null, secrets: [] };
  return {
    isProvable: false,
    job: jobProcesses(env, startOf(process.pid)),
    get displaced() {
      return displaced;
    },
    displace: async (more) => {
      displaced = { ...{ credentials: null, instructions: null, secrets: [] }, ...displaced, ...more };
    },
  };
}

function show(event: CheckEvent, log: RunnerLog): void {
  if (event.type === "check.started") log.foreign(`… ${event.command}`);
  else log.foreign(`${checkLine(event.check).text}\n${event.check.tail}`);
}

/** Lines of a red check that the next attempt gets. */
const LINES = 40;

/** What was red, with the end of what it said. Words of others. */
export function redWords({ checks }: Pick<Verdict, "checks">): string {
  const red = checks.filter(({ exitCode }) => exitCode !== 0);
  return red.map((check) => [checkLine(check).text, ...lastLines(check.tail, LINES)].join("\n")).join("\n\n");
}

const AGAIN = "Run the closing job again: what has landed stays, and nothing is lost.";

/** No story can be proved, because a check cannot be run on the PRD's branch either. @param problem what keeps it */
export function gateUnrunnable(
  prd: string,
  { story, branch }: { readonly story: string; readonly branch: string },
  { code, what, next }: Problem,
): OperationalError {
  const away = `/smithers prd ${prd} retry ${story} takes that story out of the wave`;
  return new OperationalError({
    code: "GATE_UNRUNNABLE",
    what: `${story} could not be proved, and neither could ${branch} without it (${code}). ${what} The wave stays open.`,
    next: `${next} Then run the closing job again; ${away}, should it be to blame.`,
  });
}
