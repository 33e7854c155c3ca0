import { nextItem, type ChecklistItem, parseChecklist, tallyOf } from "../core/checklist.ts";
import { OperationalError } from "../core/errors.ts";
import type { Backlog } from "../core/ports.ts";
import type { Item } from "../core/task.ts";
import { readWorkspaceFile } from "./workspace-file.ts";

const TITLE_LIMIT = 80;

/** The user's prompt as the one and only item: the loop works on it until a stop rule ends the loop. */
export function createPromptBacklog(prompt: string): Backlog {
  const item: Item = { id: "task", title: titleOf(prompt), text: "" };
  return {
    async next() {
      return item;
    },
    async count() {
      return null;
    },
  };
}

/** The first line that says anything, at most 80 characters. */
function titleOf(prompt: string): string {
  const line = prompt.trimStart().split(/\r\n|\r|\n/u, 1)[0] ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= TITLE_LIMIT) return characters.join("");
  return `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`;
}

interface ChecklistOptions {
  /** the workspace's root, absolute */
  readonly root: string;
  /** the checklist, relative to the root */
  readonly path: string;
  /** lines with this are no work; null: there are none */
  readonly skipped: string | null;
  /** hex SHA-256 of a text */
  readonly digest: (text: string) => string;
}

/**
 * The Markdown task lists of a file that the agent works through and ticks off. A missing file is a
 * checklist without an item.
 *
 * `next` and `count` reject with an OperationalError when the path leads out of the workspace, names something that is no
 * file, or a file so large that part of it would have to be left out.
 */
export function createChecklist({ root, path, skipped, digest }: ChecklistOptions): Backlog {
  const items = async (): Promise<readonly ChecklistItem[]> => {
    const { text, whole } = await readWorkspaceFile({ root, path, setting: "plan-file" });
    if (!whole) throw tooLarge(path);
    return parseChecklist(text, skipped, digest);
  };
  return {
    async next() {
      return nextItem(await items(), path);
    },
    async count() {
      return tallyOf(await items());
    },
  };
}

function tooLarge(shown: string): OperationalError {
  return new OperationalError({
    code: "PLAN_TOO_LARGE",
    what: `The plan ${shown} is larger than 1 MiB, so nobody could tell whether all of it is done. The work is unharmed, and the loop is where it was.`,
    next: "Move what is done to another file, then resume the loop.",
  });
}
