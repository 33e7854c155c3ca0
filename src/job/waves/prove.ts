import { checkEnvironment } from "../../agents/registry.ts";
import { type Isolating, keepProgramsOutsideOf } from "../../app/isolate.ts";
import { isolateChecks } from "../../app/isolate-checks.ts";
import { createCommandGate } from "../../checks/command-gate.ts";
import type { Config } from "../../config/config.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import type { CheckEvent } from "../../core/ports.ts";
import { commandsOf } from "../../core/story/judge.ts";
import type { Story } from "../../core/story/story.ts";
import type { Checks } from "../../core/task.ts";
import type { Verdict } from "../../core/verdict.ts";
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

/** Proves what is checked out: the gates, the commands of one story, and those of all that have passed. */
export type Prove = (
  story: Story,
  passed: readonly Story[],
) => Promise<Verdict & { readonly result: "passed" | "failed" }>;

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
  const checks: Checks = {
    ...{ successCommand: config.successCmd, successShell: config.successSh, quality: config.qualityCommands },
    ci: null,
  };
  const gate = createCommandGate({
    ...{ checks, gates: config.gates, workspaceRoot: place.root, env: checkEnvironment(env, config.passEnv) },
    ...{ mark: marks.checks, timeoutMs: config.checkTimeoutMinutes * MINUTE_MS, isolation: isolated.isolation },
    ...{ clock: systemClock, observe: (event: CheckEvent) => show(event, log) },
  });
  const hasGates = config.qualityCommands.length > 0 || config.successCmd !== null || config.successSh !== null;
  return withoutCredentials(taking, () =>
    work(async (story, passed) => {
      const commands = [story, ...passed].flatMap(commandsOf);
      if (!hasGates && commands.length === 0) return { result: "passed", checks: [] };
      const evidence = { iteration: 1, occasion: "claim", deadline: null, commands } as const;
      const verdict = await gate.judge(evidence, new AbortController().signal);
      if (verdict.result === "passed" || verdict.result === "failed") return verdict;
      throw unproved(story, verdict);
    }),
  );
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

function unproved({ id }: Story, verdict: Verdict): OperationalError {
  const { what, next } =
    verdict.result === "unrunnable"
      ? verdict.problem
      : { what: "The checks were cut off before they had ended.", next: "Run the closing job again." };
  return new OperationalError({ code: "GATE_UNRUNNABLE", what: `${id} could not be proved. ${what}`, next });
}
