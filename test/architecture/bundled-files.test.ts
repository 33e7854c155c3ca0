import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { bundledFiles } from "../../scripts/bundled-files.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function filesIn(modules: readonly object[]): Promise<string[]> {
  await using folder = await tempFolder();
  const statistics = path.join(folder.path, "statistics.json");
  await writeFile(statistics, JSON.stringify({ modules }));
  return await bundledFiles(statistics);
}

test("a bundle's files are found inside concatenated modules too; what the bundler adds is no file", async () => {
  const concatenated = {
    name: "./a.js + 1 modules",
    nameForCondition: "/a.js",
    modules: [{ nameForCondition: "/b.js" }],
  };
  const runtime = { name: "webpack/runtime/compat", nameForCondition: null };
  expect(await filesIn([concatenated, runtime])).toEqual(["/a.js", "/b.js"]);
});

test("a bundle that imports what is not there is refused, though the bundler is content with it", async () => {
  const missing = { name: "./node_modules/bundler/@@notfound.js?./gone.js", nameForCondition: "/@@notfound.js" };
  await expect(filesIn([missing])).rejects.toThrow("Not found while bundling: ./gone.js.");
});
