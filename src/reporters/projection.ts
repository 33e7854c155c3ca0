import path from "node:path";
import type { Reporter } from "../core/ports.ts";
import { settledBy } from "../os/concurrency.ts";
import { appendIn, replaceIn, sharedFolder } from "../os/atomic-file.ts";
import { inOwnFolder, workspaceFolder } from "../os/own-file.ts";
import type { Layout, Moment } from "../views/projections/layout.ts";

interface ProjectionOptions {
  readonly layout: Layout;
  /** where the layout begins, absolute; it exists */
  readonly root: string;
  /** absolute: no link below it is followed (T14); absent: links above the layout's folder are a person's own */
  readonly workspace?: string;
  /** a text without what readers of these files must not see */
  readonly hiding: (text: string) => string;
  /** hears once why a file could not be written; the loop goes on without it */
  readonly failed: (why: Error) => void;
}

/**
 * Writes the state files of another tool after every event. While they are written, what happens is
 * gathered: the files get the newest state only, the logs a line for each event. Nothing of it is ever read, and the
 * files of the layout are all that is touched.
 */
export function projectionReporter({ layout, root, workspace, hiding, failed }: ProjectionOptions): Reporter {
  let wanted: Moment[] = [];
  let work: Promise<void> | undefined;
  let said = false;
  /** One file that cannot be written does not keep the others from it. */
  const writeIn = async (folder: string, moments: readonly Moment[]): Promise<void> => {
    const newest = moments.at(-1);
    const written = await Promise.allSettled([
      ...Object.entries(layout.files).map(
        ([name, textAt]) => newest && replaceIn(folder, name, hiding(textAt(newest))),
      ),
      ...Object.entries(layout.logs).map(([name, lineOf]) => appendIn(folder, name, hiding(linesOf(moments, lineOf)))),
    ]);
    const broken = written.find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
  };
  const write = async (moments: readonly Moment[]): Promise<void> => {
    const own = workspace === undefined ? undefined : await workspaceFolder(workspace, root);
    if (own === undefined) return writeIn(await sharedFolder(root, layout.folder), moments);
    await inOwnFolder({ root: own.root, path: path.join(own.path, layout.folder) }, (at) => writeIn(at, moments));
  };
  const writeAll = async (): Promise<void> => {
    while (wanted.length > 0) {
      const moments = wanted;
      wanted = [];
      try {
        await write(moments);
      } catch (error) {
        if (!said && error instanceof Error) failed(error);
        said = true;
      }
    }
    work = undefined;
  };
  return {
    report(event, state) {
      wanted.push({ event, state });
      work ??= writeAll();
    },
    observe() {},
    flush: async (deadline) => settledBy(work, deadline),
  };
}

function linesOf(moments: readonly Moment[], lineOf: Layout["logs"][string]): string {
  return moments
    .map(lineOf)
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join("");
}
