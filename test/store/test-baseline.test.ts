import path from "node:path";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { TESTS_FILE } from "../../src/core/names.ts";
import type { Snapshot } from "../../src/core/state.ts";
import type { Workspace } from "../../src/core/ports.ts";
import type { TestFile } from "../../src/core/progress/test-files.ts";
import { createTestBaseline } from "../../src/store/test-baseline.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SNAPSHOT: Snapshot = { id: "1", tree: "1", head: null };
const FILE: TestFile = {
  path: "test/a.test.js",
  role: "test",
  bytes: 40,
  blob: "a1",
  marks: { skips: { "it.skip": 1 }, tests: 0 },
};

function listing(...files: readonly TestFile[]): Workspace["testFiles"] {
  return async () => ({ files, complete: true });
}

function baseline(folder: string, testFiles: Workspace["testFiles"]) {
  const notices: string[] = [];
  const notice = (text: string): void => void notices.push(text);
  return {
    notices,
    tests: createTestBaseline({
      folder,
      workspace: { testFiles, changedTexts: async () => null },
      scripts: ["Makefile"],
      notice,
    }),
  };
}

test("what is kept holds all that a comparison takes, and asks again only for what it does not know [C21]", async () => {
  await using folder = await tempFolder();
  const asked: unknown[] = [];
  const { tests, notices } = baseline(path.join(folder.path, "loop"), async (snapshot, query) => {
    asked.push([snapshot, query.scripts, [...query.known]]);
    return { files: [FILE, { ...FILE, path: "big.test.js", marks: null }], complete: true };
  });
  await tests.remember(SNAPSHOT, 0);
  await tests.remember(SNAPSHOT, 4);
  await tests.since(SNAPSHOT);
  expect(asked).toEqual([
    [SNAPSHOT, ["Makefile"], []],
    [SNAPSHOT, ["Makefile"], [["a1", FILE.marks]]],
  ]);
  const kept: unknown = JSON.parse(await readFile(path.join(folder.path, "loop", TESTS_FILE), "utf8"));
  expect(kept).toMatchObject({ schema: 1, iteration: 0, complete: true, files: [FILE, { marks: null }] });
  expect(notices).toEqual([]);
});

test("where the files of a snapshot are not known, nothing is kept and nothing is told [C21]", async () => {
  await using folder = await tempFolder();
  const { tests, notices } = baseline(folder.path, async () => null);
  await tests.remember(SNAPSHOT, 0);
  expect(await tests.since(SNAPSHOT)).toBeNull();
  const known = baseline(folder.path, listing(FILE));
  await known.tests.remember(SNAPSHOT, 2);
  expect(await known.tests.since(SNAPSHOT)).toMatchObject({ since: 2 });
  await tests.remember(SNAPSHOT, 3);
  expect(await tests.since(SNAPSHOT)).toBeNull();
  expect(notices).toEqual([]);
});

test.each(["{", "[]", `{"schema":1,"iteration":0,"complete":true,"files":[{"path":1}]}`, `{"schema":2}`])(
  "a damaged file is told, and what is known is known from then on: %s [C21]",
  async (text) => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, TESTS_FILE), text);
    const { tests, notices } = baseline(folder.path, listing(FILE));
    await tests.remember(SNAPSHOT, 5);
    expect(notices).toEqual([expect.stringContaining("damaged")]);
    expect(await tests.since(SNAPSHOT)).toMatchObject({ since: 5 });
  },
);

test("what fails is told and never thrown [C21]", async () => {
  await using folder = await tempFolder();
  await mkdir(path.join(folder.path, TESTS_FILE));
  const unreadable = baseline(folder.path, listing(FILE));
  await unreadable.tests.remember(SNAPSHOT, 0);
  expect(unreadable.notices).toEqual([expect.stringContaining("could not be kept")]);
  expect(await unreadable.tests.since(SNAPSHOT)).toBeNull();

  await rm(path.join(folder.path, TESTS_FILE), { recursive: true });
  let broken = false;
  const failing = baseline(folder.path, async () => {
    if (broken) throw new Error("no git");
    return { files: [], complete: true };
  });
  await failing.tests.remember(SNAPSHOT, 0);
  broken = true;
  expect(await failing.tests.since(SNAPSHOT)).toBeNull();
  expect(failing.notices).toEqual([expect.stringContaining("no git")]);
});
