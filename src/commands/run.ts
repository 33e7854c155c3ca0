import type { Command, Invocation } from "../app/command.ts";
import { consentMode, keepTask } from "../app/consent.ts";
import { inWorkTree, wasCutOff } from "../app/checkout/in-work-tree.ts";
import type { Placed } from "../app/checkout/take-place.ts";
import { compose, type Composition } from "../app/compose.ts";
import { generationOf, homeOf, type Plan, planResume, planRun, taskOf, wantsNewWorktree } from "../app/plan.ts";
import { isSaidNow } from "../config/config.ts";
import { propertyName } from "../config/setting.ts";
import { preflight, refuseLacks } from "../app/preflight.ts";
import { flagsToRepeat } from "../app/resume/command.ts";
import { keepSettings, keptSettings } from "../app/resume/kept.ts";
import { runPlan } from "../app/run-plan.ts";
import { note, type Shell } from "../app/shell.ts";
import { workingHours, type WorkingHours } from "../app/to-task.ts";
import { viewOf } from "../app/view-of.ts";
import { writeSummary } from "../app/write-summary.ts";
import { messageOf, UsageError } from "../core/errors.ts";
import { TEXT_LIMIT } from "../core/policy/command.ts";
import type { LoopState } from "../core/state.ts";
import { whatLogsIn } from "../git/kept-credentials.ts";
import { hurry } from "../os/supervise.ts";
import {
  linesReporter,
  notifying,
  type ProgressReporter,
  terminalReporter,
  wantsColor,
} from "../reporters/terminal.ts";
import { refuseBusy } from "../store/lock.ts";
import { endingOf, type RunView } from "../views/run-view.ts";
import { dryRun } from "./dry-run.ts";
import { tell } from "./status.ts";
import { wordsForAName } from "./usage-errors.ts";
import type { Named, ViewOfRun } from "./watch/beside.ts";

/** `smithers "<prompt>"` and `smithers run`. */
export const run: Command = async (invocation, shell) =>
  launch(() => planRun(invocation.flags, shell, consentMode(invocation)), invocation, shell);

/** `smithers loop`: Loopr's own form of a run; its preset holds unless another one is chosen. */
export const loop: Command = async (invocation, shell) =>
  run({ ...invocation, flags: { preset: ["loopr"], ...invocation.flags } }, shell);

export const LOOP_HELP = `What stands behind -- goes to the agent's program word by word, never through a shell.

Example:
  smithers loop "Fix the failing tests" --full-auto --max-iterations 20 -- -c model_reasoning_effort=high`;

/** `smithers resume`: reads the state, resumes the session and goes on, with what the person has to say. */
export const resume: Command = async (invocation, shell) => {
  const guidance = guidanceOf(invocation, shell);
  const says = { guidance, acceptsProof: invocation.values.has("accept-proof") };
  const planned = () => planResume(invocation.flags, says, shell, consentMode(invocation));
  return launch(
    async () =>
      planned().catch(async (error: unknown) => {
        const { refuseElsewhere } = await import("./cleaned-away.ts");
        return refuseElsewhere(error, invocation.flags, shell);
      }),
    invocation,
    shell,
  );
};

/** Half of an instruction is another instruction: what is too long is refused, as in a comment on GitHub. */
function guidanceOf({ values, flags }: Invocation, { program }: Shell): string | null {
  const named = flags["loop-id"]?.at(-1) ?? "";
  if (/\s/u.test(named)) throw wordsForAName(named, program);
  const text = values.get("guidance")?.trim();
  if (text === undefined) return null;
  if (text !== "" && text.length <= TEXT_LIMIT) return text;
  throw new UsageError({
    code: text === "" ? "GUIDANCE_EMPTY" : "GUIDANCE_TOO_LONG",
    what: `--guidance: expected a text of at most ${TEXT_LIMIT} characters, got ${text.length}.`,
    next: "Say what the agent has to know in a few sentences; what is longer goes into a file that they name.",
  });
}

/** As `smithers resume --watch`, for a loop that somebody has let go on from a view. @param named the flags that find it. @param notify whether it notifies */
export async function runOn(named: Named, shell: Shell, notify: boolean): Promise<number> {
  const flags = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, [String(text)]]));
  const given = { operand: "", json: false, dryRun: false, cleanupArtifacts: false, yes: false };
  const values = new Map([["watch", BEGUN], ...(notify ? [["notify", "on"] as const] : [])]);
  return resume({ ...given, flags, values }, shell);
}

/** The value of `--watch` that nobody gives. */
const BEGUN = "begun";

/** @param planned makes the plan, and makes it anew once the work is elsewhere than it was looked for */
async function launch(planned: () => Promise<Plan>, invocation: Invocation, shell: Shell): Promise<number> {
  const first = await planned();
  for (const notice of [...platformNotices(process.platform), ...first.settings.notices]) note(shell, notice);
  await tellAnew(first, shell);
  const hours = workingHours(first.settings.config, Date.now());
  const telling = await tellingOf(invocation, hours.deadline, shell);
  const launchedBy = async (plan: Plan): Promise<Launched> => ({
    ...{ plan, hours, telling, composition: await composeFor(plan, telling, shell) },
  });
  try {
    const exitCode = await launchFirst(first, { planned, launchedBy }, invocation, shell);
    const goesOn = await telling.left?.();
    return goesOn === undefined ? exitCode : await runOn(goesOn, shell, invocation.values.has("notify"));
  } finally {
    await telling.end?.();
  }
}

