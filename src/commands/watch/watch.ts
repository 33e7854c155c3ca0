import { realpath } from "node:fs/promises";
import { constants } from "node:os";
import { setImmediate as nextRound } from "node:timers/promises";
import type { Command } from "../../app/command.ts";
import { locate, type Location } from "../../app/locate.ts";
import { locateLoop, loopFilesOfRepository, loopsOfRepository } from "../../app/loops/loops-of-repository.ts";
import { findLoop, type FoundLoop } from "../../app/loops/stored-loop.ts";
import { printLines, type Shell } from "../../app/shell.ts";
import { UsageError } from "../../core/errors.ts";
import { wantsColor } from "../../reporters/terminal.ts";
import { counted } from "../../views/amounts.ts";
import { atAGlance, type LoopRow, loopLines } from "../../views/at-a-glance.ts";
import { notification } from "../../views/notification.ts";
import { cleaned, line, type Line } from "../../views/plain-text.ts";
import { type Left, openView } from "../../live/open-view.ts";
import { artifactAt, loopOr } from "../artifact-at.ts";
import { runOn } from "../run.ts";
import { comeBackLines, flagsOf, pageLine, type RunBehind, runBehind, type Terminal, terminalOf } from "./beside.ts";
import { Follower } from "./follow.ts";

/** `smithers watch`: shows loops while they run in other terminals, and acts on them when asked to. */
export const watch: Command = async (invocation, shell) => {
  const terminal = terminalOf(shell);
  if (typeof terminal === "string") throw noTerminal(terminal, shell.program);
  const { operand, flags } = invocation;
  const artifact = await artifactAt(operand, shell.cwd);
  if (artifact !== undefined) {
    const { inRecording } = await import("../recording.ts");
    return inRecording(artifact, shell, async (found) =>
      show([found], found, { shell, terminal, isRecorded: true, unread: 0 }),
    );
  }
  const given = operand === "" ? flags : { ...flags, "loop-id": [...(flags["loop-id"] ?? []), operand] };
  const isNamed = given["loop-id"] !== undefined || given["state-file"] !== undefined;
  const location = isNamed ? await locateLoop(given, shell) : await locate(given, shell, "silent");
  const root = await realpath(location.root);
  const files = await loopFilesOfRepository(root);
  const named = isNamed ? await loopOr(operand, shell.cwd, findLoop(location, "running")) : undefined;
  // Nobody waits for thousands of loops to be read: the view shows them as they are.
  const isAtOnce = isNamed || files > MOST_READ_FIRST;
  const known = isAtOnce ? [named ?? []].flat() : (await loopsOfRepository(root)).flatMap(({ loops }) => loops);
  const meant = isAtOnce ? named : await onlyOne(known, location);
  const behind = runBehind(shell);
  const options = { shell, terminal, isRecorded: false, unread: isAtOnce ? files : 0, root };
  return show(known, meant, { ...options, notify: invocation.values.has("notify"), ...(behind && { behind }) });
};

/** Read in less than half a second, after which it is known whether only one runs. */
const MOST_READ_FIRST = 200;

/** The only loop, or the only one that runs; undefined: a person has to choose. @throws UsageError without any */
async function onlyOne(found: readonly FoundLoop[], location: Location): Promise<FoundLoop | undefined> {
  // Says what is the matter where there is none.
  if (found.length === 0) return findLoop(location, "running");
  const running = found.filter(({ alive }) => alive);
  return found.length === 1 ? found[0] : running.length === 1 ? running[0] : undefined;
}

interface ShowOptions {
  readonly shell: Shell;
  readonly terminal: Terminal;
  readonly isRecorded: boolean;
  /** see `Follower` */
  readonly unread: number;
  readonly notify?: boolean;
  readonly root?: string;
  readonly behind?: RunBehind;
}

/** Shows the view, and when it is left how the loop is, or lets it go on. @returns the exit code */
async function show(
  loops: readonly FoundLoop[],
  meant: FoundLoop | undefined,
  { shell, terminal, isRecorded, unread, notify = false, root = shell.cwd, behind }: ShowOptions,
): Promise<number> {
  const { env } = shell;
  const follower = new Follower(loops, {
    ...{ root, shell, isRecorded, unread },
    ...(notify && { notify: (text: string) => void terminal.stdout.write(notification(text, env)) }),
    behind: behind && meant && { ...behind, loop: meant },
  });
  if (meant !== undefined) await follower.watch(meant);
  const color = shell.noColor !== true && wantsColor(terminal.stdout, env);
  let left: Left | undefined;
  try {
    const page = meant === undefined ? "loops" : "dashboard";
    left = await openView(follower, { ...terminal, env, color, page, ...(behind && { gone: behind.gone }) });
  } finally {
    await follower.close();
    const isTold = behind === undefined || (left?.wish === undefined && !behind.gone.aborted && isRunning(follower));
    if (isTold && left?.wish !== "run-on") await tellEnding(follower, shell, isRecorded);
  }
  const { signal, wish } = left;
  const loop = follower.found && flagsOf(follower.found.place);
  if (behind !== undefined) await behind.tell({ left: { ...(wish && { wish }), ...(loop && { loop }) } });
  behind?.restore();
  if (behind === undefined && wish === "run-on" && loop !== undefined) {
    await givenBack(terminal);
    return runOn(loop, shell, notify);
  }
  return signal === null ? 0 : 128 + constants.signals[signal];
}

/** The keys are for who asks next, and for the view of what runs then. */
async function givenBack({ stdin }: Terminal): Promise<void> {
  // The view has left it behind; who waits for an answer would be let go.
  stdin.ref();
  stdin.resume();
  // It resumes on the next tick, and would read once more after a pause that came before that.
  await nextRound();
  stdin.pause();
}

function isRunning({ found }: Follower): boolean {
  return found?.alive === true;
}

/** What stays on the normal screen: the loop at a glance, its page, and how to come back to it while it runs. */
async function tellEnding(follower: Follower, shell: Shell, isRecorded: boolean): Promise<void> {
  const { found } = follower;
  const { watched, loops, reading } = follower.facts();
  if (watched === null || found === undefined) return printLines(shell, listed(loops, reading === "", shell));
  printLines(shell, atAGlance(watched.view).map(cleaned));
  if (isRecorded || watched.view.isGone === true) return;
  const { place, alive } = found;
  printLines(shell, alive ? comeBackLines(place, watched.view.resume, shell) : [await pageLine(place, shell)]);
}

/** Of very many loops, as many as fit on a screen. */
const MOST_LISTED = 20;

/** @param areAll whether all of them have been read */
function listed(loops: readonly LoopRow[], areAll: boolean, { program }: Shell): readonly Line[] {
  const shown = loopLines(loops.slice(0, MOST_LISTED), Date.now()).map(cleaned);
  if (!areAll) return [...shown, line(`Not all loops were read: ${program} list`, "dim")];
  const rest = loops.length - MOST_LISTED;
  return rest > 0 ? [...shown, line(`${counted(rest, "more loop")}: ${program} list`, "dim")] : shown;
}

function noTerminal(why: string, program: string): UsageError {
  return new UsageError({
    code: "NO_TERMINAL",
    what: `The view cannot be shown: ${why}. No loop was touched.`,
    next: `Use ${program} logs -f to follow a loop line by line, or ${program} status for how it is now.`,
  });
}
