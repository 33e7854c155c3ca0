import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { listPrds, prdFolder, readPrd } from "../../src/prd/folder.ts";
import { withStories } from "../../src/prd/markdown.ts";
import { scaffold } from "../../src/prd/scaffold.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aDocument } from "./documents.ts";

/** A PRD `web` with these files. */
async function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = path.join(root, prdFolder("web"));
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

test("both documents are read, and what is wrong with either is told [D-10, D-12]", async () => {
  await using folder = await tempFolder();
  await write(folder.path, { "prd.json": aDocument() });
  const bare = await readPrd(folder.path, "web");
  expect(bare).toMatchObject({ document: { prd: { name: "web", folder: ".daedalus/prds/web" } }, markdown: undefined });
  expect(bare.issues).toMatchObject([{ severity: "warning", file: "prd.md", reason: "there is no prd.md" }]);
  const markdown = bare.document === undefined ? "" : withStories("# Web\n", bare.document.prd);
  await write(folder.path, { "prd.md": markdown });
  expect(await readPrd(folder.path, "web")).toMatchObject({ markdown, issues: [] });
  await write(folder.path, { "prd.md": markdown.replace("Add part 1", "Add another part") });
  expect(await readPrd(folder.path, "web")).toMatchObject({
    document: undefined,
    issues: [
      { severity: "error", file: "prd.md", line: 7, code: "PRD_DRIFT", cure: expect.stringContaining("prd edit web") },
    ],
  });
});

test("a new document is not run before its blanks are filled in [D-11]", async () => {
  await using folder = await tempFolder();
  const { json, markdown } = scaffold("web");
  await write(folder.path, { "prd.json": json, "prd.md": markdown });
  const { document, issues } = await readPrd(folder.path, "web");
  expect(document).toBeUndefined();
  expect(issues.map(({ file, path: at, severity }) => `${severity} ${file} ${at}`)).toEqual([
    "error prd.json description",
    "error prd.json userStories[0].title",
    "error prd.json userStories[0].description",
    "error prd.json userStories[0].acceptanceCriteria[0]",
    "error prd.json userStories[0].checks[0].run",
    ...["error prd.md ", "error prd.md "],
  ]);
});

test("a new document with its blanks filled in has nothing wrong, and is in step", async () => {
  await using folder = await tempFolder();
  const { json, markdown } = scaffold("web");
  const filled = (text: string) => text.replaceAll(/\(Write here [^)]*\)/gu, "Words");
  await write(folder.path, { "prd.json": filled(json), "prd.md": filled(markdown) });
  expect((await readPrd(folder.path, "web")).issues).toEqual([]);
});

test("only folders that can be PRDs are listed, in order [D-10]", async () => {
  await using folder = await tempFolder();
  expect(await listPrds(folder.path)).toEqual([]);
  const prds = path.join(folder.path, ".daedalus/prds");
  for (const name of ["web", "api", ".hidden", "run", "a..b", "a b"])
    await mkdir(path.join(prds, name), { recursive: true });
  await writeFile(path.join(prds, "file"), "");
  await symlink("web", path.join(prds, "link"));
  expect(await listPrds(folder.path)).toEqual(["api", "web"]);
});

test("a PRD that is not there is refused with those that are [D-10]", async () => {
  await using folder = await tempFolder();
  const problem = (next: string) => ({ problems: [{ code: "PRD_MISSING", next: expect.stringContaining(next) }] });
  await expect(readPrd(folder.path, "web")).rejects.toMatchObject(problem("Make it with: smithers prd new web"));
  await write(folder.path, { "prd.json": "" });
  await expect(readPrd(folder.path, "app")).rejects.toMatchObject(problem("those that are there (web)"));
});

test.each(["../x", "", "run", "a/b", "x.lock", "-x"])("%j names no PRD, and nothing is read [D-35]", async (name) => {
  await using folder = await tempFolder();
  await expect(readPrd(folder.path, name)).rejects.toMatchObject({ problems: [{ code: "PRD_NAME" }] });
});

test("what is no regular file of the workspace is not read [D-35]", async () => {
  await using folder = await tempFolder();
  await using other = await tempFolder();
  const root = await write(folder.path, { "prd.json": aDocument() });
  await symlink("/etc/hostname", path.join(root, "prd.md"));
  await expect(readPrd(folder.path, "web")).rejects.toHaveProperty("code", "PRD_NOT_A_FILE");
  await mkdir(path.join(folder.path, prdFolder("dir"), "prd.json"), { recursive: true });
  await expect(readPrd(folder.path, "dir")).rejects.toHaveProperty("code", "PRD_NOT_A_FILE");
  await mkdir(path.join(other.path, ".daedalus"), { recursive: true });
  await symlink(path.join(folder.path, ".daedalus/prds"), path.join(other.path, ".daedalus/prds"));
  await expect(readPrd(other.path, "web")).rejects.toHaveProperty("code", "LINK_REFUSED");
  await expect(listPrds(other.path)).rejects.toHaveProperty("code", "LINK_REFUSED");
});

test("a document of 5 MB is refused [D-12]", async () => {
  await using folder = await tempFolder();
  await write(folder.path, { "prd.json": aDocument([], { description: "x".repeat(5_000_000) }) });
  await expect(readPrd(folder.path, "web")).rejects.toMatchObject({
    code: "PRD_TOO_LARGE",
    message: expect.stringContaining("larger than 4 MiB"),
  });
});

test("a text in another encoding is told at its line", async () => {
  await using folder = await tempFolder();
  await write(folder.path, { "prd.json": Buffer.from('{\n"project": "Gr\xFC\xDFe"}', "latin1"), "prd.md": "" });
  expect((await readPrd(folder.path, "web")).issues).toMatchObject([{ severity: "error", file: "prd.json", line: 2 }]);
});
