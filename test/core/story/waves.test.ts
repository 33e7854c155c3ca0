import { describe, expect, test } from "vitest";
import type { Story } from "../../../src/core/story/story.ts";
import { planWave, type StoryBefore, type WaveQuestion } from "../../../src/core/story/waves.ts";

/** `1` is US-001; without `dependsOn` it says that it depends on nothing. */
function aStory(number: number, said: Partial<Story> = {}): Story {
  const id = idOf(number);
  return {
    ...{ id, title: `Story ${number}`, description: "", criteria: ["It works."], checks: [], priority: number },
    ...{ dependsOn: [], paths: null, provider: null, attempts: 1, pauseAfter: false, passes: false },
    ...said,
  };
}

function idOf(number: number): string {
  return `US-${String(number).padStart(3, "0")}`;
}

const PASSED: StoryBefore = { state: "passed", blocked: false, paths: [] };
const BLOCKED: StoryBefore = { state: "pending", blocked: true, paths: [] };
const BEGUN: StoryBefore = { state: "in_progress", blocked: false, paths: [] };

function plan(stories: readonly Story[], rest: Partial<Omit<WaveQuestion, "before">> & { before?: object } = {}) {
  const { before = {}, ...others } = rest;
  const known = new Map<string, StoryBefore>(Object.entries(before));
  return planWave({ stories, waveSize: 20, only: null, ...others, before: known });
}

/** The wave's stories, and why each other one waits. */
function told(...asked: Parameters<typeof plan>) {
  const { stories, waiting } = plan(...asked);
  return { wave: stories.map(({ id }) => id), why: Object.fromEntries(waiting.map(({ id, why }) => [id, why])) };
}

const UNSAID = { dependsOn: null };

describe("which stories share a wave", () => {
  const cases: readonly [
    title: string,
    asked: Parameters<typeof plan>,
    wave: string[],
    why: Record<string, unknown>,
  ][] = [
    ["nothing is left of no stories", [[]], [], {}],
    ["all that depend on nothing run side by side", [[aStory(1), aStory(2)]], ["US-001", "US-002"], {}],
    [
      "what has passed is in no wave and waits for nothing",
      [[aStory(1), aStory(2)], { before: { "US-001": PASSED } }],
      ["US-002"],
      {},
    ],
    [
      "what a story depends on has to have landed",
      [[aStory(1), aStory(2, { dependsOn: ["US-001"] })]],
      ["US-001"],
      { "US-002": "It depends on US-001, which has not landed." },
    ],
    [
      "it begins when that has landed",
      [[aStory(1), aStory(2, { dependsOn: ["US-001"] })], { before: { "US-001": PASSED } }],
      ["US-002"],
      {},
    ],
    [
      "of many that it depends on, a few are named",
      [[...[1, 2, 3, 4, 5, 6, 7].map((n) => aStory(n)), aStory(8, { dependsOn: [1, 2, 3, 4, 5, 6, 7].map(idOf) })]],
      [1, 2, 3, 4, 5, 6, 7].map(idOf),
      { "US-008": "It depends on US-001, US-002, US-003, US-004, US-005 and 2 more, which have not landed." },
    ],
    [
      "a blocked story waits for a person, and what depends on it waits for it",
      [[aStory(1), aStory(2, { dependsOn: ["US-001"] }), aStory(3)], { before: { "US-001": BLOCKED } }],
      ["US-003"],
      { "US-001": "It is blocked, and waits for a person.", "US-002": expect.stringContaining("depends on US-001") },
    ],
    [
      "a story that does not say what it depends on shares its wave with no other",
      [[aStory(1, UNSAID), aStory(2)]],
      ["US-001"],
      { "US-002": "US-001 does not say what it depends on, so it shares no wave." },
    ],
    [
      "it lets those go first that come first",
      [[aStory(1), aStory(2), aStory(3, { ...UNSAID, priority: 1 })]],
      ["US-001", "US-002"],
      { "US-003": "It does not say what it depends on, so it shares no wave; US-001 comes first." },
    ],
    [
      "it begins only when all lower priority numbers have landed",
      [[aStory(1), aStory(2, UNSAID)]],
      ["US-001"],
      {
        "US-002": expect.stringContaining(
          "when all stories of lower priority numbers have landed or are blocked; one of 1 is left",
        ),
      },
    ],
    [
      "a lower priority number that is blocked does not hold it up",
      [[aStory(1), aStory(2, UNSAID)], { before: { "US-001": BLOCKED } }],
      ["US-002"],
      { "US-001": "It is blocked, and waits for a person." },
    ],
    [
      "a lower priority number that only waits does",
      [[aStory(1, { dependsOn: ["US-003"] }), aStory(2, UNSAID), aStory(3)]],
      ["US-003"],
      { "US-001": expect.any(String), "US-002": expect.stringContaining("one of 1 is left") },
    ],
    [
      "stories whose paths meet are put in different waves",
      [[aStory(1, { paths: ["src/a/**"] }), aStory(2, { paths: ["src/**/x.ts"] }), aStory(3, { paths: ["docs/**"] })]],
      ["US-001", "US-003"],
      { "US-002": "It may change files that US-001 changes." },
    ],
    [
      "files that a story was seen to change count as its paths",
      [
        [aStory(1, { paths: ["src/a/**"] }), aStory(2)],
        { before: { "US-002": { state: "pending", blocked: false, paths: ["src/a/[id].ts"] } } },
      ],
      ["US-001"],
      { "US-002": "It may change files that US-001 changes." },
    ],
    [
      "a story without paths runs beside others",
      [[aStory(1, { paths: ["src/**"] }), aStory(2)]],
      ["US-001", "US-002"],
      {},
    ],
    [
      "the lowest priority number comes first, ties by the order of the file",
      [[aStory(3, { priority: 2 }), aStory(1, { priority: 2 }), aStory(2, { priority: 1 })]],
      ["US-002", "US-003", "US-001"],
      {},
    ],
    [
      "what was begun comes before that",
      [[aStory(1), aStory(2)], { waveSize: 1, before: { "US-002": BEGUN } }],
      ["US-002"],
      { "US-001": "The wave has its 1 story." },
    ],
    [
      "what exceeds the size of a wave waits for the next one",
      [[aStory(1), aStory(2), aStory(3)], { waveSize: 2 }],
      ["US-001", "US-002"],
      { "US-003": "The wave has its 2 stories." },
    ],
    [
      "nothing begins beside a story after which a person looks, unless it comes before",
      [[aStory(1), aStory(2, { pauseAfter: true }), aStory(3)]],
      ["US-001", "US-002"],
      { "US-003": "A person looks at US-002 first." },
    ],
    [
      "a story that a person names runs alone, whatever its priority",
      [[aStory(1), aStory(2, UNSAID), aStory(3)], { only: "US-002" }],
      ["US-002"],
      { "US-001": "This run is for US-002 alone.", "US-003": "This run is for US-002 alone." },
    ],
    [
      "it waits for what it depends on all the same",
      [[aStory(1), aStory(2, { dependsOn: ["US-001"] })], { only: "US-002" }],
      [],
      { "US-001": "This run is for US-002 alone.", "US-002": "It depends on US-001, which has not landed." },
    ],
  ];

  test.each(cases)("%s", (_title, asked, wave, why) => {
    expect(told(...asked)).toEqual({ wave, why });
  });
});

