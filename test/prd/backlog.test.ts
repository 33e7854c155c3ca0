import { link, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createStoryBacklog } from "../../src/prd/backlog.ts";
import { readDocument, type StoryMark } from "../../src/prd/document.ts";
import { UNDONE_FILE } from "../../src/core/names.ts";
import { prdFolder, readDocuments } from "../../src/prd/folder.ts";
import { backlogContract } from "../contract/backlog-contract.ts";
import { aState } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aDocument, AT, aStory } from "./documents.ts";

const MARKDOWN = "# Web\n";
const LOOP = ".codex/waylon-smithers/loops/prd-web";

/** A PRD on disk, and a backlog of it whose marks can be set. */
async function stage(hasMarkdown = true) {
  const markdown = hasMarkdown ? MARKDOWN : undefined;
  const temporary = await tempFolder();
  onTestFinished(async () => temporary[Symbol.asyncDispose]());
  const root = path.join(temporary.path, "work");
  const folder = path.join(root, prdFolder("web"));
  await mkdir(folder, { recursive: true });
  const text = aDocument([aStory("US-001"), aStory("US-002")]);
  const [json, md] = [path.join(folder, "prd.json"), path.join(folder, "prd.md")];
  await writeFile(json, text);
  if (markdown !== undefined) await writeFile(md, markdown);
  const { document } = readDocument(text, AT);
  if (document === undefined) throw new Error("no document");
  const marks = new Map<string, StoryMark>();
  const loopFolder = path.join(root, LOOP);
  const item = { id: "US-001", title: "Add part 1", text: "" };
  const backlog = createStoryBacklog({ root, loopFolder, document, markdown, next: () => item, marksOf: () => marks });
  return {
    root,
    outside: temporary.path,
    folder,
    json,
    md,
    text,
    document,
    marks,
    sync: (iteration = 3) => backlog.sync(aState({ iteration })),
    loopFolder,
    backlog,
  };
}

backlogContract("story backlog", async () => ({ backlog: (await stage()).backlog, state: aState() }));

test("what the state says is written, and nobody has changed anything [D-14]", async () => {
  const { json, md, document, marks, sync, backlog } = await stage();
  expect(await backlog.count()).toBeNull();
  expect(await sync()).toEqual([]);
  marks.set("US-001", { passes: false, inProgress: true });
  expect(await sync()).toEqual([]);
  expect(await readFile(json, "utf8")).toBe(document.render(marks));
  marks.set("US-001", { passes: true, inProgress: false });
  expect(await sync()).toEqual([]);
  expect(await sync()).toEqual([]);
  expect(await readFile(json, "utf8")).toBe(aDocument([aStory("US-001", { passes: true }), aStory("US-002")]));
  expect(await readFile(md, "utf8")).toBe(MARKDOWN);
});

const JSON_PATH = `${prdFolder("web")}/prd.json`;
const MD_PATH = `${prdFolder("web")}/prd.md`;

test("`passes` that somebody else has set is undone and told [D-23]", async () => {
  const { json, text, sync } = await stage();
  await writeFile(json, text.replace('"passes": false', '"passes": true'));
  expect(await sync()).toEqual([{ file: JSON_PATH, kept: "undone-3-prd.json" }]);
  expect(await readFile(json, "utf8")).toBe(text);
  expect(await sync()).toEqual([]);
});

test("what it said is kept in the loop's folder, each text once, and over nobody's file", async () => {
  const { json, md, loopFolder, outside, sync } = await stage();
  const kept = async (name: string) => readFile(path.join(loopFolder, name), "utf8");
  for (const text of ["mine", "mine", "and more"]) {
    await writeFile(json, text);
    await sync();
  }
  await writeFile(json, Buffer.from([0xff, 0xfe]));
  await writeFile(md, "# Mine\n");
  expect(await sync(4)).toEqual([
    { file: JSON_PATH, kept: "undone-4-prd.json" },
    { file: MD_PATH, kept: "undone-4-prd.md" },
  ]);
  const names = ["undone-3-prd.1.json", "undone-3-prd.json", "undone-4-prd.json", "undone-4-prd.md"];
  expect((await readdir(loopFolder)).toSorted()).toEqual(names);
  expect(names.every((name) => UNDONE_FILE.test(name))).toBe(true);
  expect([await kept("undone-3-prd.json"), await kept("undone-3-prd.1.json")]).toEqual(["mine", "and more"]);
  expect(await readFile(path.join(loopFolder, "undone-4-prd.json"))).toEqual(Buffer.from([0xff, 0xfe]));
  // Whoever can write there gets nothing written elsewhere.
  await symlink(path.join(outside, "victim"), path.join(loopFolder, "undone-5-prd.json"));
  await writeFile(json, "once more");
  expect(await sync(5)).toEqual([{ file: JSON_PATH, kept: "undone-5-prd.1.json" }]);
  expect(await readdir(outside)).toEqual(["work"]);
});

