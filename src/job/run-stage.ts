import { VERSION } from "../core/names.ts";
import { begun } from "../os/closed-process.ts";
import { createRunnerLog, type RunnerLog } from "../os/runner-log.ts";
import type { TextStream } from "../app/shell.ts";
import type { LoopPlace } from "../store/place.ts";

/** The process that a stage of the Action is. */
export interface Host extends Pick<NodeJS.Process, "env" | "platform"> {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** the script that runs, absolute; the other programs of the Action are beside its folder */
  readonly script: string;
  /** when it began; milliseconds since the epoch */
  readonly startedAt: number;
  /** why other processes of its user can read its secrets, as a part of a sentence; null, absent: they cannot */
  readonly exposed?: string | null;
}

/**
 * What a stage does.
 *
 * @param about gets the loop as soon as it is known, so that an error can report its state
 * @returns the exit code
 */
type Stage = (host: Host, log: RunnerLog, about: About) => Promise<number>;

export type About = (place: LoopPlace) => void;

/** What main says before anything is loaded: who writes this log, in which version. */
export const FIRST_LINE = `smithers/loop ${VERSION}`;

const FLUSH_MS = 5_000;

/**
 * Runs a stage of the Action as this process, and ends it. This module has to stay small: its imports load before the
 * first line of the log, everything else after it.
 *
 * @param load loads the stage, with all that it needs
 */
export async function runAsProcess(load: () => Promise<Stage>, firstLine?: string): Promise<never> {
  const { env, stdout, stderr, platform, argv } = process;
  const { startedAt, exposed, hasSpoken } = begun();
  const host = { env, stdout, stderr, platform, script: argv[1] ?? "", startedAt, exposed };
  const exitCode = await runStage(host, load, hasSpoken ? undefined : firstLine);
  // Open sockets of the services would keep the process alive: when the answer is given, it ends.
  process.exit(exitCode);
}

/** @returns the exit code: that of the stage, 1 when something went wrong */
export async function runStage(host: Host, load: () => Promise<Stage>, firstLine?: string): Promise<number> {
  const log = createRunnerLog(host.stdout);
  if (firstLine !== undefined) log.line(firstLine);
  let place: LoopPlace | undefined;
  try {
    const stage = await load();
    return await stage(host, log, (known) => {
      place = known;
    });
  } catch (error) {
    const { tellError } = await import("./tell-error.ts");
    await tellError(error, log, place);
    return 1;
  } finally {
    await log.drained(Date.now() + FLUSH_MS);
  }
}
