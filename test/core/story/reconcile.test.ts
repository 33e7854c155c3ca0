import { expect, test } from "vitest";
import { storyNews } from "../../../src/core/story/news.ts";
import { type Passing, reconcile, type StoriesRead, type StoryRecord } from "../../../src/core/story/stories.ts";
import { AT } from "../../support/builders.ts";
import { aBlockedRecord, aPassedRecord, aRecord, someStories } from "../../support/stories.ts";

type Read = StoriesRead["stories"][number];

const READ: Read = { id: "US-001", title: "Story US-001", digest: "d", passes: false };
const TAKEN: Passing = { how: "taken_over", commit: null, by: null, at: AT, proved: 0, criteria: 0 };
const HELD = ["c-US-001"];

interface Row {
  readonly title: string;
  /** undefined: nothing has happened to the story */
  readonly record?: StoryRecord;
  /** null: the document has it no more */
  readonly read?: Partial<Read> | null;
  readonly held?: readonly string[];
  /** undefined: it has no record */
  readonly becomes?: object;
  readonly news?: string;
}

const ROWS: readonly Row[] = [
  { title: "a new story is pending", read: {} },
  {
    title: "what only the file calls passed is taken over, not proved",
    read: { passes: true },
    becomes: { state: "passed", passing: TAKEN },
    news: "is taken as passed because prd.json says so",
  },
  {
    title: "so is a pending story that a person has done by hand",
    record: aBlockedRecord("US-001"),
    read: { passes: true, digest: "e" },
    becomes: { state: "passed", blocked: null, passing: TAKEN, digest: "e" },
    news: "is taken as passed",
  },
  {
    title: "what was taken over stays so, and is not told again",
    record: aPassedRecord("US-001", TAKEN),
    read: { passes: true },
    becomes: aPassedRecord("US-001", TAKEN),
  },
  {
    title: "what was taken over and is not called passed any more is pending: the file was its only witness",
    record: aPassedRecord("US-001", TAKEN),
    becomes: aRecord("US-001"),
    news: "it is pending again",
  },
  {
    title: "a passed story whose commit the branch holds stays passed, whatever the file says",
    record: aPassedRecord("US-001"),
    held: HELD,
    becomes: aPassedRecord("US-001"),
  },
  {
    title: "so does one for which nothing had to be changed",
    record: aPassedRecord("US-001", { commit: null }),
    becomes: aPassedRecord("US-001", { commit: null }),
  },
  {
    title: "after a squash merge the file says that it has passed",
    record: aPassedRecord("US-001"),
    read: { passes: true },
    becomes: { ...aPassedRecord("US-001"), passing: TAKEN },
    news: "is taken as passed",
  },
  {
    title: "a passed story whose commit is lost, and that the file does not call passed, is pending again",
    record: aPassedRecord("US-001"),
    becomes: aRecord("US-001"),
    news: "it is pending again",
  },
  {
    title: "a passed story that says something else now is named and waits",
    record: aPassedRecord("US-001"),
    held: HELD,
    read: { digest: "e", passes: true },
    becomes: aPassedRecord("US-001", {}, { changed: true }),
    news: "US-001 Story US-001 has passed and says something else now: retry US-001 to have it done again.",
  },
  {
    title: "one that says again what it said is not",
    record: aPassedRecord("US-001", {}, { changed: true }),
    held: HELD,
    read: { passes: true },
    becomes: aPassedRecord("US-001"),
  },
  {
    title: "a blocked story that was edited is tried again, with attempts of its own",
    record: aBlockedRecord("US-001"),
    read: { digest: "e" },
    becomes: aRecord("US-001", { digest: "e" }),
    news: "was blocked and says something else now",
  },
  {
    title: "a blocked story that was not edited waits for its person",
    record: aBlockedRecord("US-001"),
    becomes: aBlockedRecord("US-001"),
  },
  {
    title: "of the story that is worked on, passes in the file is what the loop wrote before it died",
    record: aRecord("US-001", { state: "in_progress", attempts: 1 }),
    read: { passes: true },
    becomes: aRecord("US-001", { state: "in_progress", attempts: 1 }),
  },
  {
    title: "a new title is a new text, and is shown",
    record: aRecord("US-001", { state: "in_progress", attempts: 1 }),
    read: { title: "Pay by card", digest: "e" },
    becomes: aRecord("US-001", { state: "in_progress", title: "Pay by card", digest: "e" }),
  },
  {
    title: "a story that is gone keeps its record, and is not in progress",
    record: aRecord("US-001", { state: "in_progress", attempts: 1 }),
    read: null,
    becomes: aRecord("US-001", { attempts: 1, gone: true }),
    news: "is not in the PRD any more",
  },
  {
    title: "one that is gone and has passed stays passed",
    record: aPassedRecord("US-001"),
    read: null,
    becomes: aPassedRecord("US-001", {}, { gone: true }),
    news: "is not in the PRD any more",
  },
  {
    title: "one that was gone before is not told again",
    record: aRecord("US-001", { gone: true }),
    read: null,
    becomes: aRecord("US-001", { gone: true }),
  },
  {
    title: "one that came back goes on where it was",
    record: aBlockedRecord("US-001"),
    read: {},
    becomes: aBlockedRecord("US-001"),
  },
  {
    title: "and is told",
    record: aRecord("US-001", { attempts: 1, gone: true }),
    becomes: aRecord("US-001", { attempts: 1 }),
    news: "is in the PRD again",
  },
];

test.each(ROWS)("$title [C27, D-32]", ({ record, read = {}, held = [], becomes, news }) => {
  const known = record === undefined ? null : someStories([record]);
  const stories = read === null ? [] : [{ ...READ, ...read }];
  const after = reconcile(known, { prd: "shop", stories, held }, AT);
  expect(after.records).toMatchObject(becomes === undefined ? [] : [becomes]);
  const told = storyNews(known, { ...after, total: known?.total ?? after.total });
  expect(told.map((text) => (news !== undefined && text.includes(news) ? news : text))).toEqual(
    news === undefined ? [] : [news],
  );
});

test("a run begins with no story passed in it, and knows whose work is in the work tree, also of one that is gone", () => {
  const known = someStories([aRecord("US-002", { state: "in_progress" })], { active: "US-002", passed_in_run: 3 });
  const after = reconcile(known, { prd: "shop", stories: [READ], held: [] }, AT);
  expect(after).toMatchObject({ total: 1, active: "US-002", passed_in_run: 0 });
});

test("the branch is the one that the last run began on; where there is none, none is kept", () => {
  const read = { prd: "shop", stories: [], held: [] };
  const begun = reconcile(null, { ...read, branch: "prd/shop" }, "at");
  expect(begun.branch).toBe("prd/shop");
  expect(reconcile(begun, { ...read, branch: "main" }, "at").branch).toBe("main");
  expect(reconcile(begun, read, "at")).not.toHaveProperty("branch");
});

test("news of a whole PRD is bounded, names what it can, and shows no title's tricks", () => {
  const records = Array.from({ length: 30 }, (_, n) => aRecord(`US-${100 + n}`, { title: "a\n\u001B[31mtitle\u202E" }));
  const after = reconcile(someStories(records), { prd: "shop", stories: [READ, READ], held: [] }, AT);
  const news = storyNews(someStories(records), after);
  expect(news).toHaveLength(22);
  expect(news[0]).toBe("The PRD shop has 2 stories now; it had 30.");
  expect(news[1]).toContain("US-100 a title is not in the PRD any more");
  expect(news.at(-1)).toBe("… and 10 more stories are not as they were.");
});
