import path from "node:path";
import { constants, watch } from "node:fs";
import { lstat, open, rm } from "node:fs/promises";
import { CONTROL_FOLDER } from "../core/names.ts";
import type { Control, ControlRequest } from "../core/ports.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { inOwnFolder, inOwnFolderIfThere, makeOwnFolder, type OwnFolder, ownFolder } from "../os/own-file.ts";
import { createWaker, requestStream } from "./request-stream.ts";

/** What may be asked, the strongest first: the name of the request's file. */
const KINDS = ["cancel", "stop", "pause"] as const satisfies readonly ControlRequest["kind"][];

/** The time between two looks at the folder, in milliseconds, when the system does not report changes. */
const POLL_MS = 500;

/** By how many milliseconds at most file systems date a file too early. */
const DATE_SLACK_MS = 100;

/** At most this much is read of who asks, in bytes. */
const BY_LIMIT = 200;

/**
 * Asks a running loop to pause, stop or cancel, without its lock. The loop hears it within a second.
 *
 * @param folder the loop's folder
 * @param by who asks: `smithers stop`
 * @param root the workspace: no link below it is followed
 * @throws OperationalError `LINK_REFUSED`
 */
export async function requestControl(
  folder: string,
  kind: ControlRequest["kind"],
  by: string,
  root = path.dirname(folder),
): Promise<void> {
  const control = await ownFolder(root, path.join(folder, CONTROL_FOLDER));
  await inOwnFolder(control, (at) => writeFileDurably(path.join(at, kind), `${by}\n`));
}

/**
 * Listens to requests in the loop's `control/`; removes each when it is heard.
 *
 * A pause or stop that is older than this control was meant for an earlier run and is dropped when watching begins; a
 * cancel stays.
 *
 * @param folder the loop's folder
 * @param root the workspace: no link below it is followed
 */
export function createFolderControl(folder: string, root = path.dirname(folder)): Control {
  const control = ownFolder(root, path.join(folder, CONTROL_FOLDER));
  let staleBefore = Date.now() - DATE_SLACK_MS;
  // Two that look at the same time would take each other's requests.
  let listening: Promise<unknown> = control;
  const missed: ControlRequest[] = [];
  return {
    watch: (signal) =>
      requestStream(signal, (push, ended) => {
        const dropBefore = staleBefore;
        staleBefore = 0;
        const hear = (request: ControlRequest): void => {
          if (ended.aborted) missed.push(request);
          else push(request);
        };
        listening = listening.then(async () => {
          for (const request of missed.splice(0)) hear(request);
          return listen(await control, dropBefore, hear, ended);
        });
      }),
  };
}

async function listen(
  control: OwnFolder,
  staleBefore: number,
  push: (request: ControlRequest) => void,
  signal: AbortSignal,
): Promise<void> {
  const waker = createWaker();
  const timer = setInterval(waker.wake, POLL_MS).unref();
  signal.addEventListener("abort", waker.wake);
  // Where a link is in the way, what is behind it is nobody's request: each look finds nothing.
  await makeOwnFolder(control).catch(() => undefined);
  const stopWatching = watchFolder(control.path, waker.wake);
  for (let dropBefore = staleBefore; !signal.aborted; dropBefore = 0) {
    for (const kind of KINDS) {
      const since = kind === "cancel" ? 0 : dropBefore;
      const looking = inOwnFolderIfThere(control, (at) => take(at, kind, since));
      const request = await looking.catch(() => undefined);
      if (request !== undefined) push(request);
    }
    await waker.woken();
  }
  clearInterval(timer);
  stopWatching();
}

/** Reports changes where the system can; otherwise the poll has to do. */
function watchFolder(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}

/** Removes a request and returns it; undefined when it does not exist, is too old, or is not a plain file. */
async function take(
  control: string,
  kind: ControlRequest["kind"],
  dropBefore: number,
): Promise<ControlRequest | undefined> {
  const file = path.join(control, kind);
  try {
    const found = await lstat(file);
    const by = found.isFile() ? await readBy(file) : undefined;
    await rm(file, { recursive: true, force: true });
    if (by === undefined || found.mtimeMs < dropBefore) return undefined;
    return { kind, by: by === "" ? `${CONTROL_FOLDER}/${kind}` : by };
  } catch {
    return undefined;
  }
}

/** The first line, without anything that could disturb a terminal. Never follows a link and never waits for a pipe. */
async function readBy(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BY_LIMIT), 0, BY_LIMIT, 0);
    const [line = ""] = buffer.toString("utf8", 0, bytesRead).split(/[\r\n]/u);
    return line.replaceAll(/\p{C}/gu, "").trim();
  } finally {
    await handle.close();
  }
}
