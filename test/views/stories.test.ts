import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { StoriesRead } from "../../src/core/story/stories.ts";
import { eventLines } from "../../src/views/event-lines.ts";
import { isReady } from "../../src/views/github/facts.ts";
import { jobSummary } from "../../src/views/github/job-summary.ts";
import { nextOnPullRequest } from "../../src/views/github/outcome.ts";
import { pullRequestText } from "../../src/views/github/pull-request.ts";
import { statusReply } from "../../src/views/github/relay-reply.ts";
import { finalComment, statusComment } from "../../src/views/github/status-comment.ts";
import { markdown } from "../../src/views/github/markdown.ts";
import { storyBlocks } from "../../src/views/github/stories.ts";
import { beginLive, heartbeat, liveFrame, reportLive } from "../../src/views/live.ts";
import { LOOPR_LAYOUT } from "../../src/views/projections/loopr.ts";
import { resultOf } from "../../src/views/result.ts";
import { nextStep, rulingByComment, type RunView } from "../../src/views/run-view.ts";
import { summary } from "../../src/views/summary.ts";
import { aRedCheck, aVerdict } from "../support/builders.ts";
import { aState, aView, started, turnStarted } from "./a-state.ts";
import { nodesOf } from "./markdown-kinds.ts";
import { CHECKED, ended, someFacts } from "./publication-facts.ts";
import { aPrd, aRecord, aStory, blocked, EACH, known, passed } from "./some-stories.ts";

const BLOCKED: StopReason = {
  kind: "stories_blocked",
  stories: [{ id: "US-005", why: "Which provider?" }],
  blocked: 1,
  waiting: 1,
};
const AS_THEY_READ = {
  stories: { ...EACH.stories, records: EACH.stories.records.map((record) => ({ ...record, changed: false })) },
};
const REVIEW = { kind: "story_review", story: "US-001", title: "Cart", commit: "0123456789" } as const;
const ruling: RunView["ruling"] = (verb, story) => `smithers prd ${verb} shop ${story}`;
const COMMAND = { resume: "smithers prd run shop", ruling };

/** A view of a loop that works on `EACH`. */
const viewOf = (state: Partial<LoopState> = {}, overrides: Partial<RunView> = {}): RunView =>
  aView({ stories: EACH.stories, ...state }, { prd: EACH.prd, ...COMMAND, ...overrides });

describe("the last words of a run, and status [D-13, D-24]", () => {
  test("the stories first, then the rest, with the branch", () => {
    const lines = summary(viewOf(ended(BLOCKED), { branch: "feat/shop" })).map(({ text }) => text);
    expect(lines.slice(0, 13)).toEqual([
      "repo-1: blocked (stories_blocked). No story is left that could be worked on: each is blocked, or depends on one that is.",
      "  US-005: Which provider? 1 more wait for these.",
      "PRD shop: 3 of 7 stories passed, 2 of them not by proof; 1 changed since, 1 blocked.",
      "Story at work: US-004 Title of US-004 (attempt 2)",
      "  [x] US-001 Title of US-001: passed, proved 3 of 5: red before, green after; commit 0123456",
      "  [x] US-002 Title of US-002: accepted by ada",
      "  [x] US-003 Title of US-003: taken over from the file, not proved, changed since it passed: retry it to have it done again",
      "  [>] US-004 Title of US-004: in progress, attempt 2",
      "  [!] US-005 Title of US-005: blocked (question): Which provider?, 3 attempts, unfinished work in US-005-18.patch",
      "  [ ] US-006 Title of US-006: waiting for US-005",
      "  [ ] US-007 Title of US-007: pending",
      "  [ ] US-009 Title of US-009: pending, 1 attempt, no longer in the PRD",
      "NOTHING was verified: no check is configured (--success-cmd, --quality-commands).",
    ]);
    expect(lines).toContain("Branch: feat/shop");
  });

  test("a program gets every story, the tally and the branch", () => {
    expect(resultOf(viewOf({}, { branch: "main" }))).toMatchObject({
      branch: "main",
      stories: {
        ...{ prd: "shop", total: 7, passed: 3, passed_by_proof: 1, blocked: 1 },
        active: { id: "US-004", title: "Title of US-004", attempt: 2 },
        stories: [
          { id: "US-001", status: "passed", commit: "0123456789abcdef", proved: { criteria: 3, of: 5 } },
          { id: "US-002", status: "accepted", accepted_by: "ada" },
          { id: "US-003", status: "taken_over", changed: true },
          { id: "US-004", status: "in_progress", attempts: 2 },
          { id: "US-005", status: "blocked", blocked: { kind: "question", why: "Which provider?" } },
          { id: "US-006", status: "waiting", waits_for: ["US-005"] },
          { id: "US-007", status: "pending" },
          { id: "US-009", gone: true },
        ],
      },
    });
    expect(resultOf(aView())).toMatchObject({ stories: null, branch: null });
  });

  test("what was put back of the documents is in every report, with where it is kept", () => {
    const undone = [{ file: ".daedalus/prds/shop/prd.json", kept: "undone-2-prd.json" }];
    const view = viewOf({ stories: known([], { undone }) });
    const path = `${view.state.artifacts.dir}/undone-2-prd.json`;
    expect(summary(view).map(({ text }) => text)).toContainEqual(expect.stringContaining(path));
    expect(JSON.stringify(storyBlocks(view))).toContain(path);
    expect(resultOf(view)).toMatchObject({ stories: { undone } });
  });

  test("of 1,000 stories it shows 50, and how many more there are", () => {
    const prd = aPrd(...Array.from({ length: 1_000 }, (_, index) => aStory(`US-${1_000 + index}`)));
    const lines = summary(viewOf({ stories: known([], { total: 1_000 }) }, { prd })).map(({ text }) => text);
    expect(lines.filter((text) => text.startsWith("  [ ] US-"))).toHaveLength(50);
    expect(lines).toContain("  … 950 more, 0 of which have passed");
  });
});

