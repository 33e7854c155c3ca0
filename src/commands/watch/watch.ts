import { realpath } from "node:fs/promises";
import path from "node:path";
import { constants } from "node:os";
import type { Command } from "../../app/command.ts";
import { locate, type Location } from "../../app/locate.ts";
import { locateLoop, loopsOfRepository } from "../../app/loops/loops-of-repository.ts";
import { findLoop, type FoundLoop } from "../../app/loops/stored-loop.ts";
import { printLines, type Shell } from "../../app/shell.ts";
import { UsageError } from "../../core/errors.ts";
import { REPORT_FILE } from "../../core/names.ts";
import { exists } from "../../os/file-errors.ts";
import { wantsColor } from "../../reporters/terminal.ts";
import { atAGlance, loopLines } from "../../views/at-a-glance.ts";
import { line } from "../../views/plain-text.ts";
import { openView } from "../../live/open-view.ts";
import { Follower } from "./follow.ts";
import { artifactAt, inRecording } from "./recording.ts";

/** A terminal that keys come from and that can be drawn on. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** `smithers watch`: shows loops while they run in other terminals, and acts on them when asked to. */
export const watch: Command = async (invocation, shell) => {
  const terminal = terminalOf(shell);
  const { operand, flags } = invocation;
  const artifact = await artifactAt(operand, shell.cwd);
  if (artifact !== undefined) {
    return inRecording(artifact, shell, async (found) => show([found], found, { shell, terminal, isRecorded: true }));
  }
  const named = operand === "" ? flags : { ...flags, "loop-id": [...(flags["loop-id"] ?? []), operand] };
  const isNamed = named["loop-id"] !== undefined || named["state-file"] !== undefined;
  const location = isNamed ? await locateLoop(named, shell) : await locate(named, shell, "silent");
  const root = await realpath(location.root);
  const found = (await loopsOfRepository(root)).flatMap(({ loops }) => loops);
  const meant = isNamed ? await findLoop(location, "running") : await onlyOne(found, location);
  return show(found, meant, { shell, terminal, isRecorded: false, root });
};

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
  readonly root?: string;
}

/** Shows the view, and when it is left how the loop is. @returns the exit code */
async function show(
  loops: readonly FoundLoop[],
  meant: FoundLoop | undefined,
  { shell, terminal, isRecorded, root = shell.cwd }: ShowOptions,
): Promise<number> {
  const { env } = shell;
  const follower = new Follower(loops, { root, shell, isRecorded });
  if (meant !== undefined) await follower.watch(meant);
  const color = shell.noColor !== true && wantsColor(terminal.stdout, env);
  try {
    const page = meant === undefined ? "loops" : "dashboard";
    const { signal } = await openView(follower, { ...terminal, env, color, page });
    return signal === null ? 0 : 128 + constants.signals[signal];
  } finally {
    await follower.close();
    await tellEnding(follower, shell, isRecorded);
  }
}

/** What stays on the normal screen: the loop at a glance, its page, and how to come back to it while it runs. */
async function tellEnding(follower: Follower, shell: Shell, isRecorded: boolean): Promise<void> {
  const { found } = follower;
  const { watched, loops } = follower.facts();
  if (watched === null || found === undefined) return printLines(shell, loopLines(loops, Date.now()));
  const { program } = shell;
  const { loopId, folder } = found.place;
  printLines(shell, atAGlance(watched.view));
  if (isRecorded) return;
  const page = path.join(folder, REPORT_FILE);
  const isWritten = !found.alive && (await exists(page));
  printLines(shell, [
    line(`Page: ${isWritten ? page : `${program} report ${loopId}`}`),
    ...(found.alive
      ? [
          line(`Watch: ${program} watch ${loopId}`),
          line(`Stop: ${program} stop ${loopId}, and go on later with: ${watched.view.resume}`),
        ]
      : []),
  ]);
}

/** @throws UsageError when there is no terminal to draw on */
function terminalOf({ stdin, stdout, env, program }: Shell): Terminal {
  if (env["TERM"] === "dumb") throw noTerminal("TERM is dumb: this terminal cannot be drawn on", program);
  if (!isWrite(stdout) || !isRead(stdin))
    throw noTerminal("there is no terminal to draw on and to take keys from", program);
  return { stdin, stdout };
}

function isWrite(stream: Shell["stdout"]): stream is NodeJS.WriteStream {
  return stream.isTTY === true;
}

function isRead(stream: Shell["stdin"]): stream is NodeJS.ReadStream {
  return stream?.isTTY === true;
}

function noTerminal(why: string, program: string): UsageError {
  return new UsageError({
    code: "NO_TERMINAL",
    what: `The view cannot be shown: ${why}. No loop was touched.`,
    next: `Use ${program} logs -f to follow a loop line by line, or ${program} status for how it is now.`,
  });
}
