import { describe, expect, test } from "vitest";
import {
  accepted,
  beginWave,
  blocked,
  closed,
  editedStories,
  emptyLedger,
  entryOf,
  howPassed,
  landed,
  obeyed,
  type Ledger,
  LEDGER_LIMIT,
  ledgerText,
  nextWave,
  parseLedger,
  reconciled,
  retried,
  sentBack,
  storiesBefore,
  tokensOfStory,
  withLost,
} from "../../../src/core/story/ledger.ts";
import { isPrdName, type Prd } from "../../../src/core/story/story.ts";
import {
  branchOfLoop,
  branchOfPrd,
  ledgerRef,
  loopsOfTake,
  storyOfBranch,
} from "../../../src/core/story/wave-names.ts";

const COMMIT = "a".repeat(40);
const NEW = emptyLedger("shop");
const AT = { commit: COMMIT, run: 7, begun_at: "2026-03-01T12:00:00.000+00:00" };
const BACK = { attempts: 1, most: 3, feedback: "It does not fit.", paths: ["src/a.ts"] };

function begun(ledger: Ledger = NEW): Ledger {
  return beginWave(ledger, [{ id: "US-001", candidates: 1 }], AT);
}

describe("what becomes of a story", () => {
  test("one that begins is in progress, and the wave says which take it is of", () => {
    const ledger = begun();
    expect(ledger).toMatchObject({ revision: 1, stories: { "US-001": { state: "in_progress", take: 1 } } });
    expect(ledger.wave).toEqual({
      ...{ ...AT, number: 1, is_open: true, next: null },
      stories: [{ story: "US-001", take: 1, candidates: 1 }],
    });
    expect(entryOf(ledger, "US-002")).toMatchObject({ state: "pending", attempts: 0, take: 1 });
  });

  test("one that has landed is passed, with its commit", () => {
    const entry = entryOf(landed(sentBack(begun(), "US-001", BACK), "US-001", COMMIT), "US-001");
    expect(entry).toMatchObject({ state: "passed", passed: "proved", commit: COMMIT, feedback: null });
  });

  test("one that is sent back gets another take, its attempt counts, and its files are known from then on", () => {
    const ledger = sentBack(sentBack(begun(), "US-001", BACK), "US-001", { ...BACK, paths: ["src/b.ts", "src/a.ts"] });
    expect(entryOf(ledger, "US-001")).toMatchObject({
      ...{ state: "pending", attempts: 2, take: 3, blocked: null },
      ...{ feedback: "It does not fit.", paths: ["src/a.ts", "src/b.ts"] },
    });
  });

  test("its attempts used up, it waits for a person", () => {
    const ledger = sentBack(begun(), "US-001", { ...BACK, attempts: 3 });
    expect(entryOf(ledger, "US-001")).toMatchObject({
      state: "pending",
      blocked: "Its 3 attempts are used up. It does not fit.",
    });
  });

  test("what is remembered is bounded", () => {
    const paths = Array.from({ length: 300 }, (_, at) => `src/${at}.ts`);
    const entry = entryOf(sentBack(NEW, "US-001", { ...BACK, feedback: "x".repeat(9_000), paths }), "US-001");
    expect([entry.paths.length, entry.feedback?.length]).toEqual([100, 4_096]);
  });

  test("two thousand stories with all that is remembered of them fit", () => {
    const paths = Array.from({ length: 100 }, (_, at) => `packages/shop/src/checkout/payment/step-${at}.test.ts`);
    const full = entryOf(sentBack(NEW, "US-001", { ...BACK, feedback: "é".repeat(4_096), paths }), "US-001");
    const stories = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`US-${1_000 + at}`, full]));
    expect(Buffer.byteLength(ledgerText({ ...NEW, stories }))).toBeLessThan(LEDGER_LIMIT);
  });

  test("a person lets a blocked one try again, with or without words", () => {
    const stuck = blocked(begun(), "US-001", 2, "It asks which colour.");
    expect(entryOf(stuck, "US-001")).toMatchObject({ state: "pending", attempts: 2, blocked: "It asks which colour." });
    expect(entryOf(retried(stuck, "US-001", "Blue."), "US-001")).toMatchObject({
      ...{ state: "pending", attempts: 0, take: 3, blocked: null, words: "Blue." },
    });
    expect(entryOf(retried(stuck, "US-001", ""), "US-001")).toMatchObject({ blocked: null, words: null });
  });

  test("a person accepts one as it is", () => {
    const ledger = accepted(blocked(begun(), "US-001", 2, "It asks."), "US-001", "wendy", "d1");
    expect(entryOf(ledger, "US-001")).toMatchObject({
      ...{ state: "passed", passed: "accepted", commit: null, accepted_by: "wendy", digest: "d1" },
    });
    expect(entryOf(accepted(NEW, "US-001", null, "d1"), "US-001")).not.toHaveProperty("accepted_by");
  });
});

