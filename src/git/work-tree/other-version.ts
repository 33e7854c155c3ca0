import { createHash } from "node:crypto";
import { chmod, lstat, open, readlink, rm, rmdir, symlink } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { OperationalError } from "../../core/errors.ts";
import { inOwnFolder, inOwnFolderIfThere, openToRead } from "../../os/own-file.ts";
import type { CommitFiles } from "../commit-files.ts";
import { decoded, encoded, type FileChange, isAbsent, isFile, isSubmodule, printableList, type Side } from "../diff.ts";
import { wantedFiles } from "./wanted-files.ts";

/** What is at a path: a file or a link, its content in base64; null: nothing. */
const version = z.object({ mode: z.enum(["100644", "100755", "120000"]), content: z.base64() }).nullable();
type Version = z.infer<typeof version>;

/** A path below the work tree's top. */
const below = z.string().refine((name) => name !== "" && !path.isAbsolute(name) && !name.split("/").includes(".."));

/** Files of a work tree that are to be as in another commit for a while, with all that it takes to put them back. */
export const otherVersions = z.object({
  /** of the work tree, absolute */
  top: z.string(),
  /** `name` is relative to `top`; `theirs` is what the other commit has, `ours` what is checked out */
  files: z.array(z.object({ name: below, theirs: version, ours: version })),
  /** folders that are only there for them, outermost first, relative to `top` */
  folders: z.array(below),
});
export type OtherVersions = z.infer<typeof otherVersions>;

/** More than these are no instructions. */
const MOST_FILES = 1_000;
const MOST_BYTES = 8 << 20;
/** No longer file is read to see whether it differs. */
const LONGEST = 64 << 20;

/** What files of a work tree are held against, as it was named before anybody could change them. */
export interface OtherFiles {
  readonly from: CommitFiles;
  readonly isWanted: (name: string) => boolean;
  /** what the other commit has of them, by name */
  readonly base: ReadonlyMap<string, Side>;
  /** names of those that were checked out otherwise */
  readonly tracked: readonly string[];
  /** whether a folder is passed over: a submodule of the other commit, and what is left out */
  readonly isLeftOut: (folder: string) => boolean;
}

/**
 * Reads what another commit has of the files that are wanted.
 *
 * @param from the other commit
 * @param head what is checked out
 * @param leftOut folders and files relative to the top that are none of them
 * @throws OperationalError `INSTRUCTIONS_REFUSED` when what is checked out has a form that cannot be replaced
 */
export async function findOtherVersions(
  from: CommitFiles,
  head: string,
  isWantedName: (name: string) => boolean,
  leftOut: readonly string[] = [],
): Promise<OtherFiles> {
  const isWanted = (name: string) => isWantedName(name) && !leftOut.some((one) => `${name}/`.startsWith(`${one}/`));
  const changes = (await from.changedIn(head)).filter((change) => isWanted(decoded(change.path)));
  const odd = changes.filter((change) => !isReplaceable(change)).map((change) => change.path);
  if (odd.length > 0) throw refused(`${printableList(odd)} cannot be replaced`);
  const all = (await from.everything()).map(({ path: name, after }) => [decoded(name), after] as const);
  const modules = new Set(all.filter(([, side]) => isSubmodule(side)).map(([name]) => name));
  return {
    ...{ from, isWanted },
    base: new Map(all.filter(([name, side]) => isFile(side) && isWanted(name))),
    tracked: changes.map(({ path: name }) => decoded(name)),
    isLeftOut: (folder) => modules.has(folder) || leftOut.includes(folder),
  };
}

/** Submodules are repositories of their own, and Node names folders by texts. */
function isReplaceable({ path: name, before, after }: FileChange): boolean {
  const isPlain = (side: Side) => isAbsent(side) || isFile(side);
  return encoded(decoded(name)) === name && isPlain(before) && isPlain(after);
}

function versionOf({ mode }: Side, content: Buffer): Version {
  return { mode: mode === "120000" || mode === "100755" ? mode : "100644", content: content.toString("base64") };
}

