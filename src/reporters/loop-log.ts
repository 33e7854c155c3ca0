import { AGENT_LOG_FILE } from "../core/names.ts";
import { timestamp } from "../core/open-loop.ts";
import type { Reporter } from "../core/ports.ts";
import { settledBy } from "../os/concurrency.ts";
import { ownFolder } from "../os/own-file.ts";
import { activityLine, eventLines } from "../views/event-lines.ts";
import { plainText } from "../views/plain-text.ts";
import { addTo } from "./growing-file.ts";

interface LoopLogOptions {
  /** the workspace, absolute: no link below it is followed (T14) */
  readonly root: string;
  /** that get the log, absolute */
  readonly folders: readonly string[];
  /** a text without what readers must not see */
  readonly hiding: (text: string) => string;
  /** milliseconds since the epoch */
  readonly now: () => number;
  /** hears once why it could not be written; the loop goes on without it */
  readonly failed: (why: Error) => void;
  /** bytes that it may have before its older half goes; absent: 5 MB */
  readonly limit?: number;
}

const LIMIT = 5_000_000;

/**
 * Keeps what a person saw of the loop: `agent.log` has a line for each, with its time and `[iteration/most]`, over all
 * runs. Nothing is written before the first durable event.
 */
export function loopLogReporter(options: LoopLogOptions): Reporter {
  const { hiding, now, failed, limit = LIMIT } = options;
  let waiting = "";
  let has = { begun: false, said: false };
  let prefix = "[0/0]";
  let work: Promise<void> | undefined;

  const add = (at: string, texts: readonly string[]): void => {
    waiting += texts.map((text) => `${at} ${prefix} ${hiding(plainText(text))}\n`).join("");
    if (has.begun && waiting !== "") work ??= writeAll();
  };
  const writeAll = async (): Promise<void> => {
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      const written = await Promise.allSettled(
        options.folders.map(async (folder) =>
          addTo(await ownFolder(options.root, folder), AGENT_LOG_FILE, text, limit),
        ),
      );
      const broken = written.find(({ status }) => status === "rejected");
      if (broken?.status === "rejected" && broken.reason instanceof Error && !has.said) {
        has = { ...has, said: true };
        failed(broken.reason);
      }
    }
    work = undefined;
  };
  return {
    report(event, state) {
      has = { ...has, begun: true };
      prefix = `[${state.iteration}/${state.max_iterations}]`;
      add(
        event.at,
        eventLines(event, state).map(({ text }) => text),
      );
    },
    observe(event) {
      const line = activityLine(event);
      if (line !== undefined) add(timestamp(now()), [line.text]);
    },
    flush: async (deadline) => settledBy(work, deadline),
  };
}
