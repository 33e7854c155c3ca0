import path from "node:path";
import type { Config } from "../config/config.ts";
import type { LoopEvent } from "../core/events.ts";
import { changesName, checksName, lastMessageName, promptName, REPORT_FILE } from "../core/names.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, openToRead, ownFolder, replaceFile } from "../os/own-file.ts";
import { SecretValues } from "../os/secrets.ts";
import { folderOf } from "../store/loop-files.ts";
import type { LoopPlace } from "../store/place.ts";
import { readEvents } from "../store/read-events.ts";
import { hiddenIn, secretsOf, withoutSecrets } from "../store/redaction.ts";
import type { RunView } from "../views/run-view.ts";

export interface ReportOptions {
  /** whose secrets no reader may see */
  readonly config: Config;
  /** whether readers may see what the agent was asked, what it said and what it changed; the page says if not */
  readonly withTexts: boolean;
}

type Part = "beginning" | "end";

/** What is read of a file, in bytes: of a long output its end, of all else its beginning. */
const READ = {
  prompt: [promptName, 64 << 10, "beginning"],
  changes: [changesName, 256 << 10, "beginning"],
  checks: [checksName, 256 << 10, "end"],
  message: [lastMessageName, 64 << 10, "beginning"],
} as const satisfies Record<string, readonly [(iteration: number) => string, number, Part]>;

/**
 * Makes the page about a loop, without the secrets that this run knows. However much the loop has written, only a bounded
 * part of it is in memory. No link in the workspace is followed (T14).
 *
 * @throws the file system's error
 */
export async function makeReport(
  place: LoopPlace,
  view: RunView,
  { config, withTexts }: ReportOptions,
): Promise<string> {
  // Loaded only where a page is made.
  const { reportPage } = await import("../report/page.ts");
  const secrets = new SecretValues(secretsOf(config));
  return reportPage({
    view: viewWithout(view, config, secrets),
    events: eventsOf(place, secrets),
    withTexts,
    textsOf: async (iteration) => textsOf(place, iteration, secrets, withTexts),
  });
}

/**
 * Writes a page as `report.html` into the loop's folder.
 *
 * @returns the file, absolute
 * @throws the file system's error; an older page is unharmed then
 */
export async function writeReport(place: LoopPlace, page: string): Promise<string> {
  await inOwnFolder(await ownFolder(place.root, place.folder), (at) =>
    replaceFile(at, REPORT_FILE, (to) => to.writeFile(page)),
  );
  return path.join(place.folder, REPORT_FILE);
}

function viewWithout(view: RunView, config: Config, secrets: SecretValues): RunView {
  const { change, prd, branch, resume } = view;
  const clean = hiddenIn({ change, prd, branch, resume, protection: view.protection }, secrets);
  return { ...view, ...clean, state: withoutSecrets(view.state, config) };
}

/** Nothing where they were cleaned away. */
async function* eventsOf(place: LoopPlace, secrets: SecretValues): AsyncGenerator<LoopEvent> {
  try {
    for await (const event of readEvents(place)) yield hiddenIn(event, secrets);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

async function textsOf(place: LoopPlace, iteration: number, secrets: SecretValues, withTexts: boolean) {
  const read = async ([nameOf, limit, part]: (typeof READ)[keyof typeof READ]) =>
    excerpt(place, nameOf(iteration), limit, part, secrets);
  const checks = await read(READ.checks);
  if (!withTexts) return { prompt: null, changes: null, checks, message: null };
  return {
    prompt: await read(READ.prompt),
    changes: await read(READ.changes),
    checks,
    message: await read(READ.message),
  };
}

/** The beginning or the end of a file of ours, without secrets, one that goes on behind the cut included. */
async function excerpt(place: LoopPlace, name: string, limit: number, part: Part, secrets: SecretValues) {
  const { longest } = secrets;
  const read = await inOwnFolderIfThere(await folderOf(place), (at) =>
    unlessMissing(readPart(path.join(at, name), limit + longest, part)),
  );
  if (read === undefined) return null;
  const { text, size } = read;
  if (size <= limit) return { text: secrets.hiddenInWords(text), leftOut: 0, part };
  const leftOut = size - limit;
  if (part === "beginning") return { text: secrets.hiddenInWords(text, limit), leftOut, part };
  const before = secrets.hiddenInWords(text, Math.min(longest, text.length));
  return { text: secrets.hiddenInWords(text).slice(before.length), leftOut, part };
}

/** @throws as `openToRead` */
async function readPart(file: string, length: number, part: Part) {
  const handle = await openToRead(file);
  try {
    const { size } = await handle.stat();
    const from = part === "end" ? Math.max(0, size - length) : 0;
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(length, size)),
      0,
      Math.min(length, size),
      from,
    );
    return { text: buffer.toString("utf8", 0, bytesRead), size };
  } finally {
    await handle.close();
  }
}
