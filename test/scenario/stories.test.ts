import { describe, expect, it, test } from "vitest";
import { recordOf } from "../../src/core/story/stories.ts";
import { transition } from "../../src/core/transition.ts";
import type { PrdTask } from "../../src/core/task.ts";
import type { Evidence, Verdict } from "../../src/core/verdict.ts";
import { AT } from "../support/builders.ts";
import { aPrd, aStory } from "../support/stories.ts";
import { Crash } from "./crash.ts";
import { PROMISE, TASK, withStories } from "./endings.ts";
import { live, ofType, runIn, standing } from "./story-life.ts";
import { newWorld, type Scenario, type World } from "./world.ts";

const done: Pick<Scenario, "agent" | "gate"> = { agent: () => ({ message: PROMISE }), gate: () => "passed" };
const active = ({ state }: World): string => state?.stories?.active ?? "";
/** The checks are green, but for what is asked of one story. */
const redFor =
  (id: string) =>
  (world: World, { occasion }: Evidence): Verdict["result"] =>
    occasion !== "first" && active(world) === id ? "failed" : "passed";

const FIVE = aPrd([
  aStory("US-001", { priority: 3 }),
  aStory("US-002", { priority: 1, dependsOn: ["US-004"] }),
  aStory("US-003", { priority: 2 }),
  aStory("US-004", { priority: 2, checks: [{ criterion: 0, run: "npm run e2e", timeoutMs: null }] }),
  aStory("US-005", { priority: 9 }),
]);
const THREE = aPrd([aStory("US-001"), aStory("US-002", { dependsOn: ["US-001"] }), aStory("US-003")]);

const STORIES: Readonly<
  Record<string, { scenario: Scenario; ends: string; stands: Readonly<Record<string, string>> }>
> = {
  "each passes at once": {
    scenario: { ...withStories(FIVE), ...done },
    ends: "stories_passed",
    stands: { "US-001": "passed", "US-002": "passed", "US-003": "passed", "US-004": "passed", "US-005": "passed" },
  },
  "one is blocked, its work is set aside, and what depends on it waits": {
    scenario: { ...withStories(THREE), agent: () => ({ message: PROMISE }), gate: redFor("US-001") },
    ends: "stories_blocked",
    stands: { "US-001": "attempts", "US-003": "passed" },
  },
  "one is blocked, and the run ends there": {
    scenario: {
      ...withStories({ ...THREE, onBlocked: "stop" }),
      agent: () => ({ message: PROMISE }),
      gate: redFor("US-001"),
    },
    ends: "story_blocked",
    stands: { "US-001": "attempts" },
  },
  "one is to be looked at by a person": {
    scenario: { ...withStories(aPrd([aStory("US-001", { pauseAfter: true }), aStory("US-002")])), ...done },
    ends: "story_review",
    stands: { "US-001": "passed" },
  },
  "the one that was asked for": {
    scenario: { ...withStories({ ...FIVE, only: "US-005" }), ...done },
    ends: "stories_passed",
    stands: { "US-005": "passed" },
  },
  "as many as were asked for": {
    scenario: { ...withStories({ ...THREE, maxStories: 1 }), ...done },
    ends: "stories_passed",
    stands: { "US-001": "passed" },
  },
};

/** What must be so, however a run came to its end. */
function expectOneCommitEach(world: World): void {
  const passed = Object.keys(standing(world)).filter((id) => standing(world)[id] === "passed");
  expect(world.contents.flat().toSorted(), "each story that passed has its commit, and no other work is in it").toEqual(
    passed.toSorted(),
  );
  expect(world.contents.every((ids) => ids.length === 1)).toBe(true);
}