describe("what to do next", () => {
  test.each<[string, StopReason, string]>([
    [
      "of blocked ones, what decides about the first",
      BLOCKED,
      "Answer what they ask and let them be tried again (smithers prd retry shop US-005), or take them as they are (smithers prd accept shop US-005), then go on with: smithers prd run shop",
    ],
    [
      "of the one that stopped the run",
      { kind: "story_blocked", story: "US-007", why: "no" },
      "Look at it, then let it be tried again (smithers prd retry shop US-007) or take it as it is (smithers prd accept shop US-007), and go on with: smithers prd run shop",
    ],
    ["of one that a person wants to see", REVIEW, "Review its commit, then go on with: smithers prd run shop"],
    [
      "when others are left",
      { kind: "stories_passed", passed: 3, total: 7 },
      "Review the commits, then go on with the rest: smithers prd run shop",
    ],
    [
      "when one says something else since it passed, what decides about that",
      { kind: "stories_passed", passed: 7, total: 7 },
      "Have it done again (smithers prd retry shop US-003) or let it count as it is (smithers prd accept shop US-003), then go on with: smithers prd run shop",
    ],
  ])("%s", (_, reason, text) => {
    expect(nextStep(viewOf(ended(reason)))).toBe(text);
  });

  test.each<[number, string, string | null]>([
    [3, "The stories that this run was asked for have passed; others are left.", "smithers prd run shop"],
    [7, "Every story of the PRD has passed: the work is done.", null],
  ])("with %s of 7 passed, what that means", (count, sentence, resume) => {
    const view = viewOf({ ...ended({ kind: "stories_passed", passed: count, total: 7 }), ...AS_THEY_READ });
    expect(nextStep(view)).toMatch(count === 7 ? /^Review the commits\.$/u : /go on with the rest: /u);
    expect(summary(view)[0]?.text).toBe(`repo-1: completed (stories_passed). ${sentence}`);
    expect(summary(view)[1]?.text).toBe(`  ${count} of the PRD's 7 stories have passed.`);
    expect(resultOf(view)).toMatchObject({ status: "completed", exit_code: 0, resume });
    expect(isReady(view)).toBe(count === 7);
  });

  test("once a person has decided about what was blocked, only to go on; before, about the next one", () => {
    const records = [aRecord("US-001", { words: "try" }), blocked("US-007", "why")];
    const both = {
      ...BLOCKED,
      stories: [...BLOCKED.stories.map((one) => ({ ...one, id: "US-001" })), { id: "US-007", why: "" }],
    };
    expect(nextStep(viewOf({ ...ended(both), stories: known(records) }))).toContain("prd retry shop US-007");
    const decided = known([aRecord("US-001"), passed("US-007", { how: "accepted" })]);
    for (const reason of [both, { kind: "story_blocked", story: "US-007", why: "no" } as const]) {
      const view = viewOf({ ...ended(reason), stories: decided });
      expect(summary(view)[0]?.text).toContain("Stories were blocked; a person has decided about them since.");
      expect(nextStep(view)).toBe("Go on with: smithers prd run shop");
    }
    expect(nextStep(viewOf({ ...ended(both), stories: null }))).toContain("prd retry shop US-001");
  });

  test("of stories that nobody can name, the verbs alone", () => {
    const next = nextStep(viewOf(ended({ ...BLOCKED, stories: [] })));
    expect(next).toContain("tried again (prd retry), or");
    expect(nextStep(viewOf(ended(BLOCKED), { ruling: null }))).toBe(next);
  });

  test("on GitHub by comments", () => {
    const byComment = rulingByComment({ stories: EACH.stories });
    const text = markdown([nextOnPullRequest(viewOf(ended(BLOCKED), { ruling: byComment }))]);
    expect(text).toContain("(/smithers prd shop retry US-005)");
    expect(text).toContain("go on with: `/smithers continue`");
    expect(rulingByComment({ stories: null })).toBeNull();
  });
});

