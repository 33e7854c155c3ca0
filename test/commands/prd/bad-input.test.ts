import { chmod, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptInput } from "../../../src/agents/scripted/script.ts";
import { type GitRepository, gitRepository } from "../../support/git-repository.ts";
import type { GivenFlags } from "../../support/in-process.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

const FOLDER = ".daedalus/prds/shop";
const FILE = `${FOLDER}/prd.json`;
const LOOP = ".codex/waylon-smithers/loops/prd-shop";
const CLAIM = "<promise>TASK_COMPLETE</promise>";

const shop = (text = aPrdText()) => gitRepository({ [FILE]: text, "check.sh": "exit 0\n" });

async function run(repo: GitRepository, turns: ScriptInput["turns"], more: GivenFlags = {}) {
  const script = path.join(repo.path, ".git/script.json");
  await writeFile(script, JSON.stringify({ turns, then: "repeat" }));
  const flags = { provider: "scripted", script, "quality-commands": "sh check.sh", "weak-proof": "flag" };
  return prd("run", repo.path, { ...flags, "check-sandbox": "off", trust: "on", json: "on", ...more });
}

const subjects = (repo: GitRepository) => repo.git("log", "--format=%s");
const read = (repo: GitRepository, name: string) => readFile(path.join(repo.path, name), "utf8");

describe("a PRD that is wrong is refused by validate and run alike, before anything is written [D-12, D-35]", () => {
  test.each<[string, string, string]>([
    ["an id that stands twice", aPrdText([aStory(1), aStory(1)]), "US-001 is the id of userStories[0] already"],
    [
      "stories that wait for each other",
      aPrdText([aStory(1, { dependsOn: ["US-002"] }), aStory(2, { dependsOn: ["US-001"] })]),
      "US-001 → US-002 → US-001",
    ],
    ["no criterion", aPrdText([aStory(1, { acceptanceCriteria: undefined })]), '"acceptanceCriteria" is missing'],
    ["a priority that is a text", aPrdText([aStory(1, { priority: "1" })]), '"priority" is the text "1"'],
    [
      "stories that are no list",
      aPrdText().replace(/"userStories": \[[^]*\]\n/u, '"userStories": {}\n'),
      "userStories",
    ],
    ["no JSON", "{", "line 1"],
    ["a title of two lines", aPrdText([aStory(1, { title: "a\nSmithers-Story: US-009" })]), "has to be one line"],
    [
      "a title of 230 characters",
      aPrdText([aStory(1, { title: "x".repeat(230) })]),
      `${"x".repeat(59)}…", 230 characters`,
    ],
    ["5 MB", aPrdText([aStory(1, { description: "x".repeat(5 << 20) })]), "larger than 4 MiB"],
  ])("%s", async (_, text, why) => {
    await using repo = await shop(text);
    const said = [await prd("validate", repo.path, { json: "on" }), await run(repo, [{ lastMessage: CLAIM }])];
    for (const { code, stdout, stderr } of said) {
      expect(code).toBeGreaterThan(0);
      expect(JSON.stringify(stdout + stderr).replaceAll(/\\+"/gu, '"')).toContain(why);
    }
    expect(await repo.git("status", "--porcelain", "-uall")).toBe("");
    expect(existsSync(path.join(repo.path, LOOP))).toBe(false);
    expect(await subjects(repo)).toBe("start");
  });
});

test("a document that is too large is named once", async () => {
  await using repo = await shop(aPrdText());
  for (const file of ["prd.md", "prd.json"]) {
    const name = `${FOLDER}/${file}`;
    await repo.write(name, "x".repeat(5 << 20));
    const { stdout } = await prd("validate", repo.path);
    expect(stdout.split("\n")[0]).toMatch(
      new RegExp(`^${name.replaceAll(".", "[.]")}: error: it is larger than 4 MiB, [^/]*$`, "u"),
    );
  }
});

test("of 1,000 stories one is done, and the others are told as open", async () => {
  await using repo = await shop(aPrdText(Array.from({ length: 1000 }, (_, index) => aStory(index + 1))));
  expect(await prd("validate", repo.path)).toMatchObject({ code: 0 });
  expect(await run(repo, [{ files: { a: "x" }, lastMessage: CLAIM }], { "max-stories": "1" })).toMatchObject({
    code: 0,
  });
  expect(await subjects(repo)).toBe("feat: [US-001] - Story 1\nstart");
  const { counts, next } = JSON.parse((await prd("status", repo.path, { json: "on" })).stdout);
  expect([counts, next]).toEqual([{ total: 1000, open: 999, passed: 1, blocked: 0, changed: 0 }, "US-002"]);
});

test("a work tree with changes is refused, and stays as it is", async () => {
  await using repo = await shop();
  await repo.write("mine.txt", "mine");
  const { code, stdout } = await run(repo, [{ lastMessage: CLAIM }]);
  expect(code).toBe(64);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ code: "PRD_TREE_DIRTY" }] });
  expect(await repo.git("status", "--porcelain", "-uall")).toBe("?? mine.txt");
});

test("an idle agent in a repository whose gates are green passes no story [D-04, D-23]", async () => {
  await using repo = await shop(aPrdText([aStory(1), aStory(2, { dependsOn: [] })]));
  const { code, stdout } = await run(repo, [{ lastMessage: "All is well." }], { "story-attempts": "1" });
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    stop_reason: { kind: "stories_blocked" },
    stories: { passed: 0, blocked: 2 },
  });
  expect(await subjects(repo)).toBe("start");
});

test("what a title, a hook and an agent do to a story's commit is nothing, and is told [D-08, D-14, D-25, D-35]", async () => {
  const title = `Say "hi", it's $(touch pwned) \`touch pwned\`; touch pwned %s --amend`;
  const text = aPrdText([aStory(1, { title }), aStory(2)]);
  await using repo = await shop(text);
  await repo.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch hooked\nexit 1\n");
  await chmod(path.join(repo.path, ".git/hooks/pre-commit"), 0o755);
  // It calls the other story done as well, and says that it is the agent's to do so.
  const forged = text.replaceAll('"passes": false', '"passes": true');
  const turns = [{ files: { a: "x", [FILE]: forged }, lastMessage: CLAIM }];

  const { code, stderr } = await run(repo, turns, { "max-stories": "1" });

  expect(code).toBe(0);
  expect(await subjects(repo)).toBe(`feat: [US-001] - ${title}\nstart`);
  expect(await repo.git("show", `HEAD:${FILE}`)).toBe(text.replace('"passes": false', '"passes": true').trimEnd());
  expect(stderr).toContain("commit hooks of this repository are not run: .git/hooks/pre-commit.");
  expect(stderr).toContain(`${FILE} was changed during a turn, by the agent or somebody else, and is put back`);
  for (const name of ["pwned", "hooked"]) expect(existsSync(path.join(repo.path, name))).toBe(false);
  expect(await repo.git("status", "--porcelain")).toBe("");
  expect(await read(repo, `${FOLDER}/agent.log`)).toContain(title);
});