describe.each(Object.entries(STORIES))("stories: %s", (_title, { scenario, ends, stands }) => {
  it("one after the other, each in a fresh session, with one commit of its own work alone [D-02, D-08, D-14, D-17]", async () => {
    const { world, reason } = await live(scenario);
    expect([reason.kind, standing(world)]).toEqual([ends, stands]);
    expectOneCommitEach(world);
    const sessions = ofType(world, "turn_started").map(({ session }) => session);
    expect(new Set(sessions), "each iteration has a fresh session").toEqual(new Set(["fresh"]));
    expect(world.sessions.size).toBe(sessions.length);
  });

  it("killed before or after any port call and started again: the same, no story and no commit twice [D-32]", async () => {
    const { calls } = await live(scenario);
    for (let call = 0; call < calls.length; call++) {
      for (const when of ["before", "after"] as const) {
        const { world, reason } = await live(scenario, { call, when });
        const where = `crash ${when} call ${call}, ${calls[call]}`;
        expectOneCommitEach(world);
        // A run that was killed has not counted what passed: the next one is asked for as many again.
        if (scenario.prd?.maxStories === 1) continue;
        expect({ where, ends: reason.kind, stands: standing(world) }).toEqual({ where, ends, stands });
      }
    }
  });
});

test("the lowest priority number comes first, what depends on another after it, ties in the order of the file [D-16, D-45]", async () => {
  const { world } = await live({ ...withStories(FIVE), ...done });
  expect(ofType(world, "turn_started").map(({ item }) => item.id)).toEqual([
    "US-003",
    "US-004",
    "US-002",
    "US-001",
    "US-005",
  ]);
});

test.each([
  [null, [undefined, "command"]],
  ["scripted", ["scripted", "command"]],
])(
  "each turn goes to the agent of its story, else to that of the PRD, which is %s [D-41]",
  async (provider, expected) => {
    const asked: (string | undefined)[] = [];
    const prd = aPrd([aStory("US-001"), aStory("US-002", { provider: "command" })]);
    const { world } = await live({
      ...withStories({ ...prd, provider }),
      ...done,
      agent: (_, request) => {
        asked.push(request.provider);
        return { message: PROMISE };
      },
    });
    expect(asked).toEqual(expected);
    expect(ofType(world, "turn_started").map((event) => event.provider)).toEqual(expected);
  },
);

test("what a blocked story left is kept as a patch, and none of it is in another story's commit [D-23, D-26]", async () => {
  const { world } = await live({ ...withStories(THREE), agent: () => ({ message: PROMISE }), gate: redFor("US-001") });
  expect([...world.patches.values()]).toEqual([["US-001", "US-001"]]);
  expect(ofType(world, "story_shelved")).toMatchObject([{ id: "US-001", patch: [...world.patches.keys()][0] }]);
  expect(world.contents).toEqual([["US-003"]]);
});

