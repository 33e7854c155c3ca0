import { scanHardStops } from "../core/hard-stop.ts";
import type { HardStops } from "../core/ports.ts";
import { readWorkspaceFile } from "./workspace-file.ts";

interface TodoFileOptions {
  /** the workspace's root, absolute */
  readonly root: string;
  /** the todo file, relative to the root */
  readonly path: string;
  readonly token: string;
  /** hex SHA-256 of a text */
  readonly digest: (text: string) => string;
}

/**
 * HARD STOP checkpoints in a todo file. The file is the agent's to write: a missing one holds no checkpoint,
 * and of a large one the whole lines of the first MiB are read.
 *
 * `scan` rejects with an OperationalError when the path leads out of the workspace, also through a symbolic link, or
 * names something that is no file.
 */
export function createTodoFile({ root, path, token, digest }: TodoFileOptions): HardStops {
  return {
    async scan() {
      const { text } = await readWorkspaceFile({ root, path, setting: "todo-file" });
      return scanHardStops(text, token, digest);
    },
  };
}

/** For loops without a todo file. */
export const noHardStops: HardStops = {
  async scan() {
    return [];
  },
};
