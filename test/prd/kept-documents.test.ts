import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DOCUMENTS_FILE } from "../../src/core/names.ts";
import { prdFolder } from "../../src/prd/folder.ts";
import { documentsOfKilled, keepDocuments } from "../../src/prd/kept-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** A PRD on disk, and the loop that works on it. */
async function stage() {
  const temporary = await tempFolder();
  onTestFinished(async () => temporary[Symbol.asyncDispose]());
  const root = temporary.path;
  const loop = { root, folder: path.join(root, ".codex/waylon-smithers/loops/prd-web") };
  const folder = path.join(root, prdFolder("web"));
  await mkdir(folder, { recursive: true });
  const [json, md] = [path.join(folder, "prd.json"), path.join(folder, "prd.md")];
  const put = async (text: string, markdown?: string) => {
    await writeFile(json, text);
    await (markdown === undefined ? rm(md, { force: true }) : writeFile(md, markdown));
  };
  const found = () => documentsOfKilled(loop, root, "web");
  const texts = async () => {
    const reader = await found();
    return reader && [(await reader.readOriginal(json, 1))?.text, (await reader.readOriginal(md, 1))?.text];
  };
  return { root, loop, folder, json, put, found, texts };
}

test("files that are as a run has read or was about to write them are read as they lie there", async () => {
  const { loop, put, found } = await stage();
  await put("new");
  expect(await found(), "nothing was kept").toBeUndefined();
  await keepDocuments(loop, [{ json: "new", markdown: undefined }]);
  expect(await found()).toBeUndefined();
  await put("new", "# Web");
  const versions = ["newer", "new"].map((json) => ({ json, markdown: "# Web" }));
  await keepDocuments(loop, versions);
  expect(await found(), "killed before the file was written").toBeUndefined();
  await put("newer", "# Web");
  expect(await found()).toBeUndefined();
});

test("of others, what the run had is read in their place, whatever they are [D-23]", async () => {
  const { root, loop, folder, json, put, texts } = await stage();
  const versions = ["newer", "new"].map((text) => ({ json: text, markdown: "# Web" }));
  await keepDocuments(loop, versions);
  for (const mine of [["mine", "# Web"], ["newer", "# Mine"], ["newer"]] as const) {
    await put(mine[0], mine[1]);
    expect(await texts()).toEqual(["newer", "# Web"]);
  }
  await rm(json);
  await mkdir(json);
  expect(await texts()).toEqual(["newer", "# Web"]);
  await rm(folder, { recursive: true });
  expect(await texts()).toEqual(["newer", "# Web"]);
  await mkdir(path.join(root, "elsewhere"));
  await symlink(path.join(root, "elsewhere"), folder);
  expect(await texts()).toEqual(["newer", "# Web"]);
  await rm(folder);
  await writeFile(folder, "");
  await keepDocuments(loop, [{ json: "new", markdown: undefined }]);
  expect(await texts()).toEqual(["new", undefined]);
});

test("what was kept and is damaged is nobody's word", async () => {
  const { loop, put, found } = await stage();
  await put("new");
  await keepDocuments(loop, [{ json: "new", markdown: undefined }]);
  const file = path.join(loop.folder, DOCUMENTS_FILE);
  for (const text of ["{", '{"schema":2}', (await readFile(file, "utf8")).replace('"new"', "1")]) {
    await writeFile(file, text);
    await expect(found()).rejects.toMatchObject({ code: "PRD_KEPT_DAMAGED" });
  }
});
