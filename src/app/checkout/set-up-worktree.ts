import { runCheck } from "../../checks/run-check.ts";
import { createSignalControl } from "../../control/signals.ts";
import { OperationalError } from "../../core/errors.ts";
import { systemClock } from "../../os/clock.ts";
import { sha256 } from "../../os/digest.ts";
import { hurry, sweep } from "../../os/supervise.ts";
import { marksOf } from "../../store/place.ts";
import { keepWorktreeRecord, readWorktreeRecord } from "../../store/worktree-record.ts";
import { checkEnvironment } from "../check-environment.ts";
import type { Isolating } from "../isolate.ts";
import { isolateChecks } from "../isolate-checks.ts";
import type { Worktree } from "./worktree.ts";

const MINUTE_MS = 60_000;

/**
 * Runs the command that installs what checks need, isolated as they are: once in a work tree, and again when it failed or
 * is another one.
 *
 * @param isolating its place has the work tree for a root
 * @param command shell text that the person has agreed to
 * @param show tells a person
 * @throws OperationalError `WORKTREE_SETUP_FAILED`
 */
export async function setUpWorktree(
  { folder }: Pick<Worktree, "folder">,
  isolating: Isolating,
  command: string,
  show: (text: string) => void,
): Promise<void> {
  const { config, env, place } = isolating;
  const record = await readWorktreeRecord(folder);
  const setup = sha256(command);
  if (record?.setup === setup) return;
  show(`setting up the work tree: ${command}`);
  const check = { role: "quality", command, argv: ["bash", "-c", command], shell: true } as const;
  const options = {
    ...{ workspaceRoot: place.root, ...checkEnvironment(env, config), mark: marksOf(place).checks },
    ...{ timeoutMs: config.checkTimeoutMinutes * MINUTE_MS, clock: systemClock },
    isolation: isolateChecks(isolating, show).isolation,
  };
  // What a killed run has left of it would install the same beside it.
  await sweep(options.mark);
  const { result, problem, cutOff } = await untilSignal((signal) => runCheck(check, options, signal));
  if (result.tail !== "") show(result.tail);
  if (result.exitCode !== 0 || problem !== undefined) {
    const how = cutOff
      ? "it was stopped"
      : result.timedOut
        ? "it took too long"
        : `it ended with ${result.exitCode ?? "a signal"}`;
    throw new OperationalError({
      code: "WORKTREE_SETUP_FAILED",
      what: `The command worktree-setup was not completed in ${place.root}: ${problem?.what ?? how}. No turn was taken; your checkout is unharmed.`,
      next:
        problem?.next ??
        `${cutOff ? "Give" : "Try it there by hand, correct it, then give"} the command again: it runs once more.`,
    });
  }
  if (record !== undefined) await keepWorktreeRecord(folder, { ...record, setup });
}

/** Until the loop begins nobody else hears Ctrl+C: it ends what `work` has started, and a second one at once. */
async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const [stop, over] = [new AbortController(), new AbortController()];
  const listening = (async () => {
    for await (const { by } of createSignalControl(process, hurry).watch(over.signal)) stop.abort(by);
  })();
  try {
    return await work(stop.signal);
  } finally {
    over.abort();
    await listening;
  }
}
