import { chmod, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { KeptSettings } from "../config/kept.ts";
import { parsedJson } from "../core/text.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { sha256 } from "../os/digest.ts";
import { exists, unlessMissing } from "../os/file-errors.ts";

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly(), z.null()]);
const values = z.record(z.string(), value).readonly();

const Kept = z.object({
  schema: z.literal(1),
  /** the workspace, absolute and without links */
  workspace: z.string(),
  /** the loop's state file, seen from the workspace */
  subject: z.string(),
  loop_id: z.string(),
  holds: z
    .record(z.string(), z.object({ value, from: z.enum(["flag", "environment", "file", "foreign"]) }).readonly())
    .readonly(),
  said: z.object({
    environment: values.exactOptional(),
    file: values.exactOptional(),
    foreign: values.exactOptional(),
  }),
});

/** Which loop it is about. */
export interface KeptOf {
  /** absolute and without links */
  readonly workspace: string;
  /** the loop's state file, seen from the workspace */
  readonly subject: string;
  readonly loopId: string;
}

/** Undefined: nothing is kept of this loop, or what is there cannot be understood. */
export async function readKept(folder: string, of: KeptOf): Promise<KeptSettings | undefined> {
  const found = await readOne(fileOf(folder, of));
  const isIt = found?.workspace === of.workspace && found.subject === of.subject && found.loop_id === of.loopId;
  return isIt ? found : undefined;
}

/** Replaces what was kept of this loop. @throws the file system's error */
export async function writeKept(folder: string, of: KeptOf, { holds, said }: KeptSettings): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const { workspace, subject, loopId } = of;
  const record: z.infer<typeof Kept> = { schema: 1, workspace, subject, loop_id: loopId, holds, said };
  const file = fileOf(folder, of);
  await writeFileDurably(file, `${JSON.stringify(record, null, 2)}\n`);
  await chmod(file, 0o600);
}

/** Forgets what is kept of one loop of a workspace, or of all of them. */
export async function forgetKept(folder: string, workspace: string, loopId: string | null): Promise<void> {
  for (const file of await filesIn(folder)) {
    const found = await readOne(file);
    if (found?.workspace !== workspace || (loopId !== null && found.loop_id !== loopId)) continue;
    await rm(file, { force: true });
  }
}

/** What is kept of a loop whose workspace is gone. */
interface LeftSettings {
  readonly workspace: string;
  readonly loopId: string;
  /** absolute */
  readonly file: string;
}

/** What nobody can go on with, as its workspace is gone. @param before kept later than that stays; since the epoch, in ms */
export async function leftSettings(folder: string, before: number): Promise<readonly LeftSettings[]> {
  const left: LeftSettings[] = [];
  for (const file of await filesIn(folder)) {
    const found = await readOne(file);
    if (found === undefined || (await exists(found.workspace)) || !((await stat(file)).mtimeMs < before)) continue;
    left.push({ workspace: found.workspace, loopId: found.loop_id, file });
  }
  return left;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = ((await unlessMissing(readdir(folder))) ?? []).filter((name) => /^[0-9a-f]{64}\.json$/u.test(name));
  return names.map((name) => path.join(folder, name));
}

function fileOf(folder: string, { workspace, subject }: KeptOf): string {
  return path.join(folder, `${sha256(JSON.stringify([workspace, subject]))}.json`);
}

async function readOne(file: string): Promise<z.infer<typeof Kept> | undefined> {
  return Kept.safeParse(parsedJson(await readFile(file, "utf8").catch(() => ""))).data;
}
