import { describe, expect, test } from "vitest";
import {
  accepted,
  beginWave,
  blocked,
  closed,
  emptyLedger,
  entryOf,
  landed,
  obeyed,
  type Ledger,
  ledgerText,
  nextWave,
  parseLedger,
  retried,
  sentBack,
  storiesBefore,
  tokensOfStory,
} from "../../../src/core/story/ledger.ts";
import { isPrdName, type Prd } from "../../../src/core/story/story.ts";
import { branchOfPrd, ledgerRef, loopsOfTake } from "../../../src/core/story/wave-names.ts";

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
    expect(entryOf(ledger, "US-001")).toMatchObject({ state: "pending", blocked: "Its 3 attempts are used up." });
  });

  test("what is remembered is bounded", () => {
    const paths = Array.from({ length: 300 }, (_, at) => `src/${at}.ts`);
    const entry = entryOf(sentBack(NEW, "US-001", { ...BACK, feedback: "x".repeat(9_000), paths }), "US-001");
    expect([entry.paths.length, entry.feedback?.length]).toEqual([100, 4_096]);
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
    const ledger = accepted(blocked(begun(), "US-001", 2, "It asks."), "US-001");
    expect(entryOf(ledger, "US-001")).toMatchObject({ state: "passed", passed: "accepted", commit: null });
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

  test.each([
    ["what nothing has happened to is pending", NEW, false, false, "pending"],
    ["what the file calls passed is, whoever wrote it", NEW, true, false, "passed"],
    ["what has landed is passed before its file is on the base", DONE, false, false, "passed"],
    ["with the branch gone, the file on the base decides: landed nowhere", DONE, false, true, "pending"],
    ["with the branch gone, the file on the base decides: merged", DONE, true, true, "passed"],
    ["what a person accepted stays so without the branch", accepted(NEW, "US-001"), false, true, "passed"],
    ["what a person reopens is pending, whatever its file says", retried(DONE, "US-001", ""), true, false, "pending"],
    ["what was begun goes on", begun(), false, true, "in_progress"],
  ] as const)("%s", (_title, ledger, passes, isMerged, state) => {
    const before = storiesBefore(ledger, prd(passes), isMerged);
    expect(before.get("US-001")).toMatchObject({ state, blocked: false });
  });

  test("a blocked story is told as one, with the files that it has changed", () => {
    const ledger = sentBack(begun(), "US-001", { ...BACK, attempts: 3 });
    expect(storiesBefore(ledger, prd(false), false).get("US-001")).toEqual({
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
  const used = (tokens: number) => ({ tokens, proved: 1 });
  const one = landed(NEW, "US-001", COMMIT, used(100));
  const two = landed(landed(one, "US-002", COMMIT, used(301)), "US-003", COMMIT);
  expect(tokensOfStory(two)).toEqual({ mean: 201, of: 2 });
  expect(parseLedger(ledgerText(two), "shop")).toEqual({ ok: true, value: two });
});
