import { rm } from "node:fs/promises";
import path from "node:path";
import { changesName, checksName, promptName } from "../core/names.ts";
import type { Reporter } from "../core/ports.ts";
import type { Snapshot } from "../core/state.ts";
import { checkLabel } from "../core/verdict.ts";
import { appendIn, replaceIn } from "../os/atomic-file.ts";
import { settledBy } from "../os/concurrency.ts";
import { inOwnFolder, ownFolder } from "../os/own-file.ts";
import { duration } from "../views/amounts.ts";
import { oneLine } from "../views/plain-text.ts";

/** How many iterations keep their files; those of older ones go. */
export const KEPT_ITERATIONS = 50;

/** What a file has at most, in UTF-16 units of what was said, and of what one check has said. */
const LIMITS = { prompt: 262_144, changes: 1_048_576, checks: 1_048_576, check: 262_144 } as const;

interface IterationFilesOptions {
  /** the workspace, absolute: no link below it is followed (T14) */
  readonly root: string;
  /** the loop's, absolute */
  readonly folder: string;
  /** a text without what readers must not see */
  readonly hiding: (text: string) => string;
  /** how two snapshots differ; undefined: nothing is measured, or it is lost */
  readonly patch: (
    before: Snapshot,
    after: Snapshot,
    limit: number,
  ) => Promise<{ readonly text: string; readonly leftOut: number } | undefined>;
  /** hears once why a file could not be written; the loop goes on without it */
  readonly failed: (why: Error) => void;
}

export interface IterationFiles extends Reporter {
  /** What the agent is asked; of several attempts at an iteration the last one stays. */
  readonly keepPrompt: (iteration: number, prompt: string) => void;
}

/**
 * Keeps what people look at when an iteration is over: what the agent was asked, what it has changed, and what the checks
 * have said. Each file is cut at a limit and says so.
 */
export function iterationFiles(options: IterationFilesOptions): IterationFiles {
  const { hiding, patch, failed } = options;
  let queue: Promise<void> = Promise.resolve();
  let said = false;
  let iteration = 0;
  let written = 0;
  let begun: Snapshot | null = null;

  const attempt = async (write: (at: string) => Promise<unknown>): Promise<void> => {
    try {
      await inOwnFolder(await ownFolder(options.root, options.folder), write);
    } catch (error) {
      if (!said && error instanceof Error) failed(error);
      said = true;
    }
  };
  const soon = (write: (at: string) => Promise<unknown>): void => {
    queue = queue.then(() => attempt(write));
  };
  const keepChanges = (of: number, before: Snapshot, after: Snapshot): void =>
    soon(async (at) => {
      const found = await patch(before, after, LIMITS.changes);
      if (found !== undefined)
        await replaceIn(at, changesName(of), hiding(found.text) + cutWords(found.leftOut, "bytes at the end"));
    });
  return {
    keepPrompt(of, prompt) {
      const text = prompt.slice(0, LIMITS.prompt);
      const left = prompt.length - text.length;
      soon((at) => replaceIn(at, promptName(of), `${hiding(text)}${cutWords(left, "characters at the end")}`));
    },
    report(event, state) {
      if (state.iteration !== iteration) written = 0;
      ({ iteration } = state);
      if (event.type === "turn_started") {
        begun = state.snapshot;
        soon((at) => forget(at, event.iteration - KEPT_ITERATIONS));
      }
      const after = event.type === "turn_ended" ? event.snapshot : null;
      if (after !== null && begun !== null && after.tree !== begun.tree) keepChanges(iteration, begun, after);
    },
    observe(event) {
      if (event.type !== "check.ended" || event.output === undefined) return;
      const text = checkText(event.check, event.output);
      const room = Math.max(0, LIMITS.checks - written);
      written += text.length;
      const of = iteration;
      if (room > 0) soon((at) => appendIn(at, checksName(of), hiding(text.slice(0, room))));
      if (room > 0 && text.length >= room) soon((at) => appendIn(at, checksName(of), FULL));
    },
    flush: async (deadline) => settledBy(queue, deadline),
  };
}

const FULL = "\n[cut: what further checks of this iteration said is left out]\n";

function cutWords(left: number, what: string): string {
  return left === 0 ? "" : `\n[cut: ${left} ${what} are left out]\n`;
}

type Ended = Extract<Parameters<Reporter["observe"]>[0], { type: "check.ended" }>;

/** A check as a terminal would have shown it; of a long output the end. */
function checkText(check: Ended["check"], output: NonNullable<Ended["output"]>): string {
  const end = check.timedOut ? "timed out" : check.exitCode === null ? "did not end" : `exit ${check.exitCode}`;
  const kept = output.text.slice(-LIMITS.check);
  const left = output.text.length - kept.length;
  const cut = output.cut || left > 0 ? "[cut: the beginning of its output is left out]\n" : "";
  const body = kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`;
  return `$ ${oneLine(checkLabel(check))}  (${end}, ${duration(check.durationMs)})\n${cut}${body}\n`;
}

async function forget(at: string, iteration: number): Promise<void> {
  if (iteration < 1) return;
  for (const name of [promptName(iteration), changesName(iteration), checksName(iteration)])
    await rm(path.join(at, name), { force: true });
}