test("waves are numbered on, and idle ones in a row are counted", () => {
  const once = closed(begun());
  expect(once).toMatchObject({ idle_waves: 1, wave: { number: 1, is_open: false } });
  const twice = closed(begun(once));
  expect(twice).toMatchObject({ idle_waves: 2, wave: { number: 2 } });
  const third = begun(twice);
  expect(closed(sentBack(third, "US-001", BACK))).toMatchObject({ idle_waves: 0, wave: { number: 3 } });
  expect(closed(landed(third, "US-001", COMMIT))).toMatchObject({ idle_waves: 0, wave: { number: 3 } });
  expect(closed(NEW).wave).toBeNull();
});

test("whether the next wave was asked for is remembered with the last one", () => {
  expect(nextWave(closed(begun()), "due").wave).toMatchObject({ is_open: false, next: "due" });
  expect(nextWave(NEW, "due").wave).toBeNull();
  expect(beginWave(nextWave(closed(begun()), "asked"), [], AT).wave).toMatchObject({ number: 2, next: null });
});

test("a request that was obeyed is remembered", () => {
  expect(obeyed(NEW, "comment:7")).toMatchObject({ revision: 1, obeyed: "comment:7" });
});

describe("what the planner is told", () => {
  const prd = (passes: boolean): Prd => ({
    ...{ name: "shop", folder: "", project: "", description: "", branchName: null, provider: null },
    stories: [
      {
        ...{ id: "US-001", title: "", description: "", criteria: ["a"], checks: [], priority: 1, dependsOn: [] },
        ...{ paths: null, provider: null, attempts: 1, pauseAfter: false, passes },
      },
    ],
  });
  const DONE = landed(begun(), "US-001", COMMIT);

  const BY_HAND = accepted(NEW, "US-001", "me", "d");

  test.each([
    ["what nothing has happened to is pending", NEW, false, "pending", null],
    ["what the file calls passed is, and nobody knows how", NEW, true, "passed", "taken_over"],
    ["so is what is worked on while its file says so", begun(), true, "passed", "taken_over"],
    ["what has landed is passed before its file is on the base", DONE, false, "passed", "proved"],
    ["what a person accepted is passed", BY_HAND, false, "passed", "accepted"],
    ["what a person reopens is pending, whatever its file says", retried(DONE, "US-001", ""), true, "pending", null],
    ["what was begun goes on", begun(), false, "in_progress", null],
  ] as const)("%s", (_title, ledger, passes, state, how) => {
    const { stories } = prd(passes);
    expect(storiesBefore(ledger, prd(passes)).get("US-001")).toMatchObject({ state, blocked: false });
    expect(stories.map((story) => howPassed(ledger, story))).toEqual([how]);
  });

  test("a ledger that says passed, and not how, is taken over as it is", () => {
    const unsaid = { ...DONE, stories: { "US-001": { ...entryOf(DONE, "US-001"), passed: null } } };
    expect(howPassed(unsaid, { id: "US-001", passes: false })).toBe("taken_over");
  });

  test.each([
    ["lost with its branch", DONE, false, [], { state: "pending", take: 2, attempts: 0, passed: null, commit: null }],
    ["merged, and its branch gone", DONE, true, [], { state: "passed", take: 1, commit: COMMIT }],
    ["on the branch", DONE, false, [COMMIT], { state: "passed", take: 1, commit: COMMIT }],
    ["accepted without a commit", BY_HAND, false, [], { state: "passed", passed: "accepted" }],
    ["being worked on", begun(), false, [], { state: "in_progress", take: 1 }],
  ] as const)("git decides of a story that is %s", (_title, ledger, passes, held, entry) => {
    const now = reconciled(ledger, prd(passes), new Set(held));
    expect(entryOf(now, "US-001")).toMatchObject(entry);
    expect(now === ledger).toBe(entry.state !== "pending");
  });

  test("a passed story that says something else since is named, once it is known what it said", () => {
    const landedAs = (digest: string | null) => landed(NEW, "US-001", COMMIT, { tokens: null, proved: 1, digest });
    const now = [{ id: "US-001", digest: "new" }];
    expect(editedStories(landedAs("old"), now)).toEqual(["US-001"]);
    expect(editedStories(landedAs("new"), now)).toEqual([]);
    expect(editedStories(landedAs(null), now)).toEqual([]);
    expect(editedStories(retried(landedAs("old"), "US-001", ""), now)).toEqual([]);
  });

  test("a blocked story is told as one, with the files that it has changed", () => {
    const ledger = sentBack(begun(), "US-001", { ...BACK, attempts: 3 });
    expect(storiesBefore(ledger, prd(false)).get("US-001")).toEqual({
      ...{ state: "pending", blocked: true, paths: ["src/a.ts"] },
    });
  });
});