const LIVE = { startedAt: 0, deadline: null, activity: null, checks: [], item: null };
const LIMITS = { maxTokens: null, maxTotalMs: null, now: 0 };

/** Everything on GitHub that tells how far the stories are. */
const PLACES: readonly (readonly [string, (view: RunView) => string])[] = [
  [
    "the job's summary",
    (view) => jobSummary(view, { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] }),
  ],
  ["the pull request", (view) => pullRequestText(view, someFacts()).body],
  [
    "the comment while it runs",
    (view) => statusComment({ ...view, alive: true }, { ...someFacts(), ...LIVE, ...LIMITS }),
  ],
  ["the comment at the end", (view) => finalComment(view, someFacts())],
  ["the answer to /smithers status", statusReply],
];

describe.each(PLACES)("on GitHub, in %s [D-13, D-24]", (_, textOf) => {
  test("a row for each story with its sign", () => {
    const text = textOf(viewOf(ended(BLOCKED)));
    expect(text).toContain("### Stories of shop");
    expect(text).toContain("**3 of 7 stories passed, 2 of them not by proof; 1 changed since, 1 blocked**");
    expect(text).toContain("**At work:** US-004 Title of US-004 (attempt 2)");
    expect(text).toMatch(
      /\| ✅ +\| `US-001` +\| Title of US-001 +\| passed, proved 3 of 5: red before, green after +\| `0123456` +\|/u,
    );
    expect(text).toMatch(/\| 🚧 +\| `US-005` +\|/u);
    expect(text).toMatch(/\| ⏳ +\| `US-006` +\|/u);
  });

  test("others' words stay words, in one cell", () => {
    const words = "a | b\n| c | @octocat fixes #1 <img src=x> $(rm -rf .) `\"'` ![i](https://e.example) </table>";
    const prd = aPrd(aStory("US-001", { title: words }), aStory("US-002", { title: words }));
    const stories = known([blocked("US-001", words), passed("US-002", { how: "accepted", by: words })]);
    const text = textOf(viewOf({ ...ended(REVIEW), stories }, { prd }));
    const row = text.split("\n").find((line) => line.includes("`US-001`")) ?? "";
    expect(row.replaceAll(/\\./gu, "").match(/\|/gu)).toHaveLength(6);
    expect(text).not.toMatch(/@octocat|#1\b|:\/\/e\.example/u);
    const kinds = nodesOf(text).flatMap((node) =>
      node.type === "image" || (node.type === "html" && /img|table/u.test(node.value)) ? [node] : [],
    );
    expect(kinds).toEqual([]);
  });

  test("of 1,000 stories 50 are shown, and it has room", () => {
    const prd = aPrd(
      ...Array.from({ length: 1_000 }, (_one, index) => aStory(`US-${1_000 + index}`, { title: "x".repeat(200) })),
    );
    const text = textOf(viewOf({ ...ended(BLOCKED), stories: known([], { total: 1_000 }) }, { prd }));
    expect(text.match(/`US-1\d\d\d`/gu)).toHaveLength(50);
    expect(text).toContain("950 more, 0 of which have passed: see summary.json, or `smithers prd status shop`");
    expect(text.length).toBeLessThan(60_000);
  });
});

test("the job's summary shows iteration, story at work, branch and checks [D-30]", () => {
  const facts = { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] };
  const verdict = aVerdict("failed", [aRedCheck({ command: "npm test", exitCode: 3 })]);
  const state = { iteration: 4, checks: CHECKED, verdict };
  const shown = jobSummary(viewOf({ ...ended(BLOCKED), ...state }, { branch: "feat/shop" }), facts);
  expect(shown).toContain("- Branch: `feat/shop`\n");
  expect(shown).toContain("**At work:** US-004 Title of US-004 (attempt 2)");
  expect(shown).toContain("- Iterations: 4 of 30.");
  expect(shown).toMatch(/Not verified: .*npm test.* failed \(exit 3\)\./u);
});

