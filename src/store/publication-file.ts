import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { COMMITS_FILE, PUBLICATION_FILE } from "../core/names.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { parsedJson } from "../core/text.ts";

const commit = z.string().regex(/^[0-9a-f]{40}$/u);

/**
 * What a job that may not write hands over to the one that publishes, beside the loop's record and the commits: what it
 * claims of these. No text, no name of a branch, no pull request: the publisher finds these out itself (decision 0030).
 */
const publication = z.strictObject({
  schema: z.literal(1),
  /** the workflow's run */
  run: z.int().positive(),
  /** hex SHA-256 of the record's state as JSON: with a `state-key`, that is sealed by it as well then */
  state: z.string().regex(/^[0-9a-f]{64}$/u),
  /** the work; null: no commit */
  commit: commit.nullable(),
  /** where its branch was on GitHub; null: nowhere */
  tip: commit.nullable(),
  /** what was checked out when the run began; null: no commit */
  head: commit.nullable(),
  /** why the commits are not handed over; null: they are, or there are none */
  withheld: z.enum(["secret", "protected", "unmade"]).nullable(),
});
export type HandedPublication = Readonly<z.infer<typeof publication>>;

/** No file of ours is longer, in bytes. */
const LIMIT = 4096;

/** Replaces what an earlier run has left in the loop's folder; its commits are gone, too. */
export async function writePublication(folder: string, content: HandedPublication): Promise<void> {
  await removePublication(folder);
  const file = await open(path.join(folder, PUBLICATION_FILE), "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(content)}\n`);
  } finally {
    await file.close();
  }
}

/** @returns undefined for anything but what this version writes */
export async function readPublication(folder: string): Promise<HandedPublication | undefined> {
  const bytes = await unlessMissing(readFile(path.join(folder, PUBLICATION_FILE)));
  if (bytes === undefined || bytes.length > LIMIT) return undefined;
  return publication.safeParse(parsedJson(bytes.toString("utf8")), { jitless: true }).data;
}

/** It is for one publication alone: what is saved afterwards does not hold it. */
export async function removePublication(folder: string): Promise<void> {
  await Promise.all(
    [PUBLICATION_FILE, COMMITS_FILE].map((name) => rm(path.join(folder, name), { recursive: true, force: true })),
  );
}
