import { type ChecklistItem, nextItem, parseChecklist, tallyOf } from "../core/checklist.ts";
import { OperationalError } from "../core/errors.ts";
import type { Backlog, HardStops, WorkLists } from "../core/ports.ts";
import { type Item, WHOLE_TASK } from "../core/task.ts";
import { readWorkspaceFile, type WorkspaceFile } from "./workspace-file.ts";
import { scanHardStops } from "../core/hard-stop.ts";

const TITLE_LIMIT = 80;

/** The user's prompt as the one and only item: the loop works on it until a stop rule ends the loop. */
export function createPromptBacklog(prompt: string): Backlog {
  const item: Item = { id: WHOLE_TASK, title: titleOf(prompt), text: "" };
  return {
    async next() {
      return item;
    },
    async count() {
      return null;
    },
    sync: nothingToSync,
  };
}

/** The first line that says anything, at most 80 characters. */
function titleOf(prompt: string): string {
  const line = prompt.trimStart().split(/\r\n|\r|\n/u, 1)[0] ?? "";
  const characters = Array.from(line.trim());
  if (characters.length <= TITLE_LIMIT) return characters.join("");
  return `${characters.slice(0, TITLE_LIMIT - 1).join("")}…`;
}

/** A file with a list, which the agent may write as well. */
interface ListFile extends Pick<WorkspaceFile, "root" | "path"> {
  /** hex SHA-256 of a text */
  readonly digest: (text: string) => string;
}

interface ChecklistOptions extends ListFile {
  /** lines with this are not work; null: all are */
  readonly skipped: string | null;
}

/**
 * The Markdown task lists of a file that the agent works through and ticks off. A missing file is an empty checklist.
 *
 * `next` and `count` reject with an OperationalError when the path leads out of the workspace, names something that is
 * not a file, or a file so large that part of it would have to be left out.
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
    sync: nothingToSync,
  };
}

/** What the agent ticks off is its own to write. */
async function nothingToSync(): Promise<readonly never[]> {
  return [];
}

function tooLarge(shown: string): OperationalError {
  return new OperationalError({
    code: "PLAN_TOO_LARGE",
    what: `The plan ${shown} is larger than 1 MiB, so nobody could tell whether all of it is done. The work is unharmed, and the loop is where it was.`,
    next: "Move what is done to another file, then resume the loop.",
  });
}

/**
 * HARD STOP checkpoints in a todo file. The file is the agent's to write: a missing one holds no checkpoint,
 * and of a large one the whole lines of the first MiB are read.
 *
 * `scan` and `exists` reject with an OperationalError when the path leads out of the workspace, also through a symbolic link, or
 * names something that is not a file.
 */
export function createTodoFile({ root, path, token, digest }: ListFile & { readonly token: string }): HardStops {
  return {
    async scan() {
      const { text } = await readWorkspaceFile({ root, path, setting: "todo-file" });
      return scanHardStops(text, token, digest);
    },
    async exists() {
      return (await readWorkspaceFile({ root, path, setting: "todo-file" })).found;
    },
  };
}

/**
 * The plan and the todo file as lists of work. Of a large one the whole lines of the first MiB are read.
 *
 * `read` rejects as `createChecklist` and `createTodoFile` do.
 */
export function createWorkLists(
  root: string,
  { plan, todo }: { readonly plan: string | null; readonly todo: string | null },
): WorkLists {
  const wanted = [
    ...(plan === null ? [] : [{ root, path: plan, setting: "plan-file" as const }]),
    ...(todo === null || todo === plan ? [] : [{ root, path: todo, setting: "todo-file" as const }]),
  ];
  const read = async (file: WorkspaceFile) => ({ path: file.path, text: (await readWorkspaceFile(file)).text });
  return { read: () => Promise.all(wanted.map(read)) };
}

/** For loops without a todo file. */
export const noHardStops: HardStops = {
  async scan() {
    return [];
  },
  async exists() {
    return true;
  },
};
