import { readFile, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type GitRepository, gitRepository } from "../../support/git-repository.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

const FOLDER = ".daedalus/prds/login";

function fileOf(repo: GitRepository, name: string): Promise<string> {
  return readFile(path.join(repo.path, FOLDER, name), "utf8");
}

test("without a terminal it makes both documents, once, and hides what a loop keeps beside them [D-10, D-11]", async () => {
  await using repo = await gitRepository();
  const first = await prd("new", repo.path, {}, { operand: "login" });
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout).toContain("smithers prd edit login");
  expect(await readdir(path.join(repo.path, FOLDER))).toEqual(["prd.json", "prd.md"]);
  await repo.write(`${FOLDER}/progress.md`, "notes");
  await repo.write(`${FOLDER}/draft.json`, "{}");
  expect(await repo.git("status", "--porcelain", "-uall")).toBe(`?? ${FOLDER}/prd.json\n?? ${FOLDER}/prd.md`);

  const again = await prd("new", repo.path, { json: "on" }, { operand: "login" });
  expect(JSON.parse(again.stdout)).toMatchObject({ schema: 1, prd: "login", overwritten: [] });

  await repo.write(`${FOLDER}/prd.json`, aPrdText());
  const refused = await prd("new", repo.path, {}, { operand: "login" });
  expect(refused.code).toBe(64);
  expect(refused.stderr).toContain(`${FOLDER}/prd.json is there already`);
  expect(await fileOf(repo, "prd.json")).toBe(aPrdText());
  const forced = await prd("new", repo.path, { force: "on" }, { operand: "login" });
  expect(forced.code).toBe(0);
  expect(await fileOf(repo, "prd.json")).not.toBe(aPrdText());
});

describe("a name is looked at before any path is made [D-35]", () => {
  test.each(["../x", "list", "a/b", ".git", "-x", "a..b", "x".repeat(65)])("%s is none", async (operand) => {
    await using repo = await gitRepository();
    const said = await prd("new", repo.path, {}, { operand });
    expect(said).toMatchObject({ code: 64 });
    expect(said.stderr).toContain("is no name for a PRD");
    expect(await repo.git("status", "--porcelain")).toBe("");
  });

  test("one is needed where nobody can be asked", async () => {
    await using repo = await gitRepository();
    expect((await prd("new", repo.path)).stderr).toContain("smithers prd new my-feature");
  });
});

test("nothing is written through a link", async () => {
  await using repo = await gitRepository();
  await using elsewhere = await gitRepository();
  await symlink(elsewhere.path, path.join(repo.path, ".daedalus"));
  const said = await prd("new", repo.path, {}, { operand: "login" });
  expect(said.code).toBe(1);
  expect(await elsewhere.git("status", "--porcelain")).toBe("");
});