/**
 * What lies there otherwise than the other commit has it, whoever has written it and whether git knows it or not. Nothing
 * is written.
 *
 * @throws OperationalError `INSTRUCTIONS_REFUSED` when it is too much, or in a form that cannot be replaced; as
 * `CommitFiles.contents`
 */
export async function replaceableNow(wanted: OtherFiles): Promise<OtherVersions> {
  const { from, base, tracked } = wanted;
  const { top } = from.repository;
  const names = new Set([...base.keys(), ...tracked, ...(await wantedFiles({ ...wanted, top, from: "" }))]);
  const found: { name: string; ours: Version; side: Side | undefined }[] = [];
  let bytes = 0;
  for (const name of names) {
    const [ours, side] = [await versionAt(top, name), base.get(name)];
    const isNamed = !name.includes("\uFFFD");
    if (ours === undefined || !isNamed) throw refused(`${printableList([encoded(name)])} cannot be replaced`);
    if (isAs(ours, side)) continue;
    bytes += ours?.content.length ?? 0;
    found.push({ name, ours, side });
    if (found.length > MOST_FILES) throw refused(`there are more than ${MOST_FILES} such files`);
    if ((bytes * 3) / 4 > MOST_BYTES) throw refused(`they have more than ${MOST_BYTES} bytes`);
  }
  const contents = await contentsOf(
    from,
    found.flatMap(({ side }) => side ?? []),
  );
  const files = found.map(({ name, ours, side }) => {
    const content = side && contents.get(side.object);
    return { name, ours, theirs: side && content ? versionOf(side, content) : null };
  });
  return { top, files, folders: await missingFolders(top, files) };
}

/** The names of those that lie there as a commit has them. @param commit any that the repository has */
export async function asCommitted(
  { from, base }: OtherFiles,
  { files }: OtherVersions,
  commit: string,
): Promise<ReadonlySet<string>> {
  const changes = await from.changedIn(commit);
  const changed = new Map(changes.map(({ path: name, after }) => [decoded(name), isFile(after) ? after : undefined]));
  const sideOf = (name: string) => (changed.has(name) ? changed.get(name) : base.get(name));
  return new Set(files.filter(({ name, ours }) => isAs(ours, sideOf(name))).map(({ name }) => name));
}

/** @throws as `replaceableNow` */
async function contentsOf(from: CommitFiles, sides: readonly Side[]): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = [...new Set(sides.map(({ object }) => object))];
  return from.contents(blobs, MOST_BYTES).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : refused(String(error));
  });
}

async function missingFolders(top: string, files: OtherVersions["files"]): Promise<string[]> {
  const folders = new Set<string>();
  for (const { name } of files.filter(({ theirs }) => theirs !== null)) {
    for (const folder of foldersAbove(name)) if (!(await isThere(path.join(top, folder)))) folders.add(folder);
  }
  return [...folders];
}

