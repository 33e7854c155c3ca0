import { describe, expect, test } from "vitest";
import { transition } from "../../src/core/transition.ts";
import type { Story } from "../../src/core/story/story.ts";
import { AT } from "../support/builders.ts";
import { aPrd, aStory } from "../support/stories.ts";
import { PROMISE, withStories } from "./endings.ts";
import { ofType, runIn, standing } from "./story-life.ts";
import { newWorld, type Scenario, type World } from "./world.ts";

const withCommand = (id: string, run: string, more: Partial<Story> = {}) =>
  aStory(id, { checks: [{ criterion: 0, run, timeoutMs: null }], ...more });
const ONE = withCommand("US-001", "one");
const TWO = withCommand("US-002", "two");
const THREE = withCommand("US-003", "three");

/** A run of these stories, which are claimed at once, and what was asked: `before: one`, `after: one two`. */
async function run(world: World, stories: readonly Story[], more: Scenario = {}, only: string | null = null) {
  const asked: string[] = [];
  const prompts: string[] = [];
  const scenario: Scenario = {
    ...withStories(aPrd(stories, { only })),
    agent: (_, { prompt }) => {
      prompts.push(prompt);
      return { message: PROMISE };
    },
    ...more,
    gate: (_, { occasion, commands = [] }) => {
      if (occasion !== "first") asked.push([occasion, ...commands.map((command) => command.run)].join(" "));
      return "passed";
    },
  };
  const task = scenario.task;
  const { reason } = await runIn(world, {
    ...scenario,
    task: (given) => ({ ...(task?.(given) ?? given), by: "person" }),
  });
  return { asked, prompts, reason };
}

const ruled = { type: "story_ruled", title: "x", digest: "d", by: "ann", words: null, commit: null, at: AT } as const;
function accept(world: World, id: string): void {
  if (world.state !== undefined) world.state = transition(world.state, { ...ruled, id, ruling: "accept" });
}

describe("what passed stories' commands say before a story begins [D-22]", () => {
  test("is known in a chain of proved stories, also over several runs: none is asked more than once before and after", async () => {
    const world = newWorld();
    const stories = [ONE, TWO, THREE];
    const { asked } = await run(world, stories, {}, "US-001");
    const more = await run(world, stories);
    expect([...asked, ...more.asked]).toEqual([
      ...["story one", "claim one"],
      ...["story two", "claim two one"],
      ...["story three", "claim three one two"],
    ]);
    expect(ofType(world, "story_examined").some((event) => "others" in event)).toBe(false);
  });

  test("is asked where the work tree is another one than they were proved in", async () => {
    const world = newWorld();
    await run(world, [ONE, TWO], {}, "US-001");
    world.work += 1;
    const { asked } = await run(world, [ONE, TWO]);
    expect(asked).toEqual(["story two one", "claim two one"]);
  });

  test("is asked of one that was taken over: green then and red now is this story's fault", async () => {
    const world = newWorld();
    const taken = { ...ONE, passes: true };
    const red: Scenario["red"] = (_, { occasion }) => (occasion === "story" ? [] : ["one"]);
    const { asked } = await run(world, [taken, TWO], { red });
    expect(asked.slice(0, 2)).toEqual(["story two one", "claim two one"]);
    expect(standing(world)["US-002"]).toBe("attempts");
    expect(world.state?.stories?.records.at(-1)?.blocked?.why).toContain("one (a criterion of US-001)");
  });

  test("red already, however it passed, it is told apart, and holds up nobody", async () => {
    const world = newWorld();
    const taken = { ...ONE, passes: true };
    const { asked, prompts } = await run(world, [taken, TWO, aStory("US-003")], { red: () => ["one"] });
    // The next one asks again: somebody may have mended it.
    expect(asked).toEqual(["story two one", "claim two", "story one", "claim two"]);
    expect(standing(world)).toMatchObject({ "US-002": "passed", "US-003": "passed" });
    expect(ofType(world, "story_examined")[0]?.others).toEqual({ asked: 1, red: [{ story: "US-001", run: "one" }] });
    expect(prompts[0]).toContain("Red before this story began, so not yours to fix:\n- US-001: one");
  });

  test("mended by one story, it is the next one's to keep", async () => {
    const world = newWorld();
    const red: Scenario["red"] = ({ commits }) => (commits.length === 0 ? ["one"] : []);
    const { asked } = await run(world, [{ ...ONE, passes: true }, TWO, THREE], { red });
    expect(asked.slice(2)).toEqual(["story three one", "claim three one two"]);
  });

  test("of one that a person has accepted, or that says something else now, it is asked as well", async () => {
    const world = newWorld();
    const red = { red: () => ["one", "new"] };
    await run(world, [ONE, TWO, THREE], red, "US-001");
    expect(standing(world)["US-001"]).toBe("attempts");
    accept(world, "US-001");
    expect((await run(world, [ONE, TWO, THREE], red, "US-002")).asked).toEqual(["story two one", "claim two"]);
    const edited = [ONE, withCommand("US-002", "new"), THREE];
    expect((await run(world, edited, red)).asked).toEqual(["story three one new", "claim three"]);
    expect(standing(world)).toEqual({ "US-001": "passed", "US-002": "passed", "US-003": "passed" });
  });

  test("a command of its own is its own, and one that is a quality command as well is asked as such", async () => {
    const world = newWorld();
    const stories = [
      { ...ONE, passes: true },
      { ...withCommand("US-004", "npm test"), passes: true },
      withCommand("US-002", "one"),
    ];
    const { asked } = await run(world, stories, { red: () => ["one"] });
    expect(asked[0]).toBe("story one one");
    expect(standing(world)["US-002"]).toBe("attempts");
  });
});
