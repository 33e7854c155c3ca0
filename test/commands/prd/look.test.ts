import { expect, test } from "vitest";
import { standOf } from "../../../src/commands/prd/known-work.ts";
import { freshRecord, type StoryRecord, storyDigest } from "../../../src/core/story/stories.ts";
import { sha256 } from "../../../src/os/digest.ts";
import { readDocument } from "../../../src/prd/document.ts";
import { aState } from "../../support/builders.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { aPrdText, aStory, prd } from "./documents.ts";

const at = (name: string): string => `.daedalus/prds/${name}/prd.json`;

const STORIES = [
  aStory(1, { passes: true }),
  aStory(2, { priority: 4 }),
  aStory(3, { priority: 2, dependsOn: ["US-002"] }),
  aStory(4, { priority: 3 }),
];

test("status says how far each story is and which comes next, list how far each PRD is [D-13, D-16, D-44]", async () => {
  await using repo = await gitRepository({ [at("shop")]: aPrdText(STORIES) });
  const told = await prd("status", repo.path);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout.split("\n")).toEqual([
    "shop: Shop",
    "1 of 4 stories passed, 1 of them not by proof.",
    "  [x] US-001 Story 1: taken over from the file, not proved",
    "  [ ] US-002 Story 2: pending",
    "  [ ] US-003 Story 3: waiting for US-002",
    "  [ ] US-004 Story 4: pending",
    "Next: US-004 Story 4",
    "",
  ]);
  const machine = await prd("status", repo.path, { json: "on" }, { operand: "shop" });
  expect(JSON.parse(machine.stdout)).toMatchObject({
    ...{ schema: 1, prd: "shop", project: "Shop", next: "US-004", active: null },
    counts: { total: 4, open: 3, passed: 1, blocked: 0, changed: 0 },
    stories: [{ id: "US-001", status: "taken_over" }, { status: "pending" }, { waits_for: ["US-002"] }, {}],
  });

  await repo.write(at("bad"), "{}");
  await repo.write(at("done"), aPrdText([aStory(1, { passes: true })]));
  await repo.write(at("busy"), aPrdText([aStory(1), aStory(2, { inProgress: true })]));
  const listed = await prd("list", repo.path, { json: "on" });
  expect(JSON.parse(listed.stdout)).toEqual({
    schema: 1,
    prds: [
      { prd: "bad", project: null, valid: false, running: false, stories: null },
      {
        prd: "busy",
        project: "Shop",
        valid: true,
        running: false,
        stories: { total: 2, passed: 0, passed_by_proof: 0, blocked: 0, changed: 0 },
      },
      {
        prd: "done",
        project: "Shop",
        valid: true,
        running: false,
        stories: { total: 1, passed: 1, passed_by_proof: 0, blocked: 0, changed: 0 },
      },
      {
        prd: "shop",
        project: "Shop",
        valid: true,
        running: false,
        stories: { total: 4, passed: 1, passed_by_proof: 0, blocked: 0, changed: 0 },
      },
    ],
  });
  const shown = await prd("list", repo.path);
  expect(shown.stdout).toContain("bad   cannot be read; invalid, see smithers prd validate bad");
  expect((await prd("status", repo.path, {}, { operand: "busy" })).stdout).toContain("Next: US-001 Story 1");
  expect((await prd("status", repo.path, {}, { operand: "done" })).stdout).toContain("Every story has passed.");
  expect(await prd("status", repo.path, {}, { operand: "bad" })).toMatchObject({ code: 64, stdout: "" });
});