test("what is not kept is not put back, and what says already what it is to say was no change", async () => {
  const { json, marks, text, document, loopFolder, sync } = await stage();
  await mkdir(path.dirname(loopFolder), { recursive: true });
  await writeFile(loopFolder, "in the way");
  await writeFile(json, "mine");
  await expect(sync()).rejects.toThrow(loopFolder);
  expect(await readFile(json, "utf8")).toBe("mine");
  await rm(loopFolder);
  marks.set("US-001", { passes: true, inProgress: false });
  await writeFile(json, document.render(marks));
  expect(await sync()).toEqual([]);
  expect(text).not.toBe(document.render(marks));
});

test.each<[string, (file: string, outside: string) => Promise<void>]>([
  ["deleted", (file) => rm(file)],
  ["too large to look at", (file) => truncate(file, 20 << 20)],
  [
    "a folder with something in it",
    async (file) => {
      await rm(file);
      await mkdir(path.join(file, "x"), { recursive: true });
    },
  ],
  [
    "a link to a file outside",
    async (file, outside) => {
      await rm(file);
      await symlink(path.join(outside, "victim"), file);
    },
  ],
  [
    "a file outside by a second name",
    async (file, outside) => {
      await rm(file);
      await link(path.join(outside, "victim"), file);
    },
  ],
])("a document that is %s is put right and told, and nothing is written elsewhere [D-35]", async (_, spoil) => {
  const { outside, json, md, text, sync } = await stage();
  const victim = path.join(outside, "victim");
  await writeFile(victim, "theirs");
  for (const file of [json, md]) await spoil(file, outside);
  expect(await sync()).toEqual([
    { file: JSON_PATH, kept: null },
    { file: MD_PATH, kept: null },
  ]);
  expect([await readFile(json, "utf8"), await readFile(md, "utf8")]).toEqual([text, MARKDOWN]);
  expect(await readFile(victim, "utf8")).toBe("theirs");
});

test.each([".daedalus", ".daedalus/prds", prdFolder("web")])(
  "%s as a link, a file or gone is made again",
  async (part) => {
    for (const kind of ["link", "file", "gone"]) {
      const { root, outside, json, text, sync } = await stage();
      const elsewhere = await mkdtemp(path.join(outside, "elsewhere-"));
      const target = path.join(elsewhere, "moved");
      await rename(path.join(root, part), target);
      const copy = path.join(target, path.relative(path.join(root, part), json));
      await writeFile(copy, "theirs");
      if (kind === "link") await symlink(target, path.join(root, part));
      if (kind === "file") await writeFile(path.join(root, part), "");
      expect((await sync()).map(({ file }) => file)).toEqual([JSON_PATH, MD_PATH]);
      expect(await readFile(json, "utf8")).toBe(text);
      expect(await readFile(copy, "utf8")).toBe("theirs");
    }
  },
);

test("a prd.md that was not there is taken away again", async () => {
  const { folder, md, sync } = await stage(false);
  expect(await sync()).toEqual([]);
  await writeFile(md, "# Mine\n");
  expect(await sync()).toEqual([{ file: MD_PATH, kept: "undone-3-prd.md" }]);
  expect(await readdir(folder)).toEqual(["prd.json"]);
});

test("what a killed run has left half written is removed, and other files stay", async () => {
  const { folder, sync } = await stage();
  await writeFile(path.join(folder, ".prd.json.123.tmp"), "{");
  await writeFile(path.join(folder, "progress.md"), "");
  expect(await sync()).toEqual([]);
  expect((await readdir(folder)).toSorted()).toEqual(["prd.json", "prd.md", "progress.md"]);
});

test("documents that somebody else marks stay as they were found, and what an agent does to them is undone [D-14]", async () => {
  const { root, loopFolder, folder, json, md, document, marks } = await stage(false);
  await writeFile(json, "{}");
  const asFound = await readDocuments(root, "web");
  expect(asFound).toEqual({ json: "{}", markdown: undefined });
  const options = {
    root,
    loopFolder,
    document,
    markdown: MARKDOWN,
    next: () => undefined,
    marksOf: () => marks,
    asFound,
  };
  const backlog = createStoryBacklog(options);
  marks.set("US-001", { passes: true, inProgress: false });
  expect(await backlog.sync(aState())).toEqual([]);
  await writeFile(json, "[]");
  await writeFile(md, "Mine.");
  expect((await backlog.sync(aState())).map(({ file }) => file)).toEqual([JSON_PATH, MD_PATH]);
  expect(await readFile(json, "utf8")).toBe("{}");
  expect(await readdir(folder)).toEqual(["prd.json"]);
});

test("a document that is no text is not taken for one", async () => {
  const { root, json } = await stage();
  await writeFile(json, Buffer.from([0xff, 0xfe]));
  await expect(readDocuments(root, "web")).rejects.toMatchObject({ code: "PRD_NOT_A_FILE" });
});
