import {
  isRead,
  roleOf,
  type TestFile,
  type TestListing,
  type TestQuery,
  testMarks,
  type TestMarks,
} from "../core/progress/test-files.ts";
import { helpersOf } from "../core/progress/check-scripts.ts";
import { decoded, nulFields } from "./diff.ts";
import type { PrivateGit } from "./private-git.ts";

/** The limits of a listing; what is beyond is not known. */
export interface TestFileLimits {
  readonly files: number;
  /** of one file that is read */
  readonly fileBytes: number;
  /** of all that are read for one listing */
  readonly bytes: number;
}

const LIMITS: TestFileLimits = { files: 20_000, fileBytes: 1_000_000, bytes: 16_000_000 };

type Listed = Omit<TestFile, "marks">;

/**
 * The files of a tree that have a say in what the checks find (C21); null when the tree is gone. Never more than two
 * commands of git, and one for each step from a check's script to what that takes in, of which there are three.
 */
export async function testFilesIn(
  git: PrivateGit,
  tree: string,
  query: TestQuery,
  limits: TestFileLimits = LIMITS,
): Promise<TestListing | null> {
  const listing = await git.try(["ls-tree", "-r", "-l", "-z", "--full-tree", tree]);
  if (listing.exitCode !== 0) return null;
  const entries = nulFields(listing.stdout);
  const scripts = await withHelpers(git, entries, new Set(query.scripts));
  const all = entries.flatMap((entry) => listed(entry, scripts));
  const files = all.slice(0, limits.files).filter((file) => file !== "unknown");
  const read = await marksOf(git, toRead(files, query.known, limits));
  return {
    files: files.map((file) => ({ ...file, marks: query.known.get(file.blob) ?? read.get(file.blob) ?? null })),
    complete: files.length === all.length,
  };
}

const HELPER_STEPS = 3;
const MOST_HELPERS = 200;
const SCRIPT_BYTES = 65_536;

/** The scripts of the checks, with what they take in themselves. */
async function withHelpers(
  git: PrivateGit,
  entries: readonly string[],
  named: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const all = new Set(named);
  let open: readonly string[] = [...named];
  const files = new Map(
    entries.flatMap((entry): [string, string][] => {
      const [, blob = "", bytes = "", path = ""] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$/su.exec(entry) ?? [];
      return blob === "" || Number(bytes) > SCRIPT_BYTES ? [] : [[decoded(path), blob]];
    }),
  );
  for (let step = 0; step < HELPER_STEPS && open.length > 0; step += 1) {
    const here = open.flatMap((path) => {
      const blob = files.get(path);
      return blob === undefined ? [] : [{ path, blob }];
    });
    const read = await git.contents(here.map(({ blob }) => blob)).catch(() => new Map<string, string>());
    const found = here.flatMap(({ path, blob }) => helpersOf(path, decoded(read.get(blob) ?? "")));
    open = [...new Set(found)].filter((path) => files.has(path) && !all.has(path)).slice(0, MOST_HELPERS);
    for (const path of open) all.add(path);
  }
  return all;
}

/** `<mode> blob <id> <size>\t<path>`; the size of an object that is not here is a word. */
function listed(entry: string, scripts: ReadonlySet<string>): readonly (Listed | "unknown")[] {
  const [, blob = "", size = "", bytes = ""] = /^\d+ blob ([0-9a-f]+) +(\S+)\t(.+)$/su.exec(entry) ?? [];
  const path = decoded(bytes);
  const role = roleOf(path, scripts);
  if (role === null) return [];
  return /^\d+$/u.test(size) ? [{ path, role, bytes: Number(size), blob }] : ["unknown"];
}

function toRead(files: readonly Listed[], known: TestQuery["known"], limits: TestFileLimits): readonly Listed[] {
  const wanted = new Map<string, Listed>();
  let bytes = 0;
  for (const file of files) {
    if (!isRead(file.role) || file.bytes > limits.fileBytes || known.has(file.blob) || wanted.has(file.blob)) continue;
    bytes += file.bytes;
    if (bytes > limits.bytes) break;
    wanted.set(file.blob, file);
  }
  return [...wanted.values()];
}

async function marksOf(git: PrivateGit, files: readonly Listed[]): Promise<ReadonlyMap<string, TestMarks>> {
  const read = await git.contents(files.map(({ blob }) => blob)).catch(() => new Map<string, string>());
  return new Map(
    files.flatMap(({ blob, path }): [string, TestMarks][] => {
      const content = read.get(blob);
      return content === undefined ? [] : [[blob, testMarks(path, content)]];
    }),
  );
}