describe("how many jobs a wave has", () => {
  test("the candidates of all its stories together are at most 256, and a smaller story may fill it up", () => {
    const stories = [aStory(1, { attempts: 250 }), aStory(2, { attempts: 7 }), aStory(3, { attempts: 6 })];
    const { stories: chosen, waiting } = plan(stories);
    expect(chosen).toEqual([
      { id: "US-001", candidates: 250 },
      { id: "US-003", candidates: 6 },
    ]);
    expect(waiting).toEqual([{ id: "US-002", why: "The wave has 250 of 256 jobs, and it takes 7." }]);
  });

  test("a story of more candidates than a matrix has jobs is not left behind for ever", () => {
    expect(plan([aStory(1, { attempts: 300 })]).stories).toEqual([{ id: "US-001", candidates: 256 }]);
  });

  test.each([0, 1, 256, 257])("%s stories that may all run at once", (number) => {
    const { stories, waiting } = plan(
      Array.from({ length: number }, (_, at) => aStory(at + 1)),
      { waveSize: 256 },
    );
    expect([stories.length, waiting.length]).toEqual(number === 257 ? [256, 1] : [number, 0]);
  });
});

describe("what the plan foresees", () => {
  test("waves are counted as if every story passed at once", () => {
    const stories = [aStory(1), aStory(2, { dependsOn: ["US-001"] }), aStory(3, UNSAID), aStory(4)];
    expect(plan(stories).waves).toEqual({ atLeast: 3, more: false });
    expect(plan([]).waves).toEqual({ atLeast: 0, more: false });
  });

  test("what waits for a person is not counted", () => {
    const stories = [aStory(1), aStory(2, { dependsOn: ["US-001"] }), aStory(3)];
    expect(plan(stories, { before: { "US-001": BLOCKED } }).waves).toEqual({ atLeast: 1, more: false });
  });

  test("it looks fifty waves ahead and says that there are more", () => {
    const stories = (number: number) => Array.from({ length: number }, (_, at) => aStory(at + 1, UNSAID));
    expect(plan(stories(50)).waves).toEqual({ atLeast: 50, more: false });
    expect(plan(stories(51)).waves).toEqual({ atLeast: 50, more: true });
  });

  test("writes are counted for each job and for the closing, and none for an empty wave", () => {
    expect(plan([]).writes).toEqual({
      ...{ branches: 0, pullRequests: 0, comments: 0, statuses: 0, changes: 0, pushes: 0 },
    });
    expect(plan([aStory(1, { attempts: 2 })]).writes).toEqual({
      ...{ branches: 3, pullRequests: 3, comments: 3, statuses: 2, changes: 7, pushes: 23 },
    });
  });

  test.each([
    [26, 0],
    [27, 1],
    [166, 6],
    [167, 60],
    [256, 60],
  ])("%s jobs wait for %s minutes by the limits of GitHub", (attempts, minutes) => {
    expect(plan([aStory(1, { attempts })]).waitMinutes).toBe(minutes);
  });
});

describe("a plan of a thousand stories", () => {
  const thousand = (said: (at: number) => Partial<Story>) =>
    Array.from({ length: 1_000 }, (_, at) => aStory(at + 1, { priority: (at % 7) + 1, ...said(at) }));

  test.each([
    ["that nothing holds up", thousand(() => ({}))],
    ["each with paths of its own", thousand((at) => ({ paths: [`src/m${at}/**`, `test/m${at}/*.ts`] }))],
    ["that all meet", thousand(() => ({ paths: ["src/**"] }))],
    ["each depending on the one before", thousand((at) => ({ dependsOn: at === 0 ? [] : [idOf(at)] }))],
    ["that do not say what they depend on", thousand(() => UNSAID)],
  ])("%s is the same each time and soon made", (_name, stories) => {
    const first = plan(stories);
    const began = performance.now();
    expect(plan(stories)).toEqual(first);
    // It takes 25 ms on a machine of its own. What would be forgotten to be remembered takes a minute.
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(first.stories.length + first.waiting.length).toBe(1_000);
  });
});
