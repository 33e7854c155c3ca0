import { closeSync, openSync, readSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findProgram, isProgram } from "./environment.ts";

/**
 * Programs that run outside of every sandbox, with what the loop knows: git, the agent's, npm, tar. They come from folders
 * that the agent cannot write (threats T12). What the agent and the checks start themselves is not found here: it has the
 * job's PATH as it is.
 */

/** A PATH of which every entry was judged. */
interface JudgedPath {
  /** the folders that are there and outside, absolute and without links */
  readonly outside: readonly string[];
  /** entries as they were written, each once, that are empty, relative, or inside */
  readonly leftOut: readonly string[];
}

/** A program to start, and the `PATH` that goes with it. */
export interface OuterProgram {
  /** absolute */
  readonly file: string;
  readonly path: string;
}

/** Resolves links; undefined: there is nothing of that name. */
type Resolve = (file: string) => string | undefined;

/** Where everybody may write. */
const SHARED: readonly string[] = [tmpdir(), "/tmp", "/var/tmp"];
/** Where programs are looked for when there is no PATH, as the system does it. */
const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

let writable = withTargets(SHARED);
/** What was found stays where it was found: it is not looked for again. */
const known = new Map<string, OuterProgram>();

/** What we start by name after a turn as well, post and the client of the cache included. */
export const STARTED_BY_NAME: readonly string[] = ["git", "ps", "npm", "sudo", "tar"];

/**
 * Says once, before anything is started, which folders the agent can write besides the system's temp folders. The whole
 * file system has no outside, and is not counted.
 *
 * @param folders absolute
 */
export function keepProgramsOutside(folders: readonly string[]): void {
  writable = withTargets([...SHARED, ...folders.filter(isNoRoot)]);
  known.clear();
}

/**
 * The same for what the settings add. What was found is looked for again, so that nothing is taken from there.
 *
 * @param folders absolute
 */
export function keepProgramsOutsideToo(folders: readonly string[]): void {
  const all = withTargets([...writable, ...folders.filter(isNoRoot)]);
  if (all.length === writable.length) return;
  writable = all;
  known.clear();
}

/** Whoever works at the root of the disk has all programs inside. */
function isNoRoot(folder: string): boolean {
  return folder !== path.parse(folder).root;
}

/** The folders that programs are kept out of, absolute: for another process of this job, which cannot find them anew. */
export function keptOutside(): readonly string[] {
  return writable;
}

/** Sorts the entries of a `PATH`. @param inside folders that the agent can write, absolute, links resolved as well */
export function judgePath(searchPath: string, inside: readonly string[], resolve: Resolve = targetOf): JudgedPath {
  const outside = new Set<string>();
  const leftOut = new Set<string>();
  for (const entry of searchPath.split(path.delimiter)) {
    const target = path.isAbsolute(entry) ? resolve(entry) : undefined;
    if (!path.isAbsolute(entry) || isIn(entry, inside) || isIn(target, inside)) leftOut.add(entry);
    else if (target !== undefined) outside.add(target);
  }
  return { outside: [...outside], leftOut: [...leftOut] };
}

/** The entries of a `PATH` in which no program is looked for, as they are written; "" is an empty one. */
export function leftOutOf(searchPath: string | undefined): readonly string[] {
  return judgePath(searchPath ?? USUAL_PATH, writable).leftOut;
}

/**
 * A `PATH` without the entries that the agent can write, for programs that look for others themselves.
 *
 * @param first what they look for above all: it is taken from where it was found, whatever else has its name by now
 */
export function outerPath(searchPath: string | undefined, first?: string): string {
  const { outside } = judgePath(searchPath ?? USUAL_PATH, writable);
  const found = first === undefined ? undefined : findOuter(first, searchPath);
  const folders = found === undefined ? outside : [path.dirname(found.file), ...outside];
  return [...new Set(folders)].join(path.delimiter);
}

