import { describe, expect, test } from "vitest";
import { jobNamesIn, localUses, mirrorOf, type MirrorFacts } from "../../../src/core/policy/mirror.ts";

const job = (name: string, conclusion: string | null) => ({ name, conclusion, url: `https://x/${name}` });
const FACTS: MirrorFacts = {
  workflow: "ci.yml",
  jobs: [
    job("test", "success"),
    job("lint", "failure"),
    job("slow", "timed_out"),
    job("deploy", "skipped"),
    job("later", null),
    job("unit / node (20)", "success"),
    job("twice", "success"),
    job("twice", "failure"),
    job("smithers/loop", "success"),
  ],
  distrust: null,
  isActions: true,
};

const mirrored = (context: string, app: number | null = null, facts: Partial<MirrorFacts> = {}) => {
  const { mirrored: said, open } = mirrorOf([{ context, app }], { ...FACTS, ...facts });
  return [...said.map(({ state }) => state), ...open.map(({ why }) => why)];
};

describe("required checks that a run of CI answers [C96]", () => {
  test.each<[what: string, said: readonly string[], expected: string | undefined]>([
    ["a job that passed", mirrored("test"), "success"],
    ["a job that failed", mirrored("lint"), "failure"],
    ["a job that took too long", mirrored("slow"), "failure"],
    ["a job of a called workflow and a matrix", mirrored("unit / node (20)"), "success"],
    ["one that GitHub Actions has to say, by its own token", mirrored("test", 15_368), "success"],
    [
      "the same by another token",
      mirrored("test", 15_368, { isActions: false }),
      "the rule takes it from GitHub Actions alone, and this loop has a token of its own",
    ],
    ["one of another App", mirrored("test", 42), "the rule takes it from another App alone (42)"],
    ["a skipped job, which would count as green", mirrored("deploy"), "its job ended as skipped"],
    ["a job that has not ended", mirrored("later"), "its job ended as nothing"],
    [
      "a name that no job has, in other letters either",
      mirrored("Test"),
      "ci.yml, started by hand, has no job of this name",
    ],
    ["a name of two jobs", mirrored("twice"), "ci.yml has several jobs of this name"],
    [
      "files that are not the base's",
      mirrored("test", null, { distrust: "ci.yml is not as in main" }),
      "ci.yml is not as in main",
    ],
    ["a name of ours", mirrored("smithers/loop"), undefined],
  ])("%s", (_what, said, expected) => {
    expect(said).toEqual(expected === undefined ? [] : [expected]);
  });
});

test.each<[what: string, document: unknown, names: readonly string[] | null]>([
  ["keys and names", { jobs: { test: {}, lint: { name: "Lint it" } } }, ["test", "Lint it"]],
  ["a matrix", { jobs: { test: {}, all: { strategy: { matrix: { node: [20] } } } } }, null],
  ["a workflow that is called", { jobs: { test: {}, called: { uses: "./.github/workflows/x.yml" } } }, null],
  ["a computed name", { jobs: { test: { name: "test ${{ github.ref }}" } } }, null],
  ["a job that is none", { jobs: { test: "x" } }, null],
  ["a name that is none", { jobs: { test: { name: 1 } } }, null],
  ["no jobs", { jobs: {} }, null],
  ["jobs that are none", { jobs: null }, null],
  ["no workflow", "x", null],
])("the names of a workflow's jobs: %s [C96]", (_what, document, names) => {
  expect(jobNamesIn(document)).toEqual(names === null ? null : new Set(names));
});

describe("what a workflow uses of its repository [C96]", () => {
  test.each<[what: string, document: unknown, paths: readonly string[], unknown: string | null]>([
    ["nothing", { jobs: { a: { steps: [{ uses: "actions/checkout@v7" }, { run: "x", n: 1, b: null }] } } }, [], null],
    [
      "actions and workflows, each once",
      {
        jobs: {
          a: { steps: [{ uses: "./.github/actions/setup" }, { uses: "./.github/actions/setup/" }, { uses: "./" }] },
          b: { uses: "./.github/workflows/called.yml" },
        },
      },
      [".github/actions/setup", "", ".github/workflows/called.yml"],
      null,
    ],
    ["an action's own program", { runs: { using: "node24", main: "dist/index.js" } }, [], null],
    [
      "a program outside",
      { runs: { main: "../dist/index.js" } },
      [],
      "it uses ../dist/index.js, outside of a folder of its own",
    ],
    [
      "a folder outside",
      { steps: [{ uses: "./../other" }] },
      ["../other"],
      "it uses ./../other, outside of a folder of its own",
    ],
  ])("%s", (_what, document, paths, unknown) => {
    expect(localUses(document)).toEqual({ paths, unknown });
  });
});
