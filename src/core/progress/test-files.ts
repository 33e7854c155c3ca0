import { mixesTests, type TestMarks } from "./test-marks.ts";
import { holdsTests, isInstalled, isTestPath } from "./test-paths.ts";

/**
 * What a file has to do with what the checks find.
 *
 * - `test`: it holds tests
 * - `mixed`: it may hold tests among other code, as in Rust
 * - `support`: tests are made from it: fixtures, snapshots, helpers
 * - `script`: a check runs or reads it
 */
export type TestFileRole = "test" | "mixed" | "support" | "script";

/** A file that has a say in what the checks find. Plain data. */
export interface TestFile {
  /** relative to the workspace, with slashes */
  readonly path: string;
  readonly role: TestFileRole;
  readonly bytes: number;
  /** git's name for the content */
  readonly blob: string;
  /** null: it was not read */
  readonly marks: TestMarks | null;
}

/** The files that have a say in what the checks find, as one work tree has them. */
export interface TestListing {
  readonly files: readonly TestFile[];
  /** whether these are all; of others nobody knows */
  readonly complete: boolean;
}

/** What is asked of a workspace. */
export interface TestQuery {
  /** paths that count as scripts of the checks where they are files */
  readonly scripts: readonly string[];
  /** what is known of contents, by blob; they need not be read again */
  readonly known: ReadonlyMap<string, TestMarks>;
}

/** What a file has to do with the checks; null: nothing. */
export function roleOf(path: string, scripts: ReadonlySet<string>): TestFileRole | null {
  if (holdsTests(path)) return "test";
  if (mixesTests(path) && !isInstalled(path)) return "mixed";
  if (isTestPath(path)) return "support";
  return scripts.has(path) ? "script" : null;
}

/** Whether a file of this role has to be read, so that more is known of it than that it is another one now. */
export function isRead(role: TestFileRole): boolean {
  return role === "test" || role === "mixed";
}