describe("what marks a story as blocked, with its evidence", () => {
  const one = aPrd([aStory()], { storyAttempts: 5 });
  const weak = {
    since: 0,
    deleted: { count: 1, paths: ["a.test.js"] },
    emptied: NONE(),
    skipped: SKIPS(),
    changed: NONE(),
    scripts: NONE(),
  };
  test.each<[string, Partial<Scenario>, number, string]>([
    ["attempts", { gate: () => "failed" }, 5, "The check npm test failed with exit code 1. It says: 1 failed"],
    ["attempts", { gate: () => "passed" }, 5, "does not say that the story is done"],
    ["attempts", { gate: () => "passed", agent: () => ({ idle: true }) }, 5, "The agent has changed nothing"],
    ["attempts", { gate: () => "failed", agent: () => ({ fails: "timed_out" }) }, 5, "timed_out"],
    ["agent_blocked", { agent: () => ({ message: "BLOCKED: there is no key." }) }, 2, "there is no key"],
    ["question", { agent: () => ({ message: "Shall I?", idle: true }) }, 2, "Shall I?"],
    ["person", { agent: () => ({ message: "NEEDS A PERSON: create the account" }) }, 1, "create the account"],
    ["weak_proof", { gate: () => "passed", tests: () => weak, agent: () => ({ message: PROMISE }) }, 2, "deleted"],
    ["unchanged", { gate: () => "passed", agent: () => ({ message: PROMISE, idle: true }) }, 1, "changed nothing"],
  ])("%s: %j after %i turns", async (kind, scenario, turns, why) => {
    const { world, reason } = await live({ ...withStories(one), ...scenario });
    expect([reason.kind, standing(world), ofType(world, "turn_started").length]).toEqual([
      "stories_blocked",
      { "US-001": kind },
      turns,
    ]);
    expect(world.state?.stories?.records[0]?.blocked?.why).toContain(why);
    expect(world.contents).toEqual([]);
  });

  test("an idle agent in a repository whose gates are green passes no story [D-23]", async () => {
    const { world } = await live({ ...withStories(THREE), agent: () => ({ idle: true }), gate: () => "passed" });
    expect(standing(world)).toEqual({ "US-001": "attempts", "US-003": "attempts" });
    expect(world.commits).toEqual([]);
  });

  test("without a change a story passes only if each criterion names a command, without a commit [C27]", async () => {
    const checks = [{ criterion: 0, run: "npm run e2e", timeoutMs: null }];
    const prd = aPrd([aStory("US-001", { checks }), aStory("US-002", { criteria: ["a", "b"], checks })]);
    const { world } = await live({ ...withStories(prd), ...done, agent: () => ({ message: PROMISE, idle: true }) });
    expect([standing(world), world.commits]).toEqual([{ "US-001": "passed", "US-002": "unchanged" }, []]);
  });
});

function NONE() {
  return { count: 0, paths: [] };
}

function SKIPS() {
  return { count: 0, skips: [] };
}

describe("what counts as an attempt", () => {
  const one = aPrd([aStory()], { storyAttempts: 2 });

  test("a turn that kills its machine each time ends as blocked, without one more", async () => {
    const world = newWorld();
    const scenario = { ...withStories(one), gate: () => "failed" as const };
    const { calls } = await live(scenario);
    const call = calls.indexOf("provider.runTurn");
    for (let run = 0; run < 2; run++) {
      // Later runs make other calls before their turn.
      const point = { call: run === 0 ? call : await turnCall(world, scenario), when: "after" } as const;
      await expect(runIn(world, scenario, point)).rejects.toThrow(Crash);
    }
    const { reason } = await runIn(world, scenario);
    expect([reason.kind, standing(world)]).toEqual(["stories_blocked", { "US-001": "attempts" }]);
    expect(ofType(world, "turn_started").length).toBe(2);
    expect(ofType(world, "story_given_up")[0]?.story.why).toContain("cut short");
  });

  test.each(["rate_limited", "usage_limit", "transport", "auth", "sandbox_broken"] as const)(
    "%s is none",
    async (fails) => {
      const stories = withStories(one);
      const limited = { ...TASK, limits: { ...TASK.limits, maxWaitMs: 0 } };
      const task = () => stories.task?.(limited) ?? limited;
      const { world } = await live({ ...stories, task, agent: () => ({ fails }), gate: () => "failed" });
      expect(world.state?.stories?.records).toMatchObject([{ id: "US-001", attempts: 0, blocked: null }]);
    },
  );

  test("a turn that somebody stopped is none, and its story comes before more urgent ones [D-15]", async () => {
    const two = aPrd([aStory("US-001"), aStory("US-002", { priority: 2 })], { only: "US-002" });
    const { world } = await live({ ...withStories(two), request: ({ work }) => (work >= 1 ? "stop" : undefined) });
    expect(world.state?.stories?.records).toMatchObject([{ attempts: 0, state: "in_progress", blocked: null }]);
    await runIn(world, asPerson({ ...withStories({ ...two, only: null }), ...done }));
    expect(ofType(world, "turn_started").map(({ item }) => item.id)).toEqual(["US-002", "US-002", "US-001"]);
  });
});