test("what the loop remembers goes before what the file says; a blocked story is not the next one [D-14, D-15]", () => {
  const { document } = readDocument(aPrdText(STORIES), { name: "shop", folder: ".daedalus/prds/shop" });
  if (document === undefined) throw new Error("The document is not valid");
  const digestOf = (id: string) => {
    const story = document.prd.stories.find((one) => one.id === id);
    return story === undefined ? "" : storyDigest(story, sha256);
  };
  const record = freshRecord({ id: "US-004", title: "", digest: digestOf("US-004") });
  const at = "2026-01-01T00:00:00.000Z";
  const blocked = { kind: "question", why: "Which colour?", at } as const;
  const passing = { how: "proved", commit: null, by: null, at, proved: 0, criteria: 1 } as const;
  const stateOf = (...records: StoryRecord[]) =>
    aState({ stories: { prd: "shop", total: 4, active: null, passed_in_run: 0, records } });
  const { report, next } = standOf(document.prd, { state: stateOf({ ...record, blocked }) });
  expect(report).toMatchObject({ total: 4, passed: 1, blocked: 1, changed: 0 });
  expect(next?.id).toBe("US-002");
  expect(report.stories[3]).toMatchObject({ id: "US-004", status: "blocked", blocked: { why: "Which colour?" } });

  // What is edited between runs is seen at once, as the next run will see it.
  const edited = standOf(document.prd, { state: stateOf({ ...record, digest: "other", blocked }) });
  expect(edited.report).toMatchObject({ blocked: 0 });
  const again = stateOf({ ...record, digest: "other", state: "passed", passing });
  expect(standOf(document.prd, { state: again }).report).toMatchObject({ passed: 2, changed: 1 });
});

test("a name may be left out only where there is one; a wrong one is met with a suggestion", async () => {
  await using repo = await gitRepository();
  expect((await prd("status", repo.path)).stderr).toContain("There is no PRD in .daedalus/prds.");
  expect((await prd("list", repo.path)).stdout).toContain("smithers prd new my-feature");
  await repo.write(at("shop"), aPrdText());
  await repo.write(at("login"), aPrdText());
  const unnamed = await prd("status", repo.path);
  expect(unnamed.code).toBe(64);
  expect(unnamed.stderr).toContain("There are 2 PRDs, and none was named: login, shop.");
  expect((await prd("status", repo.path, {}, { operand: "lgoin" })).stderr).toContain("smithers prd status login?");
  expect((await prd("edit", repo.path, {}, { operand: "other" })).stderr).toContain("there is login, shop");
});

test("validate tells every problem with line, reason and cure, errors first, of all PRDs [D-12]", async () => {
  await using repo = await gitRepository();
  await repo.write(at("good"), aPrdText());
  await repo.write(at("bad"), aPrdText([aStory(1, { checks: [] }), aStory(1, { priority: 0 })]));
  const said = await prd("validate", repo.path);
  expect(said.code).toBe(64);
  const lines = said.stdout.trimEnd().split("\n");
  const ofBad = lines.filter((line) => line.startsWith(at("bad")));
  expect(ofBad.every((line) => /prd\.json:\d+: (?:error|warning): .+ Next: .+/u.test(line))).toBe(true);
  const severities = ofBad.map((line) => /: (error|warning): /u.exec(line)?.[1]);
  expect(severities.lastIndexOf("error")).toBeLessThan(severities.indexOf("warning"));
  expect(new Set(severities)).toEqual(new Set(["error", "warning"]));
  expect(lines.at(-1)).toMatch(/^good: valid \(1 story, 0 errors, \d warnings?\)$/u);
  const { ok, prds } = JSON.parse((await prd("validate", repo.path, { json: "on" })).stdout);
  expect([ok, prds.map((one: { ok: boolean }) => one.ok)]).toEqual([false, [false, true]]);
  expect(await prd("validate", repo.path, {}, { operand: "good" })).toMatchObject({ code: 0 });
});

test("in a workflow the problems are annotations, and nothing that a PRD says is a command of the runner [D-12]", async () => {
  await using repo = await gitRepository();
  const evil = "x\n::set-env name=A::b\n##[error]no\r::stop-commands::t";
  await repo.write(at("shop"), aPrdText([aStory(1, { id: evil, title: evil, acceptanceCriteria: [evil] })]));
  for (const given of [{}, { json: "on" }]) {
    const said = await prd("validate", repo.path, given, { env: { GITHUB_ACTIONS: "true" } });
    expect(said.code).toBe(64);
    const log = "json" in given ? said.stderr : said.stdout;
    expect(said.stdout).not.toMatch("json" in given ? /##\[/u : /^::set-env/mu);
    const commands = log.split(/[\r\n]/u).filter((line) => /^\s*::|##\[/u.test(line));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands)
      expect(command).toMatch(/^::(?:error|warning) file=\.daedalus\/prds\/shop\/prd\.json,line=\d+,title=PRD shop::/u);
  }
});
