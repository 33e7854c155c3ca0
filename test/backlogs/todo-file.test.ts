import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createTodoFile, noHardStops } from "../../src/backlogs/backlog.ts";
import { sha256 } from "../../src/os/digest.ts";
import { tempFolder } from "../support/temp-folder.ts";

function todo(root: string, file = "TODO.md") {
  return createTodoFile({ root, path: file, token: "HARD STOP", digest: sha256 });
}

test("HARD STOP lines are found, reached or not [W-43]", async () => {
  await using folder = await tempFolder();
  await writeFile(
    path.join(folder.path, "TODO.md"),
    "- [x] one\n- HARD STOP: review\n- [ ] two\nHARD STOP before three\n",
  );
  expect(await todo(folder.path).scan()).toEqual([
    expect.objectContaining({ line: 2, text: "- HARD STOP: review", reached: true }),
    expect.objectContaining({ line: 4, text: "HARD STOP before three", reached: false }),
  ]);
});

test.each(["TODO.md", "no/such/folder/TODO.md"])("without the file %s there is no checkpoint [W-43]", async (file) => {
  await using folder = await tempFolder();
  expect(await todo(folder.path, file).scan()).toEqual([]);
});

test("where a folder was expected there is a file: no checkpoint [W-43]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "docs"), "x");
  expect(await todo(folder.path, "docs/TODO.md").scan()).toEqual([]);
});

test("without a todo file there are no checkpoints [W-43]", async () => {
  expect(await noHardStops.scan()).toEqual([]);
});

test("of a large file the whole lines of the first MiB are read [W-43]", async () => {
  await using folder = await tempFolder();
  const line = `${"é".repeat(50)}\n`;
  const filler = line.repeat(Math.ceil(1_048_576 / 101));
  await writeFile(path.join(folder.path, "TODO.md"), `HARD STOP early\n${filler}HARD STOP late\n`);
  const hits = await todo(folder.path).scan();
  expect(hits.map((hit) => hit.text)).toEqual(["HARD STOP early"]);
});

test("a link inside the workspace is followed [D-35]", async () => {
  await using folder = await tempFolder();
  await mkdir(path.join(folder.path, "docs"));
  await writeFile(path.join(folder.path, "docs/plan.md"), "HARD STOP\n");
  await symlink("docs/plan.md", path.join(folder.path, "TODO.md"));
  expect(await todo(folder.path).scan()).toHaveLength(1);
});

test("a path or a link that leads outside is refused [D-35]", async () => {
  await using folder = await tempFolder();
  const root = path.join(folder.path, "workspace");
  await mkdir(root);
  await writeFile(path.join(folder.path, "secret.md"), "HARD STOP\n");
  await symlink("../secret.md", path.join(root, "TODO.md"));
  await symlink("..", path.join(root, "up"));
  for (const file of ["TODO.md", "up/secret.md", "../secret.md", path.join(folder.path, "secret.md"), "../absent.md"])
    await expect(todo(root, file).scan()).rejects.toHaveProperty("code", "TODO_OUTSIDE_WORKSPACE");
});

test("a named pipe or a folder is refused at once instead of holding the loop [D-35]", async () => {
  await using folder = await tempFolder();
  await promisify(execFile)("mkfifo", [path.join(folder.path, "TODO.md")]);
  await mkdir(path.join(folder.path, "folder"));
  for (const file of ["TODO.md", "folder"])
    await expect(todo(folder.path, file).scan()).rejects.toHaveProperty("code", "TODO_NOT_A_FILE");
});
