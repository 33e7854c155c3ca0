import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createChecklist, createPromptBacklog } from "../../src/backlogs/backlog.ts";
import type { LoopState } from "../../src/core/state.ts";
import { sha256 } from "../../src/os/digest.ts";
import { backlogContract } from "../contract/backlog-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

// Neither looks at the state: the file or the prompt alone says what is left.
const anyState: LoopState = JSON.parse("{}");
const list = (root: string, file = "@fix_plan.md") =>
  createChecklist({ root, path: file, skipped: null, digest: sha256 });

backlogContract("checklist", async () => {
  const folder = await tempFolder();
  onTestFinished(async () => folder[Symbol.asyncDispose]());
  await writeFile(path.join(folder.path, "@fix_plan.md"), `- [x] one\n- [ ] ${"two ".repeat(40)}\n`);
  return { backlog: list(folder.path), state: anyState };
});

test("the agent ticks an item off and the next one comes [R-26, W-29]", async () => {
  await using folder = await tempFolder();
  const backlog = list(folder.path);
  const write = async (text: string) => writeFile(path.join(folder.path, "@fix_plan.md"), text);
  await write("- [ ] one\n- [ ] two\n");
  expect(await backlog.next(anyState)).toMatchObject({ title: "one" });
  await write("- [x] one\n- [ ] two\n");
  expect(await backlog.next(anyState)).toMatchObject({ title: "two" });
  expect(await backlog.count()).toEqual({ items: 2, ticked: 1 });
  await write("- [x] one\n- [x] two\n");
  expect(await backlog.next(anyState)).toBeUndefined();
});

test("a plan that is not there holds no item [R-27]", async () => {
  await using folder = await tempFolder();
  expect(await list(folder.path).count()).toEqual({ items: 0, ticked: 0 });
  expect(await list(folder.path).next(anyState)).toMatchObject({ title: "Write the plan" });
});

test("a plan outside of the workspace, also through a link, is refused [D-35]", async () => {
  await using folder = await tempFolder();
  await symlink("/etc/hostname", path.join(folder.path, "link.md"));
  for (const file of ["link.md", "../plan.md"])
    await expect(list(folder.path, file).next(anyState)).rejects.toHaveProperty("code", "PLAN_OUTSIDE_WORKSPACE");
  await expect(list(folder.path, ".").count()).rejects.toHaveProperty("code", "PLAN_NOT_A_FILE");
});

test("of a plan that is too large nobody says that it is done [R-27]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "@fix_plan.md"), "- [x] one\n".repeat(110_000));
  await expect(list(folder.path).count()).rejects.toHaveProperty("code", "PLAN_TOO_LARGE");
});

backlogContract("prompt backlog", async () => ({ backlog: createPromptBacklog("Fix the parser"), state: anyState }));

test.each([
  ["one line", "Fix the parser", "Fix the parser"],
  ["the first of many", "Fix the parser\r\nand its tests", "Fix the parser"],
  ["leading blank lines", "\n\n  # Task \nmore", "# Task"],
  ["exactly 80 characters", "x".repeat(80), "x".repeat(80)],
  ["81 characters", "x".repeat(81), `${"x".repeat(79)}…`],
  ["characters outside the basic plane", "🦉".repeat(90), `${"🦉".repeat(79)}…`],
])("the title is the prompt's first line: %s", async (_case, prompt, title) => {
  expect(await createPromptBacklog(prompt).next(anyState)).toEqual({ id: "task", title, text: "" });
});
