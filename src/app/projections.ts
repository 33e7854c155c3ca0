import path from "node:path";
import { SecretValues } from "../os/secrets.ts";
import type { Config } from "../config/config.ts";
import type { Reporter } from "../core/ports.ts";
import { unfinishedName } from "../os/atomic-file.ts";
import { allOf } from "../reporters/all-of.ts";
import type { Layout } from "../views/projections/layout.ts";
import { excludeFromGitStatus, trackedAmong } from "../git/status.ts";
import { secretsOf } from "../store/redaction.ts";
import { looprRoot } from "./loopr-root.ts";
import type { LoopPlace } from "../store/place.ts";

/** Another tool's state files, and where they are to be written. */
export interface Projection {
  readonly layout: Layout;
  /** absolute */
  readonly root: string;
}

type Name = Config["projections"][number];

/** Few ask for one, so that nothing of it is read before. */
const LAYOUTS: Readonly<Record<Name, () => Promise<Layout>>> = {
  loopr: async () => (await import("../views/projections/loopr.ts")).LOOPR_LAYOUT,
  ralph: async () => (await import("../views/projections/ralph.ts")).RALPH_LAYOUT,
};

const ROOTS: Readonly<Record<Name, (place: LoopPlace, config: Config) => Promise<string>>> = {
  loopr: async ({ root }, config) => looprRoot(root, config.looprRoot),
  ralph: async ({ root }) => root,
};

/** The projections that the settings ask for (C11). @throws UsageError when the named Loopr root is not there */
export async function projectionsOf(place: LoopPlace, config: Config): Promise<readonly Projection[]> {
  const names = [...new Set(config.projections)];
  return Promise.all(
    names.map(async (name) => ({ layout: await LAYOUTS[name](), root: await ROOTS[name](place, config) })),
  );
}

/** A reporter that writes the projections besides; the first one hears of what could not be written. */
export async function withProjections(
  progress: Reporter,
  projections: readonly Projection[],
  config: Config,
): Promise<Reporter> {
  if (projections.length === 0) return progress;
  const { projectionReporter } = await import("../reporters/projection.ts");
  const writing = projections.map(({ layout, root }) =>
    projectionReporter({
      layout,
      root,
      hiding: withoutSecretsOf(config),
      failed: (why) => progress.observe({ type: "notice", text: unwritten(why) }),
    }),
  );
  return allOf([progress, ...writing]);
}

/** They quote the agent, and may end in an artifact that everybody reads (T2, T16). */
function withoutSecretsOf(config: Config): (text: string) => string {
  const secrets = new SecretValues(secretsOf(config));
  return (text) => Buffer.from(secrets.hiddenIn(Buffer.from(text).toString("latin1")), "latin1").toString();
}

/** All that projections may ever write, absolute: never measured, never committed. */
export function projectedPaths(projections: readonly Projection[]): readonly string[] {
  return projections.flatMap(({ layout, root }) => namesIn(layout).map((name) => path.join(root, name)));
}

/**
 * Keeps projections out of what git shows.
 *
 * @returns what a person has to know: files among them that somebody has put under git's control
 * @throws OperationalError `EXCLUDE_UNWRITABLE`
 */
export async function hideProjections(projections: readonly Projection[]): Promise<readonly string[]> {
  const notices: string[] = [];
  // One after the other: they may add to the same file.
  for (const { layout, root } of projections) {
    const names = namesIn(layout);
    const tracked = await trackedAmong(root, names);
    await excludeFromGitStatus(
      root,
      names.filter((name) => !tracked.includes(name)),
    );
    if (tracked.length > 0) notices.push(underControl(tracked));
  }
  return notices;
}

/** Seen from the layout's root, with `/` between their parts. */
function namesIn({ folder, files, logs }: Layout): readonly string[] {
  const replaced = Object.keys(files).flatMap((name) => [name, unfinishedName(name)]);
  return [...replaced, ...Object.keys(logs)].map((name) => (folder === "" ? name : `${folder}/${name}`));
}

function underControl(tracked: readonly string[]): string {
  const names = tracked.join(", ");
  return `git tracks ${names}: the projection is written all the same, and the loop neither measures nor commits it. To have git leave it alone: git rm --cached ${tracked.join(" ")}`;
}

function unwritten(why: Error): string {
  return `a projection could not be written (${why.message}); the loop does not need it and goes on, and tries again with every event. Make room for it, or correct --projections`;
}
