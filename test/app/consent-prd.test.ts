import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type ConsentMode, consentToPrd } from "../../src/app/consent.ts";
import { prdOfJob } from "../../src/app/prd/prd-of-job.ts";
import { prdTaskOf } from "../../src/app/prd/prd-task.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type { Shell } from "../../src/app/shell.ts";
import { trust } from "../../src/commands/trust.ts";
import { askingInPrd } from "../../src/config/consent.ts";
import type { Prd } from "../../src/core/story/story.ts";
import { readDocument } from "../../src/prd/document.ts";
import { aDocument, aStory, AT } from "../prd/documents.ts";
import { inProcess } from "../support/in-process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILE = ".daedalus/prds/web/prd.json";
const STORIES = [aStory("US-001"), aStory("US-002")];

function prdOf(stories: unknown = STORIES, overrides: Readonly<Record<string, unknown>> = {}): Prd {
  const { document, issues } = readDocument(aDocument(stories, overrides), AT);
  if (document === undefined) throw new Error(JSON.stringify(issues));
  return document.prd;
}

/** A command line without a terminal. */
function shellIn(cwd: string, state: string, inputs?: Shell["inputs"]) {
  const stderr = new PassThrough();
  const stdout = new PassThrough();
  const env = { XDG_STATE_HOME: state };
  const shell: Shell = { program: "smithers", cwd, env, stdout, stderr, ...(inputs === undefined ? {} : { inputs }) };
  const said = async () => {
    stderr.end();
    return text(stderr);
  };
  return { shell, said };
}

async function asked(prd: Prd, root: string, state: string, mode: ConsentMode = "ask", inputs?: Shell["inputs"]) {
  const { shell } = shellIn(root, state, inputs);
  try {
    await consentToPrd(prd, { root, file: FILE }, shell, mode);
    return "agreed";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("every command is told with where it stands, and how to agree [T8]", async () => {
  await using root = await tempFolder();
  await using state = await tempFolder("state-");
  const told = await asked(prdOf(), root.path, state.path);
  expect(told).toContain(`${FILE}: US-001, criterion 2 runs: "npm test -- part-1"`);
  expect(told).toContain(`${FILE}: US-002, criterion 2 runs: "npm test -- part-2"`);
  expect(told).toContain("nobody has agreed yet");
});

test.each<[string, ConsentMode, Shell["inputs"], string]>([
  ["for this call", "given", undefined, "agreed"],
  ["not for a dry run, which starts nothing", "spare", undefined, "agreed"],
  ["not in a job, which reads the base", "ask", {}, "agreed"],
])("a person is asked: %s [T8]", async (_, mode, inputs, answer) => {
  await using root = await tempFolder();
  await using state = await tempFolder("state-");
  expect(await asked(prdOf(), root.path, state.path, mode, inputs)).toBe(answer);
  expect(await asked(prdOf(), root.path, state.path)).toContain("nobody has agreed yet");
});

const [first, second] = [aStory("US-001"), aStory("US-002")];
const run = (command: string) => ({ checks: [{ criterion: 1, run: command }] });

test.each<[string, unknown, Readonly<Record<string, unknown>>, boolean]>([
  ["texts", [{ ...first, title: "Another", description: "x", acceptanceCriteria: ["a", "b"] }, second], {}, true],
  ["what has passed", [{ ...first, passes: true }, second], {}, true],
  [
    "the order",
    [
      { ...second, priority: 1 },
      { ...first, priority: 2 },
    ],
    {},
    true,
  ],
  ["a command that moves to another criterion", [{ ...first, ...run("npm test -- part-1") }, second], {}, true],
  ["a command that another story names as well", [...STORIES, aStory("US-003", run("npm test -- part-1"))], {}, true],
  ["a story without a command", [...STORIES, aStory("US-003", { checks: undefined })], {}, true],
  ["a new command", [...STORIES, aStory("US-003")], {}, false],
  ["a changed command", [first, { ...second, ...run("rm -rf ~") }], {}, false],
  ["an agent that runs anything", STORIES, { provider: "command" }, false],
  ["an agent of a story", [first, { ...second, provider: "command" }], {}, false],
  ["the usual agent", STORIES, { provider: "codex" }, true],
])("after a change of %s, who has agreed is asked again or not [T8]", async (_, stories, overrides, holds) => {
  await using root = await tempFolder();
  await using state = await tempFolder("state-");
  expect(await asked(prdOf(), root.path, state.path, "keep")).toBe("agreed");
  const answer = await asked(prdOf(stories, overrides), root.path, state.path);
  expect(answer).toMatch(holds ? /^agreed$/u : /has changed since you agreed to it/u);
});

test("a PRD without commands needs nobody's consent", () => {
  expect(askingInPrd(prdOf([aStory("US-001", { checks: undefined })]), FILE)).toEqual([]);
});

test("trust --prd shows and agrees; trust alone does not [T8]", async () => {
  await using root = await tempFolder();
  await using state = await tempFolder("state-");
  const folder = path.join(root.path, ".daedalus/prds/web");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "prd.json"), aDocument(STORIES));
  const env = { XDG_STATE_HOME: state.path };
  const alone = await inProcess(trust, root.path, {}, { env });
  expect(alone.stdout).toContain("needs your consent");
  const said = await inProcess(trust, root.path, { prd: "web" }, { env });
  expect(said.stderr).toContain(`${FILE}: US-002, criterion 2 runs: "npm test -- part-2"`);
  expect(said.stdout).toContain(`${FILE} in `);
  expect(await asked(prdOf(), root.path, state.path)).toBe("agreed");
});