describe("from a document", () => {
  test("a valid prd.json is copied in, an invalid one is told with every error, and nothing is written", async () => {
    await using repo = await gitRepository();
    await repo.write("given.json", aPrdText([aStory(1), aStory(2)]));
    await repo.write("bad.json", aPrdText([aStory(1, { acceptanceCriteria: [] }), { ...aStory(2), title: "" }]));
    const bad = await prd("new", repo.path, { from: "bad.json", json: "on" }, { operand: "login" });
    expect(bad.code).toBe(64);
    const { problems } = JSON.parse(bad.stdout);
    expect(problems.length).toBeGreaterThan(1);
    expect(problems[0]).toMatchObject({ code: "PRD_INVALID", what: expect.stringContaining(`${FOLDER}/prd.json:`) });
    const good = await prd("new", repo.path, { from: "given.json" }, { operand: "login" });
    expect(good.code).toBe(0);
    expect(await fileOf(repo, "prd.json")).toBe(aPrdText([aStory(1), aStory(2)]));
    expect(await fileOf(repo, "prd.md")).toContain("US-002 Story 2");
    expect((await prd("validate", repo.path)).code).toBe(0);
  });

  test("the stories of a Markdown text are read where its structure says so, and the text is kept", async () => {
    await using repo = await gitRepository();
    const text = `# Shop\n\nSells things.\n\n## User stories\n\n### US-001: Log in\n\nAs a customer.\n\n#### Acceptance criteria\n\n- [ ] A wrong password is refused\n`;
    const said = await prd("new", repo.path, { from: "-" }, { operand: "login", piped: text });
    expect(said).toMatchObject({ code: 0 });
    expect(said.stderr).toContain("1 story read");
    expect(JSON.parse(await fileOf(repo, "prd.json"))).toEqual({
      project: "Shop",
      description: "Sells things.",
      userStories: [
        {
          id: "US-001",
          title: "Log in",
          description: "As a customer.",
          acceptanceCriteria: ["A wrong password is refused"],
          priority: 1,
          passes: false,
        },
      ],
    });
    expect(await fileOf(repo, "prd.md")).toContain(text.trimEnd());
    expect((await prd("validate", repo.path)).code).toBe(0);
  });

  test.each([
    [
      "a text without stories",
      "Sells things.\n",
      'such as "US-001: Log in" is one, and so is each below a heading "User stories"',
    ],
    ["a story without criteria", "## US-001 Log in\n\nAs a customer.\n", "1 story without acceptance criteria"],
  ])("%s is told, and what it lacks", async (_, piped, told) => {
    await using repo = await gitRepository();
    const said = await prd("new", repo.path, { from: "-" }, { operand: "login", piped });
    expect(said).toMatchObject({ code: 0 });
    expect(said.stderr).toContain(told);
    expect(said.stdout).toContain("smithers prd edit login");
    expect((await prd("validate", repo.path)).code).toBe(64);
  });

  test("of a text without stories, its title and what stands below are taken, and marked as told they are found", async () => {
    await using repo = await gitRepository();
    const text = "# Log in\n\nCustomers can log in.\n\n## What we want\n\n- A wrong password is refused\n- Log out\n";
    const said = await prd("new", repo.path, { from: "-" }, { operand: "login", piped: text });
    expect(said.stderr).toContain("give this command again with --force");
    const known = { project: "Log in", description: "Customers can log in." };
    expect(JSON.parse(await fileOf(repo, "prd.json"))).toMatchObject({ ...known, userStories: [{ id: "US-001" }] });
    expect(await fileOf(repo, "prd.md")).toBe(text);
    const piped = text.replace("What we want", "User stories");
    const again = await prd("new", repo.path, { from: "-", force: "on" }, { operand: "login", piped });
    expect(again.stderr).toContain("2 stories read");
    expect(JSON.parse(await fileOf(repo, "prd.json"))).toMatchObject({
      ...known,
      userStories: [{}, { title: "Log out" }],
    });
  });

  test.each(["none.md", ".", "bytes"])("%s cannot be read", async (from) => {
    await using repo = await gitRepository();
    await repo.write("bytes", "\uD800".repeat(3));
    const said = await prd("new", repo.path, { from: from === "bytes" ? "/bin/sh" : from }, { operand: "login" });
    expect(said).toMatchObject({ code: 64 });
    expect(said.stderr).toContain("The document");
  });
});

describe("on a terminal it asks", () => {
  const ANSWERS = [
    ...["list", "login", "", "A shop."],
    ...["done", "Log in", "As a customer.", "", "A wrong password is refused", "npm test -- login", ""],
    ...["See orders", "", "The orders are shown", "", "done", "us-009", "us-001", ""],
  ];

  test("and writes what was told, after a yes", async () => {
    await using repo = await gitRepository();
    const said = await prd("new", repo.path, {}, { typed: [...ANSWERS, "y", ""].join("\n") });
    expect(said).toMatchObject({ code: 0 });
    expect(said.stderr).toContain("A PRD has at least one story.");
    expect(said.stderr).toContain("A story has at least one criterion.");
    expect(said.stderr).toContain("There are US-001 so far.");
    expect(JSON.parse(await fileOf(repo, "prd.json"))).toMatchObject({
      project: path.basename(repo.path),
      userStories: [
        {
          id: "US-001",
          acceptanceCriteria: ["A wrong password is refused"],
          checks: [{ criterion: 1, run: "npm test -- login" }],
          priority: 1,
        },
        { id: "US-002", title: "See orders", dependsOn: ["US-001"], priority: 2 },
      ],
    });
    expect((await prd("validate", repo.path)).code).toBe(0);
  });

  test("and an end after any answer writes nothing", async () => {
    await using repo = await gitRepository();
    for (const count of ANSWERS.keys()) {
      const typed = ANSWERS.slice(0, count).map((answer) => `${answer}\n`);
      const said = await prd("new", repo.path, {}, { typed: typed.join("") });
      expect(said).toMatchObject({ code: 64 });
      expect(said.stderr).toContain("You ended it before it was complete.");
    }
    expect(await repo.git("status", "--porcelain")).toBe("");
  });
});
