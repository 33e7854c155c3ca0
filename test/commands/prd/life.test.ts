import path from "node:path";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { gitRepository } from "../../support/git-repository.ts";
import { resume } from "../../../src/commands/run.ts";
import { type Besides, type GivenFlags, inProcess } from "../../support/in-process.ts";
import { aPrdText, aStory, prd } from "./documents.ts";
import { does, run, subjects } from "./shop.ts";

test("new, validate, run, status, edit, run and clean, all without a terminal [D-10, D-11, D-12, D-13, D-34, D-44]", async () => {
  await using repo = await gitRepository({ ".gitignore": "script.json\n" });
  const asked = async (verb: string, given: GivenFlags = {}, besides: Besides = {}) => {
    const { code, stdout, stderr } = await prd(verb, repo.path, { json: "on", ...given }, besides);
    expect({ verb, code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
  const made = await asked("new", { from: "-" }, { operand: "shop", piped: aPrdText([aStory(1)]) });
  expect(made).toMatchObject({ schema: 1, prd: "shop" });
  expect(await asked("validate")).toMatchObject({ schema: 1 });
  expect(await asked("list")).toMatchObject({ prds: [{ prd: "shop", valid: true, stories: { total: 1, passed: 0 } }] });

  // Its documents go with the first story's commit.
  const first = await run(repo, [does(1)]);
  expect(first).toMatchObject({ code: 0 });
  expect(JSON.parse(first.stdout)).toMatchObject({ schema: 1, loop_id: "prd-shop", status: "completed" });
  expect(await asked("status")).toMatchObject({
    ...{ counts: { open: 0, passed: 1 }, next: null, worktree: null },
    stories: [{ status: "passed", attempts: 1, commit: await repo.git("rev-parse", "HEAD") }],
    loop: { status: "completed", stop_reason: "stories_passed" },
  });
  const nothing = await run(repo, [does(1)]);
  expect(nothing).toMatchObject({ code: 0 });

  const stories = [aStory(1, { passes: true }), aStory(2)];
  await asked("edit", { from: "-" }, { piped: aPrdText(stories) });
  const second = await run(repo, [does(2)]);
  expect(second).toMatchObject({ code: 0 });
  expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
  expect(await asked("status")).toMatchObject({ counts: { open: 0, passed: 2 } });

  const over = await inProcess(resume, repo.path, { "loop-id": "prd-shop", json: "on" });
  expect(JSON.parse(over.stdout).problems).toMatchObject([
    { code: "LOOP_OVER", next: expect.stringContaining("smithers prd run shop") },
  ]);

  const loop = path.join(repo.path, ".codex/waylon-smithers/loops/prd-shop");
  const kinds = ["notes", "notes", "notes", "loop"];
  expect(await asked("clean")).toMatchObject({ found: kinds.map((kind) => ({ kind, stays: false, removed: false })) });
  expect(existsSync(loop)).toBe(true);
  expect(await asked("clean", { yes: "on" })).toMatchObject({ found: kinds.map((kind) => ({ kind, removed: true })) });
  expect(existsSync(loop)).toBe(false);
  expect(await asked("status")).toMatchObject({ counts: { open: 0, passed: 2 } });
});
