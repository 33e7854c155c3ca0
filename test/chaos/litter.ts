import { readdir } from "node:fs/promises";
import type { Stage } from "./stage.ts";

/** Where the loop's files are, in the repository. */
const LOOPS = ".codex/waylon-smithers/loops";

/** What may be there once the last run has ended, by the folder that it is in; everything else is left over. */
const KEPT: Readonly<Record<string, RegExp>> = {
  "": /^(?:\.chaos|\.codex|\.git|\.gitignore|notes\.md|parts)$/u,
  parts: /^\d+\.txt$/u,
  // A folder for notes on locks and on loops at work stays, and none of them.
  ".git":
    /^(?:COMMIT_EDITMSG|HEAD|ORIG_HEAD|branches|config|description|hooks|index|info|logs|objects|packed-refs|refs|smithers)$/u,
  ".codex": /^waylon-smithers$/u,
  ".codex/waylon-smithers": /^loops$/u,
  [LOOPS]: /^chaos(?:\.json)?$/u,
  // docs/files.md
  [`${LOOPS}/chaos`]:
    /^(?:events\.jsonl|events_iter_\d+\.jsonl|(?:last_message|prompt|checks)_iter_\d+\.txt|changes_iter_\d+\.patch|agent\.log|progress\.md|summary\.json|tests\.json|control|lock|git)$/u,
  // A lock of a loop always has one file, whose name says who holds it.
  [`${LOOPS}/chaos/lock`]: /^free$/u,
  [`${LOOPS}/chaos/git`]: /^(?:HEAD|config|index|commit-index|info|objects|refs)$/u,
};
/** No request of a person's is left in the first, no note in the second. */
const EMPTY = new Set([`${LOOPS}/chaos/control`, ".git/smithers"]);
/** Git's own, which are not listed one by one. */
const TEMPORARY = /(?:\.lock|\.tmp|(?:^|\/)\.lock-[^/]*|(?:^|\/)tmp_[^/]*)$/u;

/** What nobody needs any more, wherever it is, once the last run of a loop has ended; in words. */
export async function litterIn(stage: Stage): Promise<readonly string[]> {
  const alive = stage.processes();
  const temp = await readdir(stage.temp);
  const all = await readdir(stage.repository, { recursive: true });
  const left = all.filter((name) => {
    const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    if (EMPTY.has(folder) || TEMPORARY.test(name)) return true;
    return KEPT[folder]?.test(name.slice(name.lastIndexOf("/") + 1)) === false;
  });
  const places = await readdir(stage.disk.path);
  const strange = places.filter((name) => !["r", "home", "tmp"].includes(name));
  const atHome = (await readdir(stage.home, { recursive: true })).filter((name) => !/^smithers(?:\/|$)/u.test(name));
  return [
    ...(alive.length === 0 ? [] : [`still running: ${alive.join()}`]),
    ...told("temp folder", temp),
    ...told("repository", left),
    ...told("home folder", atHome),
    ...told("disk", strange),
  ];
}

function told(place: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`left in the ${place}: ${names.slice(0, 5).join(", ")}`];
}