interface Launching {
  /** makes the plan anew */
  readonly planned: () => Promise<Plan>;
  readonly launchedBy: (plan: Plan) => Promise<Launched>;
}

async function launchFirst(
  first: Plan,
  { planned, launchedBy }: Launching,
  invocation: Invocation,
  shell: Shell,
): Promise<number> {
  const begun = await launchedBy(first);
  if (invocation.dryRun) return dryRun(first, begun.composition, invocation, shell);
  if (first.opening.do === "leave" && first.stored !== undefined) {
    if (await wasCutOff(first.place, first.prd !== null))
      return inWorkTree(await enteringOf(first, shell), async () => runIt(begun, invocation, shell));
    const view = await endingsOf(first, invocation, shell)(first.stored);
    return tellEnding(view, invocation, shell, first.opening.because);
  }
  let launched = begun;
  if (wantsNewWorktree(first)) {
    await refuseBusy(first.place.folder);
    const { takeBack } = await placed(begun, shell);
    try {
      launched = await launchedBy(await planned());
    } catch (error) {
      // Refused, as for a file that only the checkout has: then nothing was made either.
      await takeBack?.().catch(() => undefined);
      throw error;
    }
  }
  return inWorkTree(await enteringOf(launched.plan, shell), async () => {
    const { isMoved } = await placed(launched, shell);
    const ready = isMoved ? await launchedBy(await planned()) : launched;
    if (isMoved) await preflight(ready.plan, ready.composition);
    await prepared(ready, shell);
    return runIt(ready, invocation, shell);
  });
}

/** A loop that begins under the name of an earlier one may be that one, without its files. */
async function tellAnew({ stored, place, worktree }: Plan, shell: Shell): Promise<void> {
  if (stored !== undefined) return;
  const { beginsAnew } = await import("./cleaned-away.ts");
  const told = await beginsAnew(worktree?.folder ?? place.root, place.loopId);
  if (told !== undefined) note(shell, told);
}

async function enteringOf(plan: Plan, { program }: Shell) {
  const { place, prd, worktree } = plan;
  const entering = { place, home: worktree?.home ?? place.root, isPrd: prd !== null, canGoBeside: false, program };
  if (prd === null) return entering;
  const { canGoBeside } = await import("../app/checkout/take-place.ts");
  return { ...entering, canGoBeside: await canGoBeside(plan) };
}

/** Makes sure of everything, then goes where the work is. */
async function placed({ plan, composition }: Launched, shell: Shell): Promise<Placed> {
  await preflight(plan, composition);
  await refuseLacks(composition);
  if (plan.prd === null) return { isMoved: false };
  const { takePlace } = await import("../app/checkout/take-place.ts");
  return takePlace(plan, { ...placing(shell), workspace: composition.gitWorkspace });
}

/** A work tree of its own gets what the checks need. */
async function prepared({ plan, composition }: Launched, shell: Shell): Promise<void> {
  if (plan.worktree === undefined) return;
  const { prepareWorktree } = await import("../app/checkout/take-place.ts");
  await prepareWorktree(plan, { ...placing(shell), workspace: composition.gitWorkspace });
}

function placing(shell: Shell) {
  return { env: shell.env, say: (text: string) => note(shell, text) };
}

function composeFor(plan: Plan, telling: Telling, { env }: Shell): Promise<Composition> {
  const reporter = telling.reporterAt(plan.place);
  return compose({
    ...plan.settings,
    place: plan.place,
    prd: plan.prd,
    generation: generationOf(plan),
    env,
    reporter,
    signals: telling.signals,
    onSecondInterrupt: secondInterrupt(
      (text) => reporter.observe({ type: "notice", text }),
      hurry,
      (code) => process.exit(code),
    ),
  });
}

/** Whether the person has said a setting of a loop that begins here, by a flag or a variable. */
function isSaidHere({ opening, settings: { sources } }: Plan, name: string): boolean {
  const source = new Map(Object.entries(sources)).get(propertyName(name));
  return (opening.do === "begin" || opening.do === "renew") && source !== undefined && isSaidNow(source);
}

/** How a run is shown: by a view of it as well, or by its progress alone. */
type Telling = Pick<ViewOfRun, "reporterAt"> & Partial<Pick<ViewOfRun, "signals" | "left" | "tellPage" | "end">>;

/** @param deadline in milliseconds since the epoch; null: none */
async function tellingOf(
  { values, dryRun: isDry }: Invocation,
  deadline: number | null,
  shell: Shell,
): Promise<Telling> {
  const notify = values.has("notify");
  const shown = values.has("quiet") ? SILENT : progressReporter(shell, deadline);
  const progress = notify ? notifying(shown, shell.stderr, shell.env) : shown;
  const plain: Telling = { reporterAt: () => progress };
  if (!values.has("watch") || isDry) return plain;
  const { viewOfRun } = await import("./watch/beside.ts");
  return viewOfRun(shell, progress, { begun: values.get("watch") === BEGUN, notify }) ?? plain;
}