/** Finds a program by name, outside of what the agent can write; undefined: there is none. */
export function findOuter(name: string, searchPath: string | undefined): OuterProgram | undefined {
  const key = JSON.stringify([name, searchPath]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { outside } = judgePath(searchPath ?? USUAL_PATH, writable);
  const file = outside.map((folder) => path.join(folder, name)).find((found) => isProgram(found) && isOutside(found));
  if (file === undefined) return undefined;
  const program = { file, path: outside.join(path.delimiter) };
  known.set(key, program);
  return program;
}

/** Where programs of these names are by now, absolute, for another process of this job: what is not there is left out. */
export function foundOuter(names: readonly string[], searchPath: string | undefined): Readonly<Record<string, string>> {
  const found = names.map((name) => [name, findOuter(name, searchPath)?.file] as const);
  return Object.fromEntries(found.flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])));
}

/**
 * Takes programs from where an earlier process of this job has found them, whatever has come onto the `PATH` since. What
 * is gone, or inside by now, is looked for again.
 *
 * @param found as `foundOuter` returns it
 */
export function takeFound(found: Readonly<Record<string, string>>, searchPath: string): void {
  for (const [name, file] of Object.entries(found))
    if (isProgram(file) && isOutside(file))
      known.set(JSON.stringify([name, searchPath]), { file, path: outerPath(searchPath) });
}

/** Whether an absolute path, and where its links lead, is outside of what the agent can write. */
export function isOutside(file: string): boolean {
  return !isIn(file, writable) && !isIn(targetOf(file), writable);
}

/** Where a program is that `findOuter` refused; undefined: it is nowhere on the `PATH`. */
export function findInner(name: string, searchPath: string | undefined): string | undefined {
  return findProgram(name, searchPath ?? USUAL_PATH);
}

const FIRST_LINE_BYTES = 512;
const BY_ENV = /^#! *(?<env>\/(?:usr\/)?bin\/env) +(?:-S *)?(?<words>\S.*)$/u;

/**
 * How a program of ours is started. A script whose first line lets `env` look for its interpreter would get the one on
 * its own PATH, which is the job's: it is found here instead.
 *
 * @param file absolute
 * @param searchPath the program's own
 * @returns program and arguments; undefined: the interpreter is not there outside
 */
export function startOf(file: string, searchPath: string | undefined): readonly [string, ...string[]] | undefined {
  const said = BY_ENV.exec(firstLineOf(file))?.groups;
  if (said === undefined) return [file];
  const words = said["words"]?.trim().split(/\s+/u) ?? [];
  const variables = words.slice(
    0,
    words.findIndex((word) => !word.includes("=")),
  );
  const [interpreter = "", ...args] = words.slice(variables.length);
  const found = /^[\w.+-]+$/u.test(interpreter) ? findOuter(interpreter, searchPath) : undefined;
  if (found === undefined) return interpreter.startsWith("/") ? [file] : undefined;
  const start = [found.file, ...args, file] as const;
  return variables.length === 0 ? start : [said["env"] ?? "", ...variables, ...start];
}

function firstLineOf(file: string): string {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  try {
    const opened = openSync(file, "r");
    try {
      return bytes.toString("latin1", 0, readSync(opened, bytes)).split(/\r?\n/u, 1)[0] ?? "";
    } finally {
      closeSync(opened);
    }
  } catch {
    // What may be started need not be readable.
    return "";
  }
}

function targetOf(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

function withTargets(folders: readonly string[]): readonly string[] {
  return [
    ...new Set(folders.map((folder) => path.resolve(folder)).flatMap((folder) => [folder, targetOf(folder) ?? folder])),
  ];
}

function isIn(file: string | undefined, folders: readonly string[]): boolean {
  if (file === undefined) return false;
  const at = path.resolve(file);
  return folders.some((folder) => at === folder || at.startsWith(`${folder}${path.sep}`));
}
