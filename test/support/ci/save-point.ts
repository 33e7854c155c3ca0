import { shellIn } from "../git-repository.ts";
import type { Ci } from "./ci.ts";

/**
 * What GitHub holds of all loops by now: refs, runs, artifacts and caches, and what is said on issues and pull requests. Several stories can go on from one beginning, where
 * each would otherwise have to tell it again, job by job. What is in a blob is not kept.
 *
 * @returns what puts all of it back
 */
export async function savePoint({ remote, api, results }: Ci): Promise<() => Promise<void>> {
  const refs = async (): Promise<ReadonlyMap<string, string>> => {
    const listed = await remote.git("for-each-ref", "--format=%(refname) %(objectname)");
    const lines = listed.split("\n").filter((line) => line !== "");
    return new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]));
  };
  const before = await refs();
  const { world } = api;
  const kept = [
    ...[world.issues, world.comments, world.statuses, world.dispatches].map(copy),
    keep(world.runs),
    keep(world.jobs),
    keep(world.artifacts),
    keep(world.pages),
    keep(results.artifacts.stored),
    keep(results.cache.entries),
  ];
  return async () => {
    const added = [...(await refs()).keys()].filter((name) => !before.has(name));
    const orders = [
      ...added.map((name) => `delete ${name}`),
      ...[...before].map(([name, at]) => `update ${name} ${at}`),
    ];
    await shellIn(remote.folder, `printf '%s\\n' "$@" | git update-ref --stdin`, "sh", ...orders);
    for (const giveBack of kept) giveBack();
  };
}

/** Of rows that are changed in place. */
function copy(rows: unknown[]): () => void {
  const before = structuredClone(rows);
  return () => {
    rows.splice(0, rows.length, ...structuredClone(before));
  };
}

function keep(rows: unknown[]): () => void {
  const before = [...rows];
  return () => {
    rows.splice(0, rows.length, ...before);
  };
}
