import { expect, test } from "vitest";
import { bundledFiles } from "../../scripts/bundled-files.ts";

test("a bundle's files are found inside concatenated modules too; what the bundler adds is not a file", () => {
  const concatenated = {
    name: "./a.js + 1 modules",
    nameForCondition: "/a.js",
    modules: [{ nameForCondition: "/b.js" }],
  };
  const runtime = { name: "webpack/runtime/compat", nameForCondition: null };
  expect(bundledFiles({ modules: [concatenated, runtime] })).toEqual(["/a.js", "/b.js"]);
});

test("a bundle that imports what is not there is refused, though the bundler is content with it", () => {
  const missing = { name: "./node_modules/bundler/@@notfound.js?./gone.js", nameForCondition: "/@@notfound.js" };
  expect(() => bundledFiles({ modules: [missing] })).toThrow("Not found while bundling: ./gone.js.");
});