describe("a ledger as text", () => {
  test("is read as it was written, with what a later version has added", () => {
    const ledger = { ...landed(begun(), "US-001", COMMIT), later: 1 };
    expect(parseLedger(ledgerText(ledger), "shop")).toEqual({ ok: true, value: ledger });
  });

  test.each([
    ["no JSON", "{"],
    ["a later schema", JSON.stringify({ ...NEW, schema: 2 })],
    ["a story that is none", JSON.stringify({ ...NEW, stories: { __proto__: null, "../x": entryOf(NEW, "US-001") } })],
    ["a commit that is none", JSON.stringify(landed(NEW, "US-001", "--upload-pack=x"))],
    ["another PRD's", ledgerText(emptyLedger("other"))],
  ])("is refused: %s", (_title, text) => {
    expect(parseLedger(text, "shop").ok).toBe(false);
  });
});

describe("names that follow from PRD, story and take", () => {
  test("every candidate has a loop of its own", () => {
    const take = { story: "US-001", take: 2, candidates: 1 };
    expect(loopsOfTake("shop", take)).toEqual(["prd-shop.us-001.2"]);
    expect(loopsOfTake("shop", { ...take, candidates: 2 })).toEqual(["prd-shop.us-001.2-1", "prd-shop.us-001.2-2"]);
  });

  test("a story is known by the branch of its loop", () => {
    expect(storyOfBranch(branchOfLoop("prd-shop.us-001.2-1"))).toEqual({ prd: "shop", story: "US-001" });
    expect([storyOfBranch("smithers/demo"), storyOfBranch("prd-shop.us-001.2")]).toEqual([null, null]);
  });

  test.each(["x.us-001.1", "x.US-001.12-3"])("no PRD is called %s, like a story's loop", (name) => {
    expect(isPrdName(name)).toBe(false);
  });

  test("the PRD names its branch, or has one by its name", () => {
    expect(branchOfPrd({ name: "shop", branchName: "feature/shop" })).toBe("feature/shop");
    expect(branchOfPrd({ name: "shop", branchName: null })).toBe("smithers/prd-shop");
    expect(ledgerRef("shop")).toBe("refs/smithers-prd/shop");
  });
});

test("what a story costs is the mean of those that have landed and are known", () => {
  expect(tokensOfStory(NEW)).toBeNull();
  expect(tokensOfStory(landed(NEW, "US-001", COMMIT))).toBeNull();
  const used = (tokens: number) => ({ tokens, proved: 1, digest: null });
  const one = landed(NEW, "US-001", COMMIT, used(100));
  const two = landed(landed(one, "US-002", COMMIT, used(301)), "US-003", COMMIT);
  expect(tokensOfStory(two)).toEqual({ mean: 201, of: 2 });
  expect(parseLedger(ledgerText(two), "shop")).toEqual({ ok: true, value: two });
});

test("candidates that have lost are remembered, bounded, until the story begins again", () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ candidate: at + 1, why: "x".repeat(1_000) }));
  const ledger = withLost(begun(), "US-001", many);
  const { lost = [] } = entryOf(ledger, "US-001");
  expect([lost.length, lost[0]]).toEqual([256, { candidate: 1, why: "x".repeat(300) }]);
  expect(parseLedger(ledgerText(ledger), "shop")).toEqual({ ok: true, value: ledger });
  expect(withLost(ledger, "US-001", [])).toBe(ledger);
  expect(entryOf(begun(closed(ledger)), "US-001").lost).toEqual([]);
});