/** The name that git has for a content. @param digits of it, in hex */
function blobId(content: Buffer, digits: number): string {
  const hash = createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** Whether it is what a commit has, but for line ends that a checkout may have made. */
function isAs(here: Version, side: Side | undefined): boolean {
  if (here === null || side === undefined) return here === null && side === undefined;
  if ((here.mode === "120000") !== (side.mode === "120000")) return false;
  const texts = [Buffer.from(here.content, "base64"), Buffer.from(plainLines(here.content), "latin1")];
  return texts.some((content) => blobId(content, side.object.length) === side.object);
}

/**
 * Makes the files as in the other commit; what that does not have is gone first. Follows no link.
 *
 * @throws OperationalError `LINK_REFUSED` when a link is in the way; the file system's error
 */
export async function bringTheirs({ top, files }: OtherVersions): Promise<void> {
  for (const { name } of files) await remove(top, name);
  for (const { name, theirs } of files) if (theirs !== null) await write(top, name, theirs);
}

/**
 * Puts back what was checked out, where nobody has changed it since: what the agent has written is its own, and stays to
 * be seen. Idempotent.
 *
 * @returns the names of the files to which it could not be put back
 */
export async function bringOurs({ top, files, folders }: OtherVersions): Promise<readonly string[]> {
  const failed: string[] = [];
  const left: OtherVersions["files"] = [];
  for (const file of files) {
    const { ours, theirs } = file;
    const here = await versionAt(top, file.name);
    const isOurs = here !== undefined && isSame(here, ours);
    // A kill may have left half a file, or none.
    const isHalf = here === null || (here !== undefined && (isBeginning(here, theirs) || isBeginning(here, ours)));
    if (isHalf && !isOurs) left.push(file);
  }
  for (const { name } of left) await remove(top, name).catch(() => failed.push(name));
  for (const folder of folders.toReversed()) await rmdir(path.join(top, folder)).catch(() => undefined);
  for (const { name, ours } of left) {
    if (ours !== null && !failed.includes(name)) await write(top, name, ours).catch(() => failed.push(name));
  }
  return failed;
}

function isBeginning(one: NonNullable<Version>, whole: Version): boolean {
  if (whole === null || (one.mode === "120000") !== (whole.mode === "120000")) return false;
  const [begun, all] = [one, whole].map(({ content }) => Buffer.from(content, "base64").toString("latin1"));
  return begun !== undefined && all?.startsWith(begun) === true;
}

function foldersAbove(name: string): readonly string[] {
  const parts = name.split("/").slice(0, -1);
  return parts.map((_part, i) => parts.slice(0, i + 1).join("/"));
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

/** Whether two versions say the same. */
export function isSame(one: Version, other: Version): boolean {
  if (one === null || other === null) return one === other;
  if ((one.mode === "120000") !== (other.mode === "120000")) return false;
  return one.content === other.content || plainLines(one.content) === plainLines(other.content);
}

function plainLines(content: string): string {
  return Buffer.from(content, "base64").toString("latin1").replaceAll("\r\n", "\n");
}

function placeOf(top: string, name: string): { readonly root: string; readonly path: string } {
  return { root: top, path: path.join(top, path.dirname(name)) };
}

/** Undefined for what cannot be told: a folder, a pipe, or a link on the way. */
async function versionAt(top: string, name: string): Promise<Version | undefined> {
  try {
    const found = await inOwnFolderIfThere(placeOf(top, name), async (at) => {
      const file = path.join(at, path.basename(name));
      const info = await lstat(file).catch(() => undefined);
      if (info === undefined) return null;
      if (info.isSymbolicLink())
        return { mode: "120000" as const, content: (await readlink(file, "buffer")).toString("base64") };
      return {
        mode: (info.mode & 0o111) === 0 ? ("100644" as const) : ("100755" as const),
        content: await contentOf(file),
      };
    });
    return found ?? null;
  } catch {
    return undefined;
  }
}

async function contentOf(file: string): Promise<string> {
  const handle = await openToRead(file);
  try {
    const { size } = await handle.stat();
    if (size > LONGEST) throw new Error("it is too long");
    return (await handle.readFile()).toString("base64");
  } finally {
    await handle.close();
  }
}

async function remove(top: string, name: string): Promise<void> {
  await inOwnFolderIfThere(placeOf(top, name), (at) => rm(path.join(at, path.basename(name)), { force: true }));
}

async function write(top: string, name: string, { mode, content }: NonNullable<Version>): Promise<void> {
  await inOwnFolder(placeOf(top, name), async (at) => {
    const file = path.join(at, path.basename(name));
    const bytes = Buffer.from(content, "base64");
    if (mode === "120000") return symlink(bytes, file);
    const handle = await open(file, "wx");
    try {
      await handle.writeFile(bytes);
    } finally {
      await handle.close();
    }
    if (mode === "100755") await chmod(file, 0o755);
  });
}

function refused(why: string): OperationalError {
  return new OperationalError({
    code: "INSTRUCTIONS_REFUSED",
    what: `What tells the agent what to do (AGENTS.md, .codex and the like) is to be as it is in the base, and that cannot be done: ${why}. Nothing was done, and no turn was spent.`,
    next: "Look at what the branch changes there, and merge it without a loop, or take it out.",
  });
}
