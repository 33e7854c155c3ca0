import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { differences } from "../../scripts/folder-difference.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function folder(root: string, name: string, files: Record<string, string>): Promise<string> {
  const made = path.join(root, name);
  await mkdir(path.join(made, "cli"), { recursive: true });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(path.join(made, file), text)));
  return made;
}

test("dist/ is compared file by file: bytes, executable bit, missing and surplus files", async () => {
  await using root = await tempFolder();
  const wanted = await folder(root.path, "a", { "cli/index.js": "1", "cli/run.js": "1", "cli/new.js": "", same: "1" });
  const found = await folder(root.path, "b", { "cli/index.js": "2", "cli/run.js": "1", "cli/old.js": "", same: "1" });
  await chmod(path.join(wanted, "cli/run.js"), 0o755);

  expect(await differences(wanted, wanted)).toEqual([]);
  expect(await differences(wanted, found)).toEqual([
    "cli/index.js: other bytes",
    "cli/new.js: missing",
    "cli/old.js: not built any more",
    "cli/run.js: other executable bit",
  ]);
});

test("a dist/ that is not there at all is all missing", async () => {
  await using root = await tempFolder();
  const wanted = await folder(root.path, "a", { "cli/index.js": "1" });
  expect(await differences(wanted, path.join(root.path, "none"))).toEqual(["cli/index.js: missing"]);
});
