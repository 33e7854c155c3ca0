import path from "node:path";
import { z } from "zod";
import { OperationalError } from "../core/errors.ts";
import { DOCUMENTS_FILE } from "../core/names.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, ownFolder, readOwnBytes } from "../os/own-file.ts";
import { type AsOfCommit, JSON_FILE, MARKDOWN_FILE, prdFolder } from "./folder.ts";
import { bytesOrForeign } from "./keep-undone.ts";
import { LIMITS } from "./shape.ts";

/** Newest first: what is to be in the files, and what may still be there. */
const file = z.object({
  schema: z.literal(1),
  versions: z.array(z.object({ json: z.string(), markdown: z.string().nullable() })).min(1),
});

/** Two of each document, and what JSON makes of them. */
const MOST_BYTES = 32 * LIMITS.bytes;

/** The texts of both documents; `prd.json` is always there. */
interface Version {
  readonly json: string;
  readonly markdown: string | undefined;
}

/** The workspace and the loop's folder, absolute. */
interface OfLoop {
  readonly root: string;
  readonly folder: string;
}

/**
 * Keeps in the loop's folder what a run has read of a PRD, or is about to write, durably: call it before.
 *
 * @param versions newest first
 */
export async function keepDocuments({ root, folder }: OfLoop, versions: readonly Version[]): Promise<void> {
  const kept = versions.map(({ json, markdown }) => ({ json, markdown: markdown ?? null }));
  await inOwnFolder(await ownFolder(root, folder), (at) =>
    writeFileDurably(path.join(at, DOCUMENTS_FILE), `${JSON.stringify({ schema: 1, versions: kept })}\n`),
  );
}

/**
 * What a run that was killed had of the documents, to be read in place of the files: who has changed them since is not
 * known, and may have been its agent.
 *
 * @param work where the PRD lies, absolute
 * @returns undefined: they are as the run had them, or nothing was kept of them
 * @throws OperationalError `PRD_KEPT_DAMAGED`
 */
export async function documentsOfKilled(loop: OfLoop, work: string, name: string): Promise<AsOfCommit | undefined> {
  const versions = await keptOf(loop);
  const [newest] = versions;
  if (newest === undefined) return undefined;
  const folder = path.join(work, prdFolder(name));
  const [json, markdown] = await Promise.all([JSON_FILE, MARKDOWN_FILE].map((one) => foundIn(work, folder, one)));
  if (versions.some((kept) => kept.json === json && kept.markdown === (markdown ?? null))) return undefined;
  const texts = new Map([
    [path.join(folder, JSON_FILE), newest.json],
    [path.join(folder, MARKDOWN_FILE), newest.markdown ?? undefined],
  ]);
  return { readOriginal: async (asked) => ({ text: texts.get(asked) }) };
}

/** Null: it cannot be read, and is no text that was kept; whoever puts it back meets what is in the way. */
async function foundIn(root: string, folder: string, name: string): Promise<string | undefined | null> {
  try {
    const found = await inOwnFolderIfThere({ root, path: folder }, (at) => bytesOrForeign(path.join(at, name)));
    return typeof found === "symbol" ? null : found?.toString("utf8");
  } catch {
    return null;
  }
}

async function keptOf({ root, folder }: OfLoop): Promise<z.infer<typeof file>["versions"]> {
  const bytes = await inOwnFolderIfThere(await ownFolder(root, folder), (at) =>
    unlessMissing(readOwnBytes(path.join(at, DOCUMENTS_FILE), MOST_BYTES)),
  );
  if (bytes === undefined) return [];
  try {
    return file.parse(JSON.parse(bytes.toString("utf8"))).versions;
  } catch (cause) {
    const target = path.join(folder, DOCUMENTS_FILE);
    throw new OperationalError(
      {
        code: "PRD_KEPT_DAMAGED",
        what: `The last run was killed, and what it had read of the PRD, ${target}, is damaged. Nothing was changed.`,
        next: "Look whether prd.json and prd.md say what you want (git diff), remove that file, then try again.",
      },
      { cause },
    );
  }
}
