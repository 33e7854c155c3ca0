import { lstat, rm } from "node:fs/promises";
import path from "node:path";
import type { Command, Invocation } from "../app/command.ts";
import { locate } from "../app/locate.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import { isOver } from "../app/loops/stored-loop.ts";
import { messageOf, UsageError } from "../core/errors.ts";
import { DONE, failed, type Result } from "../core/result.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { keptFolder } from "../store/consents.ts";
import { leftSettings } from "../store/kept-settings.ts";
import { listLoops, removeArtifacts } from "../store/loop-files.ts";
import { lockHolder } from "../store/lock.ts";
import { LOOPS_FOLDER, placeOf } from "../store/place.ts";
import { line, type Line, plainText } from "../views/plain-text.ts";
import { githubPlace } from "./github-place.ts";
import type { Found, PruneItem } from "./prune-github.ts";

const DAYS = 14;
const DAY_MS = 86_400_000;

export const PRUNE_HELP = `A loop is over when it is completed or cancelled, or when its pull request is closed. What runs, what can go
on, a branch of a person and one that somebody pushed to are never removed; of this workspace's loops, only
files that smithers made. A loop whose work may be nowhere else says so: fetch refs/smithers-loops/<loop-id> first.
What this machine keeps for loops of a workspace that is gone goes as well.

Examples:
  smithers prune                            show what there is
  GH_TOKEN="$(gh auth token)" smithers prune --repo octo/demo
                                            the same, on GitHub as well
  smithers prune --older-than 60 --yes      remove what is older than two months

Exit codes: 0 done or shown, 1 something is left or could not be read, 64 bad usage.`;

/** `removal`: what came of it; null: nobody has tried. */
type Pruned = PruneItem & { readonly removal: Result<unknown> | null };

/**
 * `smithers prune`: shows what loops that are over have left on GitHub and in this workspace, and removes it with
 * `--yes`. What runs, what can go on and what is younger than the limit stays.
 */
export const prune: Command = async (invocation, shell) => {
  const before = Date.now() - daysOf(invocation) * DAY_MS;
  const { root } = await locate(invocation.flags, shell, "silent");
  const place = await githubPlace(invocation.values.get("repo"), root, shell);
  if (typeof place === "string") note(shell, place);
  const places: Found[] = [await findInWorkspace(root, before)];
  places.push(await findOnMachine(shell, before));
  if (typeof place !== "string") places.push(await (await import("./prune-github.ts")).findOnGithub(place, before));
  const items = places.flatMap((found) => found.items);
  const staying = places.flatMap((found) => found.staying);
  const deletes = invocation.yes && !invocation.dryRun;
  if (!invocation.json) printLines(shell, table(items, staying));
  const pruned: Pruned[] = [];
  for (const item of items) pruned.push({ ...item, removal: deletes ? await item.remove() : null });
  const left = pruned.flatMap(({ name, removal }) =>
    removal?.ok === false ? { name, because: removal.trouble.because } : [],
  );
  if (invocation.json) printJson(shell, asJson(pruned, staying, deletes));
  else {
    for (const { name, because } of left) note(shell, plainText(`${name} is left: ${because}.`));
    const last = lastWord(pruned.length, left.length, deletes, shell.program);
    printLines(shell, [line(last, left.length > 0 ? "warn" : "plain")]);
  }
  return left.length > 0 ? 1 : 0;
};

function daysOf({ values }: Invocation): number {
  const text = values.get("older-than") ?? String(DAYS);
  if (/^\d{1,4}$/u.test(text)) return Number(text);
  throw new UsageError({
    code: "DAYS_INVALID",
    what: `--older-than ${JSON.stringify(text)} is no number of days.`,
    next: `Write a whole number from 0 to 9999; without it, ${DAYS}.`,
  });
}

/**
 * The folders of loops of this workspace that are over. Their states stay: they say how the loops have ended.
 *
 * @param before loops that were at work later stay; milliseconds since the epoch
 */
async function findInWorkspace(root: string, before: number): Promise<Found> {
  const items: PruneItem[] = [];
  const staying: { loopId: string; why: string }[] = [];
  for (const loop of await listLoops(path.join(root, LOOPS_FOLDER))) {
    const { id: loopId } = loop;
    const { folder } = placeOf(root, loopId, null);
    const stays = (why: string): unknown => staying.push({ loopId, why });
    if ("problem" in loop) stays(`cannot be read: ${loop.problem.message}`);
    else if ((await unlessMissing(lstat(folder)))?.isDirectory() !== true) continue;
    else if ((await lockHolder(folder)) !== undefined) stays("is running");
    else if (!isOver(loop.state)) stays(`is ${loop.state.status} and can go on`);
    else if (!(Date.parse(loop.state.updated_at) < before)) stays(`ended on ${loop.state.updated_at.slice(0, 10)}`);
    else items.push({ kind: "files", loopId, name: folder, why: loop.state.status, remove: () => clear(folder) });
  }
  return { items, staying };
}

/** What loops of workspaces that are gone were given, wherever on this machine they were. */
async function findOnMachine({ env }: Shell, before: number): Promise<Found> {
  const folder = keptFolder(env);
  const left = folder === undefined ? [] : await leftSettings(folder, before);
  const items = left.map(({ workspace, loopId, file }) => ({
    ...{ kind: "settings" as const, loopId, name: workspace, why: "its workspace is gone" },
    remove: () => removed(file),
  }));
  return { items, staying: [] };
}

async function removed(file: string): Promise<Result> {
  try {
    await rm(file, { force: true });
    return DONE;
  } catch (error) {
    return failed({ because: messageOf(error) });
  }
}

async function clear(folder: string): Promise<Result> {
  try {
    const { left } = await removeArtifacts(folder);
    return left.length === 0 ? DONE : failed({ because: `smithers did not make ${left.join(", ")}` });
  } catch (error) {
    return failed({ because: messageOf(error) });
  }
}

function table(items: readonly PruneItem[], staying: Found["staying"]): readonly Line[] {
  const width = Math.max(0, ...items.map(({ name }) => plainText(name).length));
  return [
    ...items.map(({ kind, name, why }) =>
      line(`${kind.padEnd("settings".length)}  ${plainText(name).padEnd(width)}  ${plainText(why)}`),
    ),
    ...staying.map(({ loopId, why }) => line(plainText(`stays: loop ${loopId} ${why}`), "dim")),
  ];
}

function asJson(pruned: readonly Pruned[], staying: Found["staying"], deletes: boolean): object {
  return {
    schema: 1,
    dry_run: !deletes,
    found: pruned.map(({ kind, loopId, name, why, removal }) => ({
      ...{ kind, loop_id: loopId, name, why },
      ...{ removed: removal?.ok === true, left_because: removal?.ok === false ? removal.trouble.because : null },
    })),
    staying: staying.map(({ loopId, why }) => ({ loop_id: loopId, why })),
  };
}

function lastWord(found: number, left: number, deletes: boolean, program: string): string {
  if (found === 0) return "There is nothing to remove.";
  if (!deletes) return `Nothing was removed. ${program} prune --yes, with the same flags, removes the ${found} above.`;
  return left === 0 ? `Removed ${found}.` : `Removed ${found - left} of ${found}.`;
}
