import { z } from "zod";
import { count, type Stored } from "../schema.ts";
import { isRead, type TestFile, type TestListing, testListing } from "./test-files.ts";
import { isNamedTest } from "./test-paths.ts";
import type { SomePaths, NewSkip } from "../verdict.ts";

/** What tests and check scripts were when the loop began, or as soon after that as anybody looked. */
export const testRecord = testListing.extend({
  schema: z.literal(1),
  /** how many iterations had begun; 0: when the loop began */
  iteration: count,
});
export type TestRecord = Stored<typeof testRecord>;

/** How tests and check scripts have changed since. Plain data. */
export interface TestChanges {
  readonly since: number;
  /** files that held tests and are gone; one that was moved is not */
  readonly deleted: SomePaths;
  /** files that held tests and hold next to nothing now */
  readonly emptied: SomePaths;
  /** in pieces: a file that skips twice as much counts twice */
  readonly skipped: { readonly count: number; readonly skips: readonly NewSkip[] };
  /** tests, and what they are made from, with another content */
  readonly changed: SomePaths;
  readonly scripts: SomePaths;
}

const LISTED = 20;
const EMPTIED = 10; // a file that lost nine tenths of itself does not prove anything any more
const PATH_LENGTH = 160;

/** Compares before and now. What is not known does not count as a change (C21). */
export function testChanges(start: TestRecord, now: TestListing): TestChanges {
  const after = new Map(now.files.map((file) => [file.path, file]));
  const gone = now.complete ? goneFiles(start.files, now.files) : [];
  const fewerMixed = mixedTests(now.files) < mixedTests(start.files);
  const lost = (file: TestFile): boolean =>
    (file.role === "test" && file.bytes > 0) || (fewerMixed && (file.marks?.tests ?? 0) > 0);
  const kept = start.files.flatMap((old) => {
    const current = after.get(old.path);
    return current === undefined || current.blob === old.blob ? [] : [{ old, current }];
  });
  const isEmpty = (old: TestFile, current: TestFile): boolean =>
    old.role === "mixed" ? current.marks?.tests === 0 : isShrunk(old, current);
  const emptied = kept.filter(({ old, current }) => lost(old) && isEmpty(old, current)).map(({ old }) => old);
  const empty = new Set(emptied);
  return {
    since: start.iteration,
    deleted: somePaths(gone.filter((file) => lost(file))),
    emptied: somePaths(emptied),
    skipped: newSkips(start, now),
    changed: somePaths([
      ...kept.map(({ old }) => old).filter((file) => ["test", "support"].includes(file.role) && !empty.has(file)),
      ...gone.filter(({ role }) => role === "support"),
    ]),
    scripts: somePaths(changedScripts(start, now)),
  };
}

/** A file that was moved is still there: by its content, or by its name with most of its content. */
function goneFiles(before: readonly TestFile[], after: readonly TestFile[]): readonly TestFile[] {
  const old = new Set(before.map(({ path }) => path));
  const present = new Set(after.map(({ path }) => path));
  const arrived = after.filter(({ path, bytes }) => bytes > 0 && !old.has(path));
  const gone = before.filter(({ path }) => !present.has(path));
  // A content is more than a name.
  const missing = gone.filter((file) => !taken(arrived, (other) => other.blob === file.blob && isRun(file, other)));
  return missing.filter((file) => !taken(arrived, (other) => isNamesake(file, other) && !isShrunk(file, other)));
}

/** A test among fixtures does not run any more; helpers may move freely. */
function isRun(old: TestFile, current: TestFile): boolean {
  return isRead(current.role) || !isRead(old.role) || !isNamedTest(old.path);
}

/** Has the same name in another folder, or, in another language, the same name except for its ending. */
function isNamesake(old: TestFile, current: TestFile): boolean {
  const [before, after] = [nameOf(old.path), nameOf(current.path)];
  if (before === after) return isRun(old, current);
  return old.role === current.role && stemOf(before) === stemOf(after);
}

/** Takes the first match out of those that arrived, so that it matches only once. */
function taken(arrived: TestFile[], fits: (file: TestFile) => boolean): boolean {
  const at = arrived.findIndex(fits);
  if (at === -1) return false;
  arrived.splice(at, 1);
  return true;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]+$/u, "");
}

function mixedTests(files: readonly TestFile[]): number {
  return files.reduce((sum, { role, marks }) => sum + (role === "mixed" ? (marks?.tests ?? 0) : 0), 0);
}

function isShrunk(old: TestFile, current: TestFile): boolean {
  return current.bytes * EMPTIED < old.bytes;
}

function changedScripts(start: TestListing, now: TestListing): readonly TestFile[] {
  const scripts = (files: readonly TestFile[]) => files.filter(({ role }) => role === "script");
  const blobs = (files: readonly TestFile[]) => new Map(files.map(({ path, blob }) => [path, blob]));
  const [before, after] = [blobs(start.files), blobs(now.files)];
  const gone = now.complete ? scripts(start.files).filter(({ path }) => !after.has(path)) : [];
  const others = scripts(now.files).filter(({ path, blob }) => {
    const old = before.get(path);
    return old === undefined ? start.complete : old !== blob;
  });
  return [...gone, ...others];
}

/** Markers that name a condition: in a new file they keep nothing from running that ran before, and elsewhere it runs. */
const CONDITIONAL =
  /skipIf|runIf|process\.env|skipif|skipUnless|importorskip|cfg_attr|@(?:Disabled|Enabled)(?:On|If|For)|\bassume[A-Z]|XCTSkip(?:If|Unless)/u;

/** What was only moved from one file to another is not new. */
function newSkips(start: TestListing, now: TestListing): TestChanges["skipped"] {
  const before = new Map(start.files.map((file) => [file.path, file]));
  const after = new Map(now.files.map((file) => [file.path, file]));
  const left = new Map<string, number>();
  for (const { path, marks } of start.files) {
    for (const [marker, count] of Object.entries(marks?.skips ?? {})) {
      const fewer = count - skipsIn(after.get(path), marker);
      if (fewer > 0) left.set(marker, (left.get(marker) ?? 0) + fewer);
    }
  }
  const added: NewSkip[] = [];
  for (const file of now.files) {
    const old = before.get(file.path);
    const unknown = old === undefined ? !start.complete : old.marks === null;
    for (const [marker, count] of unknown ? [] : Object.entries(file.marks?.skips ?? {})) {
      if (old === undefined && CONDITIONAL.test(marker)) continue;
      const more = Math.max(0, count - skipsIn(old, marker));
      const moved = Math.min(more, left.get(marker) ?? 0);
      left.set(marker, (left.get(marker) ?? 0) - moved);
      added.push(...Array.from({ length: more - moved }, () => ({ path: shown(file.path), marker })));
    }
  }
  return { count: added.length, skips: added.slice(0, LISTED) };
}

function skipsIn(file: TestFile | undefined, marker: string): number {
  return file?.marks?.skips[marker] ?? 0;
}

function somePaths(files: readonly TestFile[]): SomePaths {
  const paths = files.map(({ path }) => shown(path)).toSorted();
  return { count: paths.length, paths: paths.slice(0, LISTED) };
}

/** A path on one line, shortened to its end if it is long. */
function shown(path: string): string {
  const line = path.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD");
  return line.length <= PATH_LENGTH ? line : `…${line.slice(1 - PATH_LENGTH)}`;
}
