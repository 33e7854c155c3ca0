import { describe, expect, test } from "vitest";
import type { HardStopHit } from "../../src/core/hard-stop.ts";
import type { LoopState } from "../../src/core/state.ts";
import { bears, hardStopMarker } from "../../src/views/github/markers.ts";
import { hardStopReview, type HardStopReview } from "../../src/views/github/hard-stop-review.ts";
import { aClaim, aHit, aLastTurn, aTodo } from "../support/builders.ts";
import { aCheck, aState, aView } from "./a-state.ts";
import { CHECKED, ended, HEAD, PAUSED, someFacts } from "./publication-facts.ts";

const GONE = aHit({ id: "gone#1", line: 9, text: "HARD STOP: deploy", vanished: true });

function review(hits: readonly HardStopHit[] = [aHit()], state: Partial<LoopState> = {}): HardStopReview {
  const view = aView(ended({ kind: "hard_stop", mode: "pause", hits }, { todo: aTodo(), ...state }));
  return hardStopReview(view, someFacts(), { hits, head: HEAD });
}

describe("what the checkpoint asks [C10]", () => {
  test("each line, and the file", () => {
    expect(review().body).toContain("The checkpoint in `TODO.md` asks:\n\n- **Line 3:** HARD STOP: review");
  });

  test("one that is gone without anybody's confirmation", () => {
    expect(review([GONE]).body).toContain(
      "- **A checkpoint is gone:** HARD STOP: deploy (line 9 until it was taken out, and nobody has confirmed it)",
    );
  });

  test("more than anybody reads are counted", () => {
    const hits = Array.from({ length: 200 }, (_, index) => aHit({ id: `h#${index}`, line: index + 1 }));
    expect(review(hits).body).toContain("- 180 more: see the todo file.");
    expect(review(hits).marker.length).toBeLessThan(1_000);
  });
});

describe("the two ways on [W-44]", () => {
  test("a comment and a label, for this commit", () => {
    const { body, head } = review();
    expect(head).toBe(HEAD);
    expect(body).toMatch(/\*\*Comment\*\* `\/smithers continue`/u);
    expect(body).toMatch(/\*\*Label\*\* `smithers:continue` .* merge conflict/u);
    expect(body).toContain("It counts for commit `0123456789ab` alone");
    expect(body).toContain("`/smithers cancel` or the label `smithers:cancel`");
  });

  test("a comment alone where the repository has not got the labels [C86]", () => {
    const facts = someFacts({ missingLabels: ["smithers:continue", "smithers:cancel"] });
    const { body } = hardStopReview(aView(ended(PAUSED, { todo: aTodo() })), facts, { hits: [aHit()], head: HEAD });
    expect(body).toMatch(/\*\*Comment\*\* `\/smithers continue`/u);
    expect(body).not.toContain("abel");
  });
});

describe("what was done", () => {
  const verdict: LoopState["verdict"] = { result: "failed", checks: [aCheck({ exitCode: 1, tail: "one failed" })] };

  test("in figures and as the checks see it", () => {
    const { body } = review(undefined, { checks: CHECKED, verdict });
    expect(body).toContain("- 3 iterations of 30, 0.0 s, 0 tokens.");
    const spent = { ...aState().spent, turns: 3, cost: 420_000, priced_turns: 3 };
    expect(review(undefined, { spent }).body).toContain("- 3 iterations of 30, 0.0 s, 0 tokens, about 0.42 USD.");
    expect(body).toContain("Since the loop began: 2 files changed (+5 -1).");
    expect(body).toContain("Not verified: \\`npm test\\` failed (exit 1).");
    expect(body).toContain("```text\none failed\n```");
  });

  test.each<[what: string, turn: LoopState["last_turn"], words: string]>([
    ["the agent's notes", aLastTurn({ claim: aClaim({ notes: ["done: a", "next: b"] }) }), "done: a\nnext: b"],
    ["else the end of its message", aLastTurn({ summary: "I did\nit." }), "I did\nit."],
  ])("%s", (_, last_turn, words) => {
    expect(review(undefined, { last_turn }).body).toContain(
      `<summary>The agent's last words</summary>\n\n\`\`\`text\n${words}\n\`\`\``,
    );
  });

  test.each<[what: string, turn: LoopState["last_turn"]]>([
    ["said", aLastTurn({ summary: " \n" })],
    ["done", null],
  ])("nothing was %s", (_, last_turn) => {
    expect(review(undefined, { last_turn }).body).not.toContain("last words");
  });
});

describe("the thread at the line", () => {
  test("of the first checkpoint that is still there", () => {
    const { inline } = review([GONE, aHit({ id: "b#1", line: 12, text: "HARD STOP: look" })]);
    expect(inline).toMatchObject({ path: "TODO.md", line: 12 });
    expect(inline?.body).toContain("**✋ HARD STOP:** HARD STOP: look");
    expect(inline?.body).toContain("`/smithers continue`");
  });

  test.each(["docs/TODO.md", ".todo/list.md", "..todo"])("a file in the repository: %s", (path) => {
    expect(review(undefined, { todo: aTodo({ path }) }).inline?.path).toBe(path);
  });

  test.each(["/etc/todo", "../todo.md", "a/../../todo.md", "a/..", "a\\b", "./todo.md", ""])(
    "none elsewhere: %j",
    (path) => {
      expect(review(undefined, { todo: aTodo({ path }) }).inline).toBeNull();
    },
  );

  test("none where every checkpoint is gone, or nothing is known of the file", () => {
    expect(review([GONE]).inline).toBeNull();
    const unknown = review(undefined, { todo: null });
    expect(unknown.inline).toBeNull();
    expect(unknown.body).toContain("- **Line 3:** HARD STOP: review");
  });
});

test("the same stop of the same commit is the same review", () => {
  expect(review()).toEqual(review());
  expect(bears(review().body, hardStopMarker("repo-1", HEAD, ["hit#1"]))).toBe(true);
});
