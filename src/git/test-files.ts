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
import { decoded, isFile } from "./diff.ts";
import type { PrivateGit } from "./private-git.ts";
import { differencesOf, type ReadTrue } from "./true-trees.ts";

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
 * The files of a tree that have a say in what the checks find (C21), checked against their ids all the way from the
 * tree's; null when the tree is gone. Two commands of git. The size of a file that is not read is what git says of it.
 *
 * @throws OperationalError `GIT_OBJECT_FORGED`, `GIT_TREE_MALFORMED`
 */
export async function testFilesIn(
  git: PrivateGit,
  tree: string,
  query: TestQuery,
  limits: TestFileLimits = LIMITS,
): Promise<TestListing | null> {
  return git.reading(async (read) => {
    const [entries] = await differencesOf(read, [[null, tree]]);
    if (entries === undefined) return null;
    const blobs = new Map(
      entries.flatMap(({ path, after }) => (isFile(after) ? [[decoded(path), after.object] as const] : [])),
    );
    const scripts = await withHelpers(read, blobs, new Set(query.scripts));
    const found = [...blobs].flatMap(([path, blob]) => {
      const role = roleOf(path, scripts);
      return role === null ? [] : [{ path, role, blob }];
    });
    const sizes = await git.sizes([...new Set(found.map(({ blob }) => blob))]);
    const files = found.slice(0, limits.files).flatMap((file): Listed[] => {
      const bytes = sizes.get(file.blob);
      return bytes === undefined ? [] : [{ ...file, bytes }];
    });
    const marks = await marksOf(read, toRead(files, query.known, limits));
    return {
      files: files.map((file) => ({ ...file, marks: query.known.get(file.blob) ?? marks.get(file.blob) ?? null })),
      complete: files.length === found.length,
    };
  });
}

const HELPER_STEPS = 3;
const MOST_HELPERS = 200;
const SCRIPT_BYTES = 65_536;

/** The scripts of the checks, with what they take in themselves. */
async function withHelpers(
  read: ReadTrue,
  files: ReadonlyMap<string, string>,
  named: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const all = new Set(named);
  let open: readonly string[] = [...named];
  for (let step = 0; step < HELPER_STEPS && open.length > 0; step += 1) {
    const here = open.flatMap((path) => {
      const blob = files.get(path);
      return blob === undefined ? [] : [{ path, blob }];
    });
    const contents = new Map<string, string>();
    for (const { blob } of here)
      if (!contents.has(blob)) contents.set(blob, (await read([blob], SCRIPT_BYTES)).get(blob)?.content ?? "");
    const found = here.flatMap(({ path, blob }) => helpersOf(path, decoded(contents.get(blob) ?? "")));
    open = [...new Set(found)].filter((path) => files.has(path) && !all.has(path)).slice(0, MOST_HELPERS);
    for (const path of open) all.add(path);
  }
  return all;
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

async function marksOf(read: ReadTrue, files: readonly Listed[]): Promise<ReadonlyMap<string, TestMarks>> {
  const contents = await read(files.map(({ blob }) => blob));
  return new Map(
    files.flatMap(({ blob, path }): [string, TestMarks][] => {
      const content = contents.get(blob)?.content;
      return content === undefined ? [] : [[blob, testMarks(path, content)]];
    }),
  );
}