/** The call of the next turn's stream, of a run over a copy of this world. */
async function turnCall(world: World, scenario: Scenario): Promise<number> {
  const copy = structuredClone(world);
  const { calls } = await runIn(copy, scenario);
  return calls.indexOf("provider.runTurn");
}

function rule(world: World, id: string, ruling: "accept" | "retry", words: string | null = null): void {
  const { state } = world;
  if (state === undefined) throw new Error("There is no loop.");
  const event = {
    type: "story_ruled",
    id,
    title: id,
    digest: "d",
    ruling,
    by: "ann",
    words,
    commit: null,
    at: AT,
  } as const;
  world.state = transition(state, event);
  world.events.push(event);
}

const asPerson = (scenario: Scenario): Scenario => ({
  ...scenario,
  task: (task) => ({ ...(scenario.task?.(task) ?? task), by: "person" }),
});

describe("what a person says of a story", () => {
  const red = { ...withStories(THREE), agent: () => ({ message: PROMISE }), gate: redFor("US-001") };

  test("retry: tried again from the last commit, with their words, and the rest follows", async () => {
    const { world } = await live(red);
    rule(world, "US-001", "retry", "The key is in the vault.");
    const prompts: string[] = [];
    const green: Scenario = {
      ...withStories(THREE),
      gate: () => "passed",
      agent: (_world, { prompt }) => {
        prompts.push(prompt);
        return { message: PROMISE };
      },
    };
    const { reason } = await runIn(world, asPerson(green));
    expect([reason.kind, standing(world)]).toEqual([
      "stories_passed",
      { "US-001": "passed", "US-003": "passed", "US-002": "passed" },
    ]);
    expect(prompts[0]).toContain("The key is in the vault.");
    expect(prompts[0]).toContain("taken out of the work tree");
    expect(prompts[0]).toContain("attempt 1 of 2");
    expect(prompts[1]).not.toContain("The key is in the vault.");
    expectOneCommitEach(world);
  });

  test("accept: it counts as passed, and what depends on it begins", async () => {
    const { world } = await live(red);
    rule(world, "US-001", "accept");
    const { reason } = await runIn(world, asPerson({ ...withStories(THREE), ...done }));
    expect([reason.kind, standing(world)["US-002"]]).toEqual(["stories_passed", "passed"]);
    expect(recordOf(world.state?.stories ?? { records: [] }, "US-001")?.passing).toMatchObject({
      how: "accepted",
      by: "ann",
    });
  });

  test("no counter of an attempt before is left for the one after retry", async () => {
    const one = { ...withStories(aPrd([aStory()])), agent: () => ({ message: "BLOCKED: there is no key." }) };
    const { world } = await live(one);
    expect(standing(world)).toEqual({ "US-001": "agent_blocked" });
    rule(world, "US-001", "retry");
    const before = ofType(world, "turn_started").length;
    await runIn(world, asPerson(one));
    expect(ofType(world, "turn_started").length - before, "the agent may say so twice again").toBe(2);
  });
});

test("a story after which a person wants to look is stopped at once, and never again", async () => {
  const prd = aPrd([aStory("US-001", { pauseAfter: true }), aStory("US-002"), aStory("US-003")]);
  const scenario = asPerson({ ...withStories(prd), ...done });
  const world = newWorld();
  const reasons = [(await runIn(world, scenario)).reason.kind, (await runIn(world, scenario)).reason.kind];
  expect(reasons).toEqual(["story_review", "stories_passed"]);
});

test("a PRD that was worked through goes on when it has got a new story", async () => {
  const edited = (stories: PrdTask["stories"]): Scenario => ({ ...withStories(aPrd(stories)), ...done });
  const world = newWorld();
  await runIn(world, edited([aStory("US-001")]));
  const { reason } = await runIn(world, edited([aStory("US-001"), aStory("US-002")]));
  expect([reason, standing(world)]).toMatchObject([
    { kind: "stories_passed", passed: 2, total: 2 },
    { "US-001": "passed", "US-002": "passed" },
  ]);
  expectOneCommitEach(world);
});

