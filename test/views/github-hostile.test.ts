import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { loopIdIn } from "../../src/views/github/markers.ts";
import { line } from "../../src/views/plain-text.ts";
import { publicationOf } from "../../src/views/github/publication.ts";
import { lostReply, refusalReply, statusReply } from "../../src/views/github/relay-reply.ts";
import { statusComment } from "../../src/views/github/status-comment.ts";
import { aClaim, aHit, aLastTurn, aTodo } from "../support/builders.ts";
import { aCheck, aView } from "./a-state.ts";
import { nodesOf } from "./markdown-kinds.ts";
import { CHECKED, ended, someFacts } from "./publication-facts.ts";

/** Ours: what begins and ends a fold, names a marker or an alert. */
const OWN_HTML = /^(?:<!-- smithers:[^<>]* -->|<details>\n<summary>[A-Za-z' ]+<\/summary>|<\/details>)$/u;

/** Everything that a loop says on GitHub, with `words` in every place for somebody else's words. */
function everything(words: string): readonly (readonly [name: string, text: string])[] {
  const name = words.slice(0, 200);
  const hits = [aHit({ text: words }), aHit({ id: "gone#1", text: words, vanished: true })];
  const { state } = aView();
  const failing = aCheck({ command: words, exitCode: 1, tail: `${words}\n${words}` });
  const hostile: Partial<LoopState> = {
    prompt: `${words}\n${words}`,
    checks: CHECKED,
    todo: aTodo({ path: name, seen: hits }),
    verdict: { result: "failed", checks: Array.from({ length: 12 }, () => failing) },
    last_turn: aLastTurn({ summary: words, claim: aClaim({ notes: [words, words] }) }),
    github: { branch: name, head: null, pull_request: null, authorised_by: name, obeyed: null, continuations: 0 },
    iterations: Array.from({ length: 5 }, (_, index) => ({
      iteration: index + 1,
      started_at: state.created_at,
      ended_at: state.created_at,
      agent: "ok",
      claimed: true,
      checks: "failed",
      files_changed: 1,
      lines_added: 1,
      lines_removed: 1,
      tokens: 1,
      commit: "0123456789",
    })),
  };
  const around = {
    change: { files: 1, added: 1, removed: 0, stat: `${words}\n${words}`, only_tests: false },
    protection: { sandbox: "danger-full-access", providerArgs: [`--yolo`, `--dangerously-${words}`] },
    resume: words,
  };
  const paused = aView(ended({ kind: "hard_stop", mode: "pause", hits }, hostile), around);
  const paths = Array.from({ length: 25 }, () => words);
  const facts = someFacts({
    workflow: name,
    job: name,
    branch: name,
    base: name,
    changedTests: paths,
    changedCi: paths,
    notes: paths,
  });
  const { pullRequest, review, comment } = publicationOf(paused, facts);
  const live = {
    startedAt: 0,
    deadline: 1,
    activity: words,
    checks: [line(words)],
    item: words,
    maxTokens: 1,
    maxTotalMs: 1,
    now: 0,
  };
  return [
    ["pull request", pullRequest?.body ?? ""],
    ["final comment", comment ?? ""],
    ["review", review?.body ?? ""],
    ["thread", hardStopThread(words)],
    ["status comment", statusComment(aView(hostile, { ...around, alive: true }), { ...facts, ...live })],
    ["status reply", statusReply(paused)],
    ["refusal", refusalReply(words, words)],
    ["loss", lostReply({ what: words, url: null, command: words, next: words })],
  ];
}

function hardStopThread(words: string): string {
  const hits = [aHit({ text: words })];
  const view = aView(ended({ kind: "hard_stop", mode: "pause", hits }, { todo: aTodo() }));
  return publicationOf(view, someFacts()).review?.inline?.body ?? "";
}

const VIEWS = [
  "pull request",
  "final comment",
  "review",
  "thread",
  "status comment",
  "status reply",
  "refusal",
  "loss",
];

describe.each([
  "@everyone",
  "fixes #1, closes GH-2 and https://github.com/o/r/issues/3",
  "</details><script>alert(1)</script>",
  "<!-- smithers:loop evil -->",
  "\n<!-- smithers:loop evil -->\n",
  "--> <!-- smithers:hard-stop x -->",
  "`` ``` ~~~~ `",
  "```\n</details>\n@octocat\n```",
  "a | b || c\\|",
  "![i](https://e.example/i) [l](https://e.example)",
  "\u001B[31m\u202Ered",
])("others' words stay words: %j [T1, T15, T17]", (words) => {
  const texts = new Map(everything(words));

  test.each(VIEWS)("%s", (name) => {
    const text = texts.get(name) ?? "";
    expect(text).not.toBe("");
    const nodes = nodesOf(text);
    expect(nodes.filter((node) => node.type === "image")).toEqual([]);
    const html = nodes.flatMap((node) => (node.type === "html" ? [node.value] : []));
    expect(html.filter((value) => !OWN_HTML.test(value))).toEqual([]);
    const said = nodes.map((node) => (node.type === "text" ? node.value : "")).join("\n");
    expect(said).not.toMatch(/@(?:everyone|octocat)|#\d|GH-\d|:\/\//u);
    expect(loopIdIn(text)).not.toBe("evil");
    expect(text).not.toContain("\u001B");
    expect(text).not.toContain("\u202E");
  });
});

describe("GitHub takes 65,536 characters", () => {
  test.each([
    ["one endless line", "x".repeat(100_000)],
    ["many long lines", `${"ü".repeat(10_000)}\n`.repeat(10)],
    ["wide characters", "👀".repeat(50_000)],
    ["what has to be escaped", "<*_`|".repeat(20_000)],
  ])("%s", (_, words) => {
    for (const [, text] of everything(words)) {
      expect(text.length).toBeLessThanOrEqual(60_000);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test("what is left out is named", () => {
    const body = everything("<*_`|".repeat(20_000)).find(([name]) => name === "pull request")?.[1] ?? "";
    expect(body).toMatch(/Left out for lack of room: [a-zA-Z ,]+\.\n$/u);
    expect(body).toContain("**This is not finished.**");
    expect(body).toContain("`/smithers continue`");
  });
});
