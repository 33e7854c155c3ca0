import path from "node:path";
import { TESTS_FILE } from "../core/names.ts";
import type { Snapshot } from "../core/state.ts";
import type { TestBaseline, Workspace } from "../core/ports.ts";
import { testChanges, testRecord, type TestRecord } from "../core/progress/test-changes.ts";
import type { TestListing, TestMarks } from "../core/progress/test-files.ts";
import { parsedJson } from "../core/text.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { unlessMissing } from "../os/file-errors.ts";
import { inOwnFolder, inOwnFolderIfThere, type OwnFolder, ownFolder, readOwnFile } from "../os/own-file.ts";

interface TestBaselineOptions {
  readonly folder: string;
  /** the workspace: no link below it is followed; the folder around `folder` without it */
  readonly root?: string;
  readonly workspace: Pick<Workspace, "testFiles" | "changedTexts">;
  /** what the checks run or read */
  readonly scripts: readonly string[];
  /** tells a person what could not be kept or read */
  readonly notice: (text: string) => void;
}

/**
 * What tests and check scripts were when the loop began, in `tests.json` of its folder (C21): it travels with the loop, so
 * it holds all that a comparison takes, and no object of that time need be there any more.
 */
export function createTestBaseline({ folder, root, workspace, scripts, notice }: TestBaselineOptions): TestBaseline {
  const file = path.join(folder, TESTS_FILE);
  const own = ownFolder(root ?? path.dirname(folder), folder);
  let record: TestRecord | undefined;
  const list = async (snapshot: Snapshot): Promise<TestListing | null> =>
    workspace.testFiles(snapshot, { scripts, known: marksIn(record?.files ?? []) });
  const keep = async (snapshot: Snapshot, iteration: number): Promise<void> => {
    const listing = await list(snapshot);
    if (listing === null) return;
    record = { schema: 1, iteration, ...listing };
    const text = `${JSON.stringify(record)}\n`;
    await inOwnFolder(await own, (at) => writeFileDurably(path.join(at, TESTS_FILE), text));
  };
  const unkept = (error: unknown): void =>
    notice(`What the tests are now could not be kept in ${file}: ${String(error)}.`);
  return {
    async remember(snapshot, iteration) {
      try {
        record ??= await readRecord(own, notice);
        if (record === undefined) await keep(snapshot, iteration);
      } catch (error) {
        unkept(error);
      }
    },
    renew: (snapshot, iteration) => keep(snapshot, iteration).catch(unkept),
    async since(snapshot) {
      try {
        if (record === undefined) return null;
        const listing = await list(snapshot);
        return listing && testChanges(record, listing);
      } catch (error) {
        notice(`Nobody knows what has become of the tests: ${String(error)}.`);
        return null;
      }
    },
    async texts(begun, now) {
      try {
        return await workspace.changedTexts(begun, now, scripts);
      } catch (error) {
        notice(`Nobody knows how what judges the work was changed: ${String(error)}.`);
        return null;
      }
    },
  };
}

function marksIn(files: TestRecord["files"]): ReadonlyMap<string, TestMarks> {
  return new Map(files.flatMap(({ blob, marks }) => (marks === null ? [] : [[blob, marks] as const])));
}

/** Undefined when it is missing or unreadable; the current tests are used then, which is better than nothing. */
async function readRecord(own: Promise<OwnFolder>, notice: (text: string) => void): Promise<TestRecord | undefined> {
  const folder = await own;
  const file = path.join(folder.path, TESTS_FILE);
  const text = await inOwnFolderIfThere(folder, (at) => unlessMissing(readOwnFile(path.join(at, TESTS_FILE))));
  if (text === undefined) return undefined;
  const { success, data } = testRecord.safeParse(parsedJson(text), { jitless: true });
  if (success) return data;
  notice(`${file} is damaged: whether tests were weakened is only known from now on.`);
  return undefined;
}