test("a job reads both documents of the base, whatever lies there [T8]", async () => {
  await using root = await tempFolder();
  const files = new Map([[path.join(root.path, FILE), aDocument(STORIES)]]);
  const readOriginal = async (file: string) => ({ text: files.get(file) });
  const committed = { readOriginal, read: readOriginal, readTracked: async () => undefined };
  const folder = path.join(root.path, ".daedalus/prds/web");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "prd.json"), aDocument([aStory("US-009", run("evil"))]));
  const use = (name: string) => prdOfJob({ backlog: "prd", prd: name, story: null }, { root: root.path, committed });
  expect((await use("web"))?.document.prd.stories.map(({ id }) => id)).toEqual(["US-001", "US-002"]);
  await expect(use("other")).rejects.toMatchObject({ problems: [{ code: "PRD_NOT_ON_BASE" }] });
});

test("the story that a plan has handed to a job begins, whatever its file says and whatever it depends on", async () => {
  await using root = await tempFolder();
  const stories = [aStory("US-001"), aStory("US-002", { dependsOn: ["US-001"], pauseAfter: true })];
  const text = aDocument(stories);
  const readOriginal = async (file: string) => ({ text: file.endsWith(FILE) ? text : undefined });
  const committed = { readOriginal, read: readOriginal, readTracked: async () => undefined };
  const here = aDocument(stories.map((story) => ({ ...story, passes: true })));
  await mkdir(path.join(root.path, ".daedalus/prds/web"), { recursive: true });
  await writeFile(path.join(root.path, FILE), here);
  const { config: usual } = resolveSettings({ flags: {}, env: {}, foreign: [] });
  const config = { ...usual, backlog: "prd", prd: "web", story: "US-002" } as const;
  const handed = { attempts: 2, words: "Blue.", feedback: null, notes: "", proved: [] };
  const prd = await prdOfJob(config, { root: root.path, committed }, handed);
  if (prd === null) throw new Error("there is no PRD");
  const [first, second] = prdTaskOf(prd, config).stories;
  expect(first).toMatchObject({ passes: true });
  expect(second).toMatchObject({ passes: false, dependsOn: [], pauseAfter: false });
  expect(prdTaskOf(prd, config)).toMatchObject({ storyAttempts: 1, handed });
  expect(prdTaskOf(prd, { ...config, storyAttempts: 2 }).storyAttempts).toBe(1);
  expect(prd.ofWave?.asFound).toEqual({ json: here, markdown: undefined });
});
