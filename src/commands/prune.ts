import { UsageError } from "../core/errors.ts";
import { line, type Line, plainText } from "../views/plain-text.ts";
import { locate } from "../app/locate.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import type { Command, Invocation } from "../app/command.ts";
import type { Found, PruneItem } from "./prune-item.ts";
import { findInWorkspace } from "./prune-local.ts";
import { githubPlace } from "./prune-place.ts";

const DAYS = 14;
const DAY_MS = 86_400_000;

/** What a person wants to know before they delete something. */
export const PRUNE_HELP = `A loop is over when it is completed or cancelled, or when its pull request is closed. What runs, what can go
on, a branch of a person and one that somebody pushed to are never removed; of this workspace's loops, only
files that smithers made. A loop whose work may be nowhere else says so: fetch refs/smithers/<loop-id> first.

Examples:
  smithers prune                            show what there is
  GH_TOKEN="$(gh auth token)" smithers prune --repo octo/demo
                                            the same, on GitHub as well
  smithers prune --older-than 60 --yes      remove what is older than two months

Exit codes: 0 done or shown, 1 something is left or could not be read, 64 bad usage.`;

/** What came of one thing that a loop has left. */
interface Pruned extends Pick<PruneItem, "kind" | "loopId" | "name" | "why"> {
  /** why it is still there, as part of a sentence; undefined: nobody has tried */
  readonly left: string | null | undefined;
}

/**
 * `smithers prune`: shows what loops that are over have left on GitHub and in this workspace, and removes it with
 * `--yes`. What runs, what can go on and what is younger than the limit stays.
 */
export const prune: Command = async (invocation, shell) => {
  const before = Date.now() - daysOf(invocation) * DAY_MS;
  const { root } = await locate(invocation.flags, shell);
  const place = await githubPlace(invocation.values.get("repo"), root, shell);
  if (typeof place === "string") note(shell, place);
  const places: Found[] = [await findInWorkspace(root, before)];
  if (typeof place !== "string") places.push(await (await import("./prune-github.ts")).findOnGithub(place, before));
  const items = places.flatMap((found) => found.items);
  const staying = places.flatMap((found) => found.staying);
  const deletes = invocation.yes && !invocation.dryRun;
  if (!invocation.json) printLines(shell, table(items, staying));
  const pruned: Pruned[] = [];
  for (const item of items) pruned.push(await done(item, deletes));
  tell(pruned, staying, { invocation, shell, deletes });
  return pruned.some(({ left }) => typeof left === "string") ? 1 : 0;
};

async function done({ remove, ...item }: PruneItem, deletes: boolean): Promise<Pruned> {
  return { ...item, left: deletes ? await remove() : undefined };
}

function daysOf({ values }: Invocation): number {
  const text = values.get("older-than") ?? String(DAYS);
  if (/^\d{1,4}$/u.test(text)) return Number(text);
  throw new UsageError([
    {
      code: "DAYS_INVALID",
      what: `--older-than ${JSON.stringify(text)} is no number of days.`,
      next: `Write a whole number from 0 to 9999; without it, ${DAYS}.`,
    },
  ]);
}

function table(items: readonly PruneItem[], staying: Found["staying"]): readonly Line[] {
  const width = Math.max(0, ...items.map(({ name }) => plainText(name).length));
  return [
    ...items.map(({ kind, name, why }) =>
      line(`${kind.padEnd("request".length)}  ${plainText(name).padEnd(width)}  ${plainText(why)}`),
    ),
    ...staying.map(({ loopId, why }) => line(plainText(`stays: loop ${loopId} ${why}`), "dim")),
  ];
}

interface Telling {
  readonly invocation: Invocation;
  readonly shell: Shell;
  readonly deletes: boolean;
}

function tell(pruned: readonly Pruned[], staying: Found["staying"], { invocation, shell, deletes }: Telling): void {
  const left = pruned.filter((item) => typeof item.left === "string");
  if (invocation.json) {
    printJson(shell, {
      schema: 1,
      dry_run: !deletes,
      found: pruned.map(({ kind, loopId, name, why, left: because }) => ({
        ...{ kind, loop_id: loopId, name, why },
        ...{ removed: because === null, left_because: because ?? null },
      })),
      staying: staying.map(({ loopId, why }) => ({ loop_id: loopId, why })),
    });
    return;
  }
  for (const { name, left: because } of left) note(shell, plainText(`${name} is left: ${because ?? ""}.`));
  const last = lastWord(pruned.length, left.length, deletes, shell.program);
  printLines(shell, [line(last, left.length > 0 ? "warn" : "plain")]);
}

function lastWord(found: number, left: number, deletes: boolean, program: string): string {
  if (found === 0) return "There is nothing to remove.";
  if (!deletes) return `Nothing was removed. ${program} prune --yes, with the same flags, removes the ${found} above.`;
  return left === 0 ? `Removed ${found}.` : `Removed ${found - left} of ${found}.`;
}
