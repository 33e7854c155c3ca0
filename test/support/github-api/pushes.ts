import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ActivityRow } from "./rows.ts";
import type { World } from "./world.ts";

const NOTHING = /^0+$/u;
const ENTRY = /^([\da-f]+) ([\da-f]+) (.*) <[^>]*> (\d+) [-+]\d{4}/u;

/** What the real repository's own clock says of the pushes to branches that are there: its reflogs, in seconds. */
export async function pushesOf(world: World): Promise<readonly ActivityRow[]> {
  if (world.git === null) return [];
  const { folder } = world.git;
  const rows: ActivityRow[] = [];
  for (const { ref } of await world.refs.list("refs/heads/")) {
    const log = await readFile(path.join(folder, "logs", ref), "utf8").catch(() => "");
    for (const line of log.split("\n")) {
      const [, before = "", after = "", name = "", seconds = ""] = ENTRY.exec(line) ?? [];
      if (after === "") continue;
      const type = NOTHING.test(before) ? "branch_creation" : "push";
      const at = new Date(Number(seconds) * 1000);
      // Over HTTP everybody comes with a token.
      const author = name === "x-access-token" ? "github-actions[bot]" : "alice";
      rows.push({ id: 200_000 + rows.length, ref, before, after, type, author, at });
    }
  }
  return rows;
}