test("the unfinished work of a story that is gone from the PRD is out of the tree before another one begins", async () => {
  const world = newWorld();
  const first: Scenario = {
    ...withStories(aPrd([aStory("US-001")], { storyAttempts: 5 })),
    gate: () => "failed",
    request: ({ work }) => (work >= 2 ? "pause" : undefined),
  };
  await runIn(world, first);
  const { reason } = await runIn(world, asPerson({ ...withStories(aPrd([aStory("US-002")])), ...done }));
  expect([reason.kind, world.contents]).toEqual(["stories_passed", [["US-002"]]]);
  expect(standing(world)).toEqual({ "US-001": "pending", "US-002": "passed" });
});

test("commands of a story that cannot be run end the loop, which begins again with them", async () => {
  const prd = aPrd([aStory("US-001", { checks: [{ criterion: 0, run: "npm run e2e", timeoutMs: null }] })]);
  const { world, reason } = await live({
    ...withStories(prd),
    gate: (_world, { occasion }) => (occasion === "story" ? "unrunnable" : "passed"),
  });
  expect([reason.kind, ofType(world, "turn_started").length]).toEqual(["gate_unrunnable", 0]);
  await runIn(world, { ...withStories(prd), ...done });
  expect(ofType(world, "story_examined").length).toBe(1);
});

test("a story that passed by commands that were red before it began says how many criteria that proves", async () => {
  const checks = [0, 2].map((criterion) => ({ criterion, run: `npm run e2e:${criterion}`, timeoutMs: null }));
  const prd = aPrd([aStory("US-001", { criteria: ["a", "b", "c"], checks })]);
  const gate = ({ work }: World): Verdict["result"] => (work === 0 ? "failed" : "passed");
  const { world } = await live({ ...withStories(prd), ...done, gate });
  expect(world.state?.stories?.records[0]?.passing).toMatchObject({ how: "proved", proved: 2, criteria: 3 });
});

describe("a second run, killed before or after any port call and started again, comes to the same [D-32]", () => {
  const blockedFirst: Scenario = { ...withStories(THREE), agent: () => ({ message: PROMISE }), gate: redFor("US-001") };
  const renamed = aPrd([aStory("US-002"), aStory("US-004")]);
  test.each<[string, Scenario, Readonly<Record<string, string>>]>([
    ["after retry", { ...withStories(THREE), ...done }, { "US-001": "passed", "US-003": "passed", "US-002": "passed" }],
    [
      "over an edited PRD",
      { ...withStories(renamed), ...done },
      { "US-001": "pending", "US-003": "passed", "US-002": "passed", "US-004": "passed" },
    ],
  ])("%s", async (_title, scenario, stands) => {
    const begin = async (): Promise<World> => {
      const { world } = await live(blockedFirst);
      rule(world, "US-001", "retry");
      return world;
    };
    const second = asPerson(scenario);
    const { calls } = await runIn(await begin(), second);
    for (let call = 0; call < calls.length; call++) {
      for (const when of ["before", "after"] as const) {
        const world = await begin();
        await runIn(world, second, { call, when }).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        const reason =
          world.state?.status === "running" ? (await runIn(world, second)).reason : world.state?.stop_reason;
        const where = `crash ${when} call ${call}, ${calls[call]}`;
        // Killed before anything was written, the state still says how the first run ended.
        const ends = reason?.kind === "stories_blocked" ? (await runIn(world, second)).reason.kind : reason?.kind;
        expect({ where, ends, stands: standing(world) }).toEqual({ where, ends: "stories_passed", stands });
        expectOneCommitEach(world);
      }
    }
  });
});
