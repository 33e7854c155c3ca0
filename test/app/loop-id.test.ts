import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type LoopOrigin, loopIdOf, newLoopId } from "../../src/app/loops/loop-id.ts";
import { loopId } from "../../src/config/settings/checks.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = new Date(2026, 0, 6, 21, 10, 0);

describe("the id of a new loop [W-17]", () => {
  test.each([
    ["repo", "repo-2026-01-06T21-10-00"],
    ["my repo (copy)", "my-repo-copy--2026-01-06T21-10-00"],
    ["..hidden..dir", "hidden.dir-2026-01-06T21-10-00"],
    ["日本", "loop-2026-01-06T21-10-00"],
    ["x".repeat(200), `${"x".repeat(60)}-2026-01-06T21-10-00`],
  ])("of %s is %s", async (name, id) => {
    await using folder = await tempFolder();
    expect(await newLoopId(path.join(folder.path, name), NOW)).toBe(id);
    expect(loopId(id)).toBeUndefined();
  });

  test("is never one that exists", async () => {
    await using folder = await tempFolder();
    const root = path.join(folder.path, "repo");
    const loops = path.join(root, ".codex/waylon-smithers/loops");
    await mkdir(path.join(loops, "repo-2026-01-06T21-10-00-2"), { recursive: true });
    await writeFile(path.join(loops, "repo-2026-01-06T21-10-00.json"), "{}");
    expect(await newLoopId(root, NOW)).toBe("repo-2026-01-06T21-10-00-3");
  });
});

const ORIGIN: LoopOrigin = {
  repository: "octo/Demo.App",
  workflowPath: ".github/workflows/Nightly loop.yml",
  job: "fix_it",
  step: "__self",
  matrix: "null",
  pullRequest: null,
  ref: "refs/heads/main",
};

test("the id reads well, and is the same in every run [C9]", () => {
  expect(loopIdOf(ORIGIN)).toMatch(/^demo-app-nightly-loop-fix-it-main-[0-9a-f]{10}$/u);
  expect(loopIdOf(ORIGIN)).toBe(loopIdOf({ ...ORIGIN }));
  expect(loopIdOf(ORIGIN)).toMatchInlineSnapshot(`"demo-app-nightly-loop-fix-it-main-3e083e71b4"`);
});

test.for([
  { what: "repository", change: { repository: "other/Demo.App" } },
  { what: "workflow", change: { workflowPath: ".github/workflows/nightly-loop.yml" } },
  { what: "job", change: { job: "fix-it" } },
  { what: "step", change: { step: "__self_2" } },
  { what: "matrix", change: { matrix: '{"story":"a"}' } },
  { what: "pull request", change: { pullRequest: 12 } },
  { what: "branch", change: { ref: "refs/heads/dev" } },
  { what: "tag of the same name", change: { ref: "refs/tags/main" } },
  { what: "branch that is named like a pull request's", change: { ref: "refs/heads/pr/12" } },
])("another $what is another loop [C9]", ({ change }) => {
  expect(loopIdOf({ ...ORIGIN, ...change })).not.toBe(loopIdOf(ORIGIN));
});

test.for([
  { name: "layout", a: '{\n  "os": "linux",\n  "n": 1\n}', b: '{"os":"linux","n":1}' },
  { name: "order of keys", a: '{"a":{"x":1,"y":2},"b":[1]}', b: '{"b":[1],"a":{"y":2,"x":1}}' },
  { name: "no matrix", a: "", b: "null" },
])("the matrix counts, not its $name [C9]", ({ a, b }) => {
  expect(loopIdOf({ ...ORIGIN, matrix: a })).toBe(loopIdOf({ ...ORIGIN, matrix: b }));
});

test("the legs of a matrix differ, in the order of a list too [C9]", () => {
  const ids = ['{"a":[1,2]}', '{"a":[2,1]}', '{"a":"1"}', "not JSON"].map((matrix) => loopIdOf({ ...ORIGIN, matrix }));
  expect(new Set(ids).size).toBe(4);
});

test("a pull request is one loop, however its run names it [C9]", () => {
  const ref = "refs/pull/12/merge";
  expect(loopIdOf({ ...ORIGIN, ref })).toBe(loopIdOf({ ...ORIGIN, pullRequest: 12 }));
  expect(loopIdOf({ ...ORIGIN, ref })).toContain("-pr-12-");
});

test.for([
  { name: "long names", change: { job: "j".repeat(80) } },
  { name: "a cut in the middle of a run of signs", change: { repository: `o/${"a".repeat(39)}..b` } },
  {
    name: "no readable character",
    change: { repository: "ö/ö", workflowPath: "ü.yml", job: "_", ref: "refs/heads/ß" },
  },
  { name: "signs at both ends", change: { repository: "o/--a", ref: "refs/heads/b--" } },
])("an id is legal, whatever it is made of: $name [C9]", ({ change }) => {
  const id = loopIdOf({ ...ORIGIN, ...change });
  expect(id).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?-)?[0-9a-f]{10}$/u);
  expect(id).not.toContain("--");
});
