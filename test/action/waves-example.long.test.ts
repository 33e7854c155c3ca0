import { expect, test } from "vitest";
import { byHand } from "../examples/events.ts";
import { repositoryWith } from "../examples/repository.ts";
import { DOCUMENT, ledger, PROMISE } from "./waves-story-stage.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const PACKAGE = { name: "shop", version: "1.0.0", scripts: { test: "test -f README.md" } };
const LOCK = { name: "shop", version: "1.0.0", lockfileVersion: 3, requires: true };
const DEP = { dep: "file:dep" };

/** Adds a dependency, which `npm ci` installs without a registry. */
const ADDS = {
  "dep/package.json": json({ name: "dep", version: "1.0.0" }),
  "dep/index.js": "module.exports = 1;\n",
  "package.json": json({ ...PACKAGE, dependencies: DEP }),
  "package-lock.json": json({
    ...LOCK,
    packages: {
      "": { name: "shop", version: "1.0.0", dependencies: DEP },
      dep: { version: "1.0.0" },
      "node_modules/dep": { resolved: "dep", link: true },
    },
  }),
};

function story(number: number, run: string, more: object = {}): object {
  const about = { id: `US-00${number}`, title: `Story ${number}`, description: "", acceptanceCriteria: ["It works."] };
  return { ...about, priority: number, passes: false, dependsOn: [], checks: [{ criterion: 1, run }], ...more };
}

const FILES = {
  "README.md": "hello\n",
  ".gitignore": "node_modules\n",
  "package.json": json(PACKAGE),
  "package-lock.json": json({ ...LOCK, packages: { "": { name: "shop", version: "1.0.0" } } }),
  [DOCUMENT]: json({
    ...{ project: "Shop", branchName: "shop", description: "A shop." },
    userStories: [
      // `npm test` is the same all the time; what shows that it was installed is the story's own command.
      story(1, "test -d node_modules/dep"),
      story(2, "test -f first.txt"),
      story(3, "test -f second.txt", { dependsOn: ["US-001", "US-002"] }),
    ],
  }),
};

test(
  "a PRD's is run through its jobs wave after wave, and a story that adds a dependency lands [W-11, D-32]",
  { timeout: 300_000 },
  async () => {
    // The agents of the first wave find nothing of each other; that of the second one finds what they have landed.
    const write = "if test -f first.txt; then echo 2 > second.txt; else echo 1 > first.txt; fi";
    const turns = [{ files: ADDS, commands: [write], lastMessage: `It is done.\n${PROMISE}` }];
    await using github = await repositoryWith(["prd.yml", "relay.yml"], turns, FILES);
    const { ci } = github;
    const ran = await github.happens(byHand(ci.api.world, "prd.yml"));
    const wave = (stories: number) => Array.from({ length: stories + 2 }, () => "success");
    expect(ran.map(({ conclusion }) => conclusion)).toEqual([...wave(2), ...wave(1)]);
    expect(ran.flatMap(({ lacks }) => lacks)).toEqual([]);
    const stories = Object.entries((await ledger(ci)).stories);
    expect(stories.map(([id, { passed, proved, attempts }]) => [id, passed, proved, attempts])).toEqual(
      ["US-001", "US-002", "US-003"].map((id) => [id, "proved", 1, 0]),
    );
    const subjects = await ci.remote.git("log", "--reverse", "--format=%s", "main..shop");
    expect(subjects.split("\n")).toEqual([1, 2, 3].map((number) => `feat: [US-00${number}] - Story ${number}`));
    const pull = ci.api.world.issues.find(({ state }) => state === "open");
    expect(pull).toMatchObject({
      title: "PRD shop: 3 of 3 stories passed",
      pull: { draft: false, headBranch: "shop" },
    });
    expect(ci.api.problems).toEqual([]);
  },
);
