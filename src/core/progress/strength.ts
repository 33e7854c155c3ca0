import type { NewSkip } from "./new-skips.ts";
import type { TestReport } from "./test-report.ts";

/** A file that holds tests; see `holdsTests`. */
export interface TestFile {
  readonly path: string;
  readonly bytes: number;
}

/** What is known of the tests at one moment. Plain data; null stands for what nobody knows. */
export interface TestStanding {
  readonly files: readonly TestFile[] | null;
  readonly counts: TestCounts | null;
}

/** What `testCounts` keeps of the reports of all checks. */
export type TestCounts = Pick<TestReport, "ran" | "skipped" | "exact">;

/** Why a green verdict proves little (C21). Lists are cut at 20; `count` is the whole number. Plain data. */
export type Weakness =
  | { readonly kind: "no_tests_ran" }
  /** whole files, and tests of which nobody knows the file */
  | {
      readonly kind: "tests_deleted";
      readonly count: number;
      readonly paths: readonly string[];
      /** so many tests fewer than at the start */
      readonly fewer: number;
    }
  | { readonly kind: "tests_emptied"; readonly count: number; readonly paths: readonly string[] }
  | { readonly kind: "newly_skipped"; readonly count: number; readonly skips: readonly NewSkip[] }
  /** the checks were green before the first turn, and no test is new since */
  | { readonly kind: "already_green" };

/** What the strength of a green verdict is judged by. */
export interface Proof {
  /** when the loop began */
  readonly start: TestStanding & { readonly green: boolean };
  readonly now: TestStanding;
  /** lines added since the loop began; see `newSkips` */
  readonly skips: readonly NewSkip[];
}

const LISTED = 20;
/** A file that has lost nine tenths of itself proves nothing any more. */
const EMPTIED = 10;

/** Everything that weakens a green verdict; empty for a strong one. What nobody knows weakens nothing (C21). */
export function weaknesses({ start, now, skips }: Proof): readonly Weakness[] {
  return [
    ...(now.counts?.ran === 0 ? [{ kind: "no_tests_ran" } as const] : []),
    ...deleted(start, now),
    ...emptied(start.files ?? [], now.files ?? []),
    ...skipped(start, now, skips),
    ...(start.green && gained(start, now) <= 0 ? [{ kind: "already_green" } as const] : []),
  ];
}

/** The counts of all checks together; null when nobody understands any of them. */
export function testCounts(reports: readonly (TestReport | null)[]): TestCounts | null {
  const known = reports.filter((report) => report !== null);
  if (known.length === 0) return null;
  return {
    ran: known.reduce((sum, { ran }) => sum + ran, 0),
    skipped: known.reduce((sum, report) => sum + report.skipped, 0),
    exact: known.every(({ exact }) => exact),
  };
}

function deleted(start: TestStanding, now: TestStanding): readonly Weakness[] {
  const gone = now.files === null ? [] : goneFiles(start.files ?? [], now.files);
  const fewer = Math.max(0, -gained(start, now));
  if (gone.length === 0 && fewer === 0) return [];
  return [{ kind: "tests_deleted", ...listed(gone), fewer }];
}

/** A file that was moved is still there: by its name or, byte for byte, by its size. */
function goneFiles(before: readonly TestFile[], after: readonly TestFile[]): readonly TestFile[] {
  const old = new Set(before.map(({ path }) => path));
  const present = new Set(after.map(({ path }) => path));
  const arrived = after.filter(({ path }) => !old.has(path));
  return before.filter((file) => !present.has(file.path) && !takeMoved(file, arrived));
}

/** Takes the file out of those that arrived, so that it stands for one only. */
function takeMoved(file: TestFile, arrived: TestFile[]): boolean {
  const at = arrived.findIndex(
    ({ path, bytes }) => bytes > 0 && (bytes === file.bytes || nameOf(path) === nameOf(file.path)),
  );
  if (at === -1) return false;
  arrived.splice(at, 1);
  return true;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function emptied(before: readonly TestFile[], after: readonly TestFile[]): readonly Weakness[] {
  const sizes = new Map(after.map(({ path, bytes }) => [path, bytes]));
  const empty = before.filter(({ path, bytes }) => (sizes.get(path) ?? bytes) * EMPTIED < bytes);
  return empty.length === 0 ? [] : [{ kind: "tests_emptied", ...listed(empty) }];
}

function skipped(start: TestStanding, now: TestStanding, skips: readonly NewSkip[]): readonly Weakness[] {
  const more = start.counts === null || now.counts === null ? 0 : now.counts.skipped - start.counts.skipped;
  const count = Math.max(more, skips.length);
  return count === 0 ? [] : [{ kind: "newly_skipped", count, skips: skips.slice(0, LISTED) }];
}

/** How many tests there are more than at the start, skipped ones included; 0 when that cannot be compared. */
function gained({ counts: before }: TestStanding, { counts: after }: TestStanding): number {
  if (before === null || after === null || !before.exact || !after.exact) return 0;
  return after.ran + after.skipped - before.ran - before.skipped;
}

function listed(files: readonly TestFile[]): { readonly count: number; readonly paths: readonly string[] } {
  const paths = files.map(({ path }) => path).toSorted();
  return { count: paths.length, paths: paths.slice(0, LISTED) };
}