interface Launched {
  readonly plan: Plan;
  readonly telling: Telling;
  readonly composition: Composition;
  readonly hours: WorkingHours;
}

/** Runs what is planned; of a loop that is over, only what the killed run that ended it has not come to. */
async function runIt(
  { plan, composition, hours, telling }: Launched,
  invocation: Invocation,
  shell: Shell,
): Promise<number> {
  const { place, settings, opening } = plan;
  const ending = endingsOf(plan, invocation, shell);
  if (opening.do !== "leave") {
    const readable = await whatLogsIn(place.root);
    if (readable !== null) note(shell, readable);
    const mode = consentMode(invocation);
    // What is agreed to for one call is asked about again.
    await keepTask(taskOf(plan), shell, ({ name }) => mode === "ask" || isSaidHere(plan, name));
    await keepSettings(homeOf(plan), settings, shell, mode);
  }
  let unwritten: string | undefined;
  const { state, left } = await runPlan(plan, composition, hours, async (ended) => {
    try {
      await writeSummary(place, await ending(ended), settings.config.summaryJson);
    } catch (error) {
      unwritten = messageOf(error);
    }
  });
  await telling.left?.();
  // Whoever looks at the view would not see it.
  if (unwritten !== undefined) {
    note(shell, `The summary could not be written (${unwritten}); state and events are complete.`);
    note(shell, `Look with ${shell.program} status --loop-id ${place.loopId}; make room, or correct --summary-json.`);
  }
  const exitCode = tellEnding(await ending(state), invocation, shell, left);
  if (!invocation.json) await telling.tellPage?.(place);
  return exitCode;
}

/** How a loop is told of at its end; read once, so that the summary and the last words tell the same. */
function endingsOf(plan: Plan, invocation: Invocation, shell: Shell) {
  const { place, worktree, settings } = plan;
  const { providerArgs } = settings.config;
  const given = { place, home: worktree?.home, alive: false, program: shell.program, providerArgs };
  const flags = flagsToRepeat(invocation.flags, settings);
  let seen: Promise<RunView> | undefined;
  const see = async (state: LoopState): Promise<RunView> =>
    viewOf(state, { ...given, flags, kept: await keptSettings(homeOf(plan), shell) });
  return async (state: LoopState): Promise<RunView> => (seen ??= see(state));
}

/** For `--quiet`. What the loop keeps of itself hears everything all the same. */
const SILENT: ProgressReporter = {
  report: () => {},
  observe: () => {},
  flush: async () => {},
  hide: () => {},
  show: () => {},
};

/** A live view on a terminal, plain lines elsewhere. A terminal without a height shows nothing of what is redrawn. */
function progressReporter({ stderr: stream, env, noColor = false }: Shell, deadline: number | null): ProgressReporter {
  const canRedraw = stream.isTTY === true && (stream.rows ?? 0) > 0 && env["TERM"] !== "dumb";
  if (!canRedraw) return linesReporter(stream, { now: Date.now, deadline });
  return terminalReporter({ stream, color: !noColor && wantsColor(stream, env), now: Date.now, deadline });
}

/** @param left why nothing was done. @returns the ending's exit code (section 4.5) */
function tellEnding(view: RunView, invocation: Invocation, shell: Shell, left?: string): number {
  if (left !== undefined) note(shell, left.replaceAll("<resume>", view.resume));
  tell(view, invocation, shell);
  const ending = endingOf(view.state);
  if (ending === undefined) throw new Error(`The loop ${view.state.loop_id} was left without an ending.`);
  return ending.outcome.exitCode;
}

const INTERRUPTED_EXIT_CODE = 130; // the exit code of a program that Ctrl+C has ended

/** Ctrl+C for the second time, the first call, ends the agent without grace; for the third time, this program. */
export function secondInterrupt(
  say: (text: string) => void,
  kill: () => void,
  exit: (exitCode: number) => void,
): () => void {
  let times = 0;
  return () => {
    times += 1;
    if (times > 1) {
      exit(INTERRUPTED_EXIT_CODE);
      return;
    }
    say(
      "ending the agent at once; Ctrl+C again leaves without saving anything more, and the loop can still be resumed",
    );
    kill();
  };
}

/**
 * What a person should know of the system before a loop begins there, besides that nothing is isolated.
 *
 * @param platform as in `process.platform`
 */
export function platformNotices(platform: NodeJS.Platform): readonly string[] {
  return platform === "win32" ? [ON_WINDOWS] : [];
}

const ON_WINDOWS =
  "On Windows success-sh and quality-commands go to cmd /C. success-cmd starts programs (.exe) only: start a .cmd or .bat such as npm with success-sh. The agent's sandbox is its own matter, checks and turns are not isolated, and what an agent leaves running is not always found and ended. In WSL 2 all of this is as on Linux.";
