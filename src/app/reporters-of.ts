import path from "node:path";
import type { Reporter } from "../core/ports.ts";
import type { Snapshot } from "../core/state.ts";
import type { GitWorkspace } from "../git/workspace.ts";
import { systemClock } from "../os/clock.ts";
import { SecretValues } from "../os/secrets.ts";
import { allOf } from "../reporters/all-of.ts";
import { copiesReporter } from "../reporters/copies.ts";
import { type IterationFiles, iterationFiles } from "../reporters/iteration-files.ts";
import { loopLogReporter } from "../reporters/loop-log.ts";
import { encodeEvent } from "../store/event-log.ts";
import { createProgressFile } from "../store/progress-file.ts";
import { secretsOf, withoutSecretsIn } from "../store/redaction.ts";
import type { Config } from "../config/config.ts";
import type { LoopPlace } from "../store/place.ts";
import type { PrdInUse } from "./prd/read-prd.ts";
import type { Projection } from "./own-files.ts";

/** Of what is built, all that its reporters have to know. */
interface Reported {
  readonly place: LoopPlace;
  readonly config: Config;
  readonly prd: PrdInUse | null;
  readonly reporter: Reporter;
}

const NOT_NEEDED = "the loop does not need it and goes on";

/** A blueprint whose reporter also keeps the log of the loop, and what belongs beside the documents of its PRD (D-31). */
export async function withLog<Blueprint extends Reported>(blueprint: Blueprint): Promise<Blueprint> {
  const { place, config, reporter, prd } = blueprint;
  const { root, folder } = place;
  const notice = (text: string): void => reporter.observe({ type: "notice", text });
  const log = loopLogReporter({
    root,
    folders: [folder, ...(prd === null ? [] : [path.join(root, prd.document.prd.folder)])],
    hiding: hidingOf(config),
    now: systemClock.now,
    failed: ({ message }) => notice(`the log could not be written (${message}); ${NOT_NEEDED}. Make room in ${folder}`),
  });
  const beside = prd === null ? [] : [await prdFiles({ place, config, prd }, notice)];
  return { ...blueprint, reporter: allOf([reporter, log, ...beside]) };
}

/** The blueprint's reporter, the copies that were asked for, and the projections. */
export async function reporterOf(
  { place, config, reporter }: Reported,
  projections: readonly Projection[],
): Promise<Reporter> {
  const notice = (text: string): void => reporter.observe({ type: "notice", text });
  const seen = (file: string | null): string | null => file && path.resolve(place.root, file);
  const places = { rawEvents: seen(config.jsonlEvents), lastMessages: seen(config.lastMessageDir) };
  const copies = copiesReporter(place, places, ({ message }) =>
    notice(
      `the agent's messages could not be copied (${message}); they are complete in ${place.folder}, and the loop goes on. Correct --jsonl-events or --last-message-dir`,
    ),
  );
  const writing =
    projections.length === 0 ? [] : await projectionsTo(projections, place.root, hidingOf(config), notice);
  return allOf([reporter, copies, ...writing]);
}

/** What keeps the files of each iteration. @param workspace is asked once a turn is over; undefined outside of git repositories */
export function iterationFilesOf(
  { place, config, reporter }: Reported,
  workspace: () => GitWorkspace | undefined,
): IterationFiles {
  const { root, folder } = place;
  return iterationFiles({
    ...{ root, folder, hiding: hidingOf(config) },
    patch: async (before: Snapshot, after: Snapshot, limit: number) => workspace()?.patch(before, after, limit),
    failed: ({ message }) =>
      reporter.observe({
        type: "notice",
        text: `what an iteration was asked and has changed could not be kept (${message}); ${NOT_NEEDED}. Make room in ${folder}`,
      }),
  });
}

function hidingOf(config: Config): (text: string) => string {
  const secrets = new SecretValues(secretsOf(config));
  return (text) => secrets.hiddenInWords(text);
}

/** The files in the folder of the PRD hear all that is shown (D-31). */
async function prdFiles(
  { place, config, prd }: Pick<Reported, "place" | "config"> & { prd: PrdInUse },
  notice: (text: string) => void,
): Promise<Reporter> {
  const { prdFilesReporter } = await import("../reporters/prd-files.ts");
  const { root, folder: loopFolder } = place;
  const { folder } = prd.document.prd;
  return prdFilesReporter({
    ...{ root, folder: path.join(root, folder) },
    notes: async (bytes) => createProgressFile(loopFolder, root).tail(bytes),
    eventLine: (event, state) => encodeEvent(withoutSecretsIn(event, config), state),
    hiding: hidingOf(config),
    failed: ({ message }) =>
      notice(
        `what happens could not be written beside the PRD (${message}); ${NOT_NEEDED}, and tries again with every event. It is complete in ${loopFolder}; make room in ${folder}`,
      ),
  });
}

/** They quote the agent, and may end in an artifact that everybody reads (T2, T16). */
async function projectionsTo(
  projections: readonly Projection[],
  workspace: string,
  hiding: (text: string) => string,
  notice: (text: string) => void,
): Promise<readonly Reporter[]> {
  const { projectionReporter } = await import("../reporters/projection.ts");
  const failed = (why: Error): void =>
    notice(
      `a projection could not be written (${why.message}); ${NOT_NEEDED}, and tries again with every event. Make room for it, or correct --projections`,
    );
  return projections.map(({ layout, root }) => projectionReporter({ layout, root, workspace, hiding, failed }));
}
