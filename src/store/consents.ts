import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { writeFileDurably } from "../os/atomic-file.ts";
import { sha256 } from "../os/digest.ts";
import { unlessMissing } from "../os/file-errors.ts";

const Consented = z.object({
  schema: z.literal(1),
  /** the workspace, absolute and without links */
  workspace: z.string(),
  /** what was agreed to: a configuration file or a stored loop, seen from the workspace */
  subject: z.string(),
  /** of all that was agreed to: a change of one character asks again */
  digest: z.string(),
  /** when, in ISO 8601 */
  at: z.string(),
});

/** What a person has agreed to once. */
export type Consented = z.infer<typeof Consented>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Our folder on this machine, outside of every repository: in `XDG_STATE_HOME`, or `~/.local/state`. Undefined without a home. */
export function machineFolder(env: Environment): string | undefined {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  if (path.isAbsolute(state)) return path.join(state, "smithers");
  return path.isAbsolute(home) ? path.join(home, ".local", "state", "smithers") : undefined;
}

/** What the person at this machine has agreed to. The folder is 0700, its files 0600. Undefined without a home. */
export function consentsFolder(env: Environment): string | undefined {
  const folder = machineFolder(env);
  return folder && path.join(folder, "consents");
}

/** What loops on this machine were given. Undefined without a home. */
export function keptFolder(env: Environment): string | undefined {
  const folder = machineFolder(env);
  return folder && path.join(folder, "loops");
}

/** What the person at this machine has said: neither an agent nor a check may read or change it. */
export function saidByPerson(env: Environment): readonly string[] {
  return [consentsFolder(env), keptFolder(env)].filter((folder) => folder !== undefined);
}

type Subject = Pick<Consented, "workspace" | "subject">;

/** Undefined: nobody has agreed, or what is there cannot be understood. */
export async function readConsent(folder: string, of: Subject): Promise<Consented | undefined> {
  const found = await readOne(fileOf(folder, of));
  return found?.workspace === of.workspace && found.subject === of.subject ? found : undefined;
}

/** Every consent, the latest last. */
export async function listConsents(folder: string): Promise<readonly Consented[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const read = await Promise.all(
    names.filter((name) => /^[0-9a-f]{64}\.json$/u.test(name)).map((name) => readOne(path.join(folder, name))),
  );
  return read.filter((found) => found !== undefined).toSorted((a, b) => a.at.localeCompare(b.at));
}

/** Replaces what was agreed to before. @throws the file system's error */
export async function keepConsent(folder: string, consented: Omit<Consented, "schema" | "at">): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const file = fileOf(folder, consented);
  const record: Consented = { schema: 1, ...consented, at: new Date().toISOString() };
  await writeFileDurably(file, `${JSON.stringify(record, null, 2)}\n`);
  await chmod(file, 0o600);
}

/** @returns how many were forgotten */
export async function forgetConsents(folder: string, workspace: string): Promise<number> {
  const those = (await listConsents(folder)).filter((found) => found.workspace === workspace);
  await Promise.all(those.map((found) => rm(fileOf(folder, found), { force: true })));
  return those.length;
}

function fileOf(folder: string, { workspace, subject }: Subject): string {
  return path.join(folder, `${sha256(JSON.stringify([workspace, subject]))}.json`);
}

async function readOne(file: string): Promise<Consented | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  try {
    return Consented.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