test("nothing is said of stories where there are none", () => {
  expect(storyBlocks(aView())).toEqual([]);
  const text = markdown(storyBlocks({ state: aState({ stories: known([], { total: 3 }) }), prd: null }));
  expect(text).toBe("### Stories of shop\n\n**0 of 3 stories passed**\n");
});

describe("the live view", () => {
  const state = aState({ iteration: 4, stories: EACH.stories });

  test("names the story at work and its attempt, also in what a job's log says of a silent run", () => {
    const live = reportLive(beginLive(0, null), turnStarted(4), state, 0);
    expect(liveFrame(live, 0, 200)[0]?.text).toBe(
      "Iteration 4 of 30 | US-004, attempt 2 (3 of 7 passed) | 0.0 s | 0 tokens",
    );
    expect(heartbeat(live, 60_000)).toBe(
      "[4/30] still: US-004, attempt 2 (3 of 7 passed): the agent is starting (1 min); 0 tokens",
    );
  });

  test.each([
    ["no PRD", null],
    ["no story at work", { ...EACH.stories, active: null }],
    ["one at work that nothing is known of", { ...EACH.stories, active: "US-777" }],
  ])("with %s it is as ever", (_, stories) => {
    const live = reportLive(beginLive(0, null), turnStarted(4), { ...state, stories }, 0);
    expect(liveFrame(live, 0, 200)[0]?.text).toBe("Iteration 4 of 30 | 0.0 s | 0 tokens");
  });
});

describe("as a run begins, the PRD is told", () => {
  const read = (...ids: readonly string[]): StoriesRead => ({
    ...{ prd: "shop", held: [] },
    stories: ids.map((id) => ({ id, title: id, digest: "d", passes: false })),
  });
  const said = (event: LoopEvent, stories: LoopState["stories"]): string[] =>
    eventLines(event, aState({ stories })).map(({ text }) => text);

  test("how many there are, and what a person has to know of an edit", () => {
    const stories = read("US-001", "US-002", "US-003", "US-004", "US-005", "US-006", "US-007");
    expect(said(started({ stories }), EACH.stories).slice(1)).toEqual([
      "stories of shop: 7, of which 3 have passed",
      "passed by the file alone, not proved here: US-003",
      "changed since they passed, and wait for retry: US-003",
      "no longer in the PRD: US-009",
    ]);
  });

  test("of many, the first 20 are named", () => {
    const records = Array.from({ length: 25 }, (_, index) => ({ ...passed(`US-${100 + index}`), changed: true }));
    const [, , changed] = said(started({ stories: read("US-100") }), known(records));
    expect(changed).toMatch(/^changed since they passed, and wait for retry: US-100, .*US-119 and 5 more$/u);
  });

  test("nothing where there is none, or nothing is known of it", () => {
    expect(said(started(), EACH.stories)).toHaveLength(1);
    expect(said(started({ stories: read("US-001") }), null)).toHaveLength(1);
  });
});

test("Loopr's log names the story and its attempt [L-10]", () => {
  const item = { id: "US-004", title: "Pay", text: "" };
  const event: LoopEvent = { type: "turn_started", at: "now", iteration: 4, item, session: "fresh" };
  const state = aState({ iteration: 4, stories: known([aRecord("US-004", { attempts: 2 })]) });
  expect(LOOPR_LAYOUT.logs["loop.log"]?.({ event, state })).toContain("fresh session, US-004 Pay (attempt 2)");
});
