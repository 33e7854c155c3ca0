import { describe, expect, test } from "vitest";
import { COMMENT_BYTES } from "../../src/views/github/markdown.ts";
import { type PrdStanding, prdStatusReply, type StoryRow } from "../../src/views/github/prd-status.ts";

function aRow(row: Partial<StoryRow> = {}): StoryRow {
  const known = { blocked: null, attempts: 0, commit: null, passed: null, by: null, edited: false };
  return { id: "US-001", title: "Read it", state: "pending", ...known, ...row };
}

function aStanding(standing: Partial<PrdStanding> = {}): PrdStanding {
  return {
    name: "billing",
    begun: true,
    running: false,
    unclosed: false,
    stories: [aRow()],
    next: "US-001",
    ...standing,
  };
}

describe("how a PRD is", () => {
  test("between two runs: what comes next, and how to let it go on", () => {
    const reply = prdStatusReply(aStanding());
    expect(reply).toContain("### 📋 billing: 0 of 1 stories passed");
    expect(reply).toContain("- No run is under way.\n- 1 open, 0 blocked.\n- Next: US-001, Read it");
    expect(reply).toContain("`/smithers prd billing run`");
    expect(reply).not.toContain("Blocked");
  });

  test("before the first run", () => {
    expect(prdStatusReply(aStanding({ begun: false }))).toContain("Nobody has begun to work on it.");
  });

  test("with a wave to be closed, run is offered although every story has passed, but while it runs", () => {
    const done = { stories: [aRow({ state: "passed", passed: "proved" })], next: null, unclosed: true };
    const reply = prdStatusReply(aStanding(done));
    expect(reply).toContain("Its last wave is not closed, which `run` does first.");
    expect(reply).toContain("`/smithers prd billing run`");
    expect(prdStatusReply(aStanding({ ...done, running: true }))).not.toMatch(/not closed|billing run/u);
  });

  test("while one runs it is not started again, and a blocked story can be decided on", () => {
    const blocked = aRow({ id: "US-002", blocked: "it asks which colour", attempts: 3 });
    const begun = aRow({ state: "in_progress", attempts: 1 });
    const reply = prdStatusReply(aStanding({ running: true, stories: [begun, blocked] }));
    expect(reply).toContain("- A run is under way.\n- 1 open, 1 blocked.");
    expect(reply).toContain("US-002: it asks which colour");
    expect(reply).toContain("`/smithers prd billing accept US-002`");
    expect(reply).toMatch(/US-001 \| Read it +\| in progress/u);
    expect(reply).toMatch(/US-002 \| Read it +\| blocked/u);
    expect(reply).not.toContain("billing run`");
  });

  test.each<[string, Partial<StoryRow>]>([
    ["passed", { passed: "proved" }],
    ["accepted by wendy", { passed: "accepted", by: "wendy" }],
    ["accepted", { passed: "accepted" }],
    ["passed, changed since", { passed: "proved", edited: true }],
    ["taken over, not proved", { passed: "taken_over" }],
    ["taken over, not proved", {}],
  ])("a story is told as %s", (state, row) => {
    expect(prdStatusReply(aStanding({ stories: [aRow({ state: "passed", ...row })] }))).toMatch(
      new RegExp(`\\| Read it +\\| ${state} +\\|`, "u"),
    );
  });

  test("stories that were changed since they passed are named, with what does them again", () => {
    const edited = (count: number) =>
      Array.from({ length: count }, (_, at) => aRow({ id: `US-${100 + at}`, state: "passed", edited: true }));
    const reply = prdStatusReply(aStanding({ stories: edited(25) }));
    expect(reply).toContain("- US-100 has passed and reads differently now: it waits for `retry`.\n- US-101 ");
    expect(reply).toContain("- 5 more: see the table.");
    expect(reply).toContain("`/smithers prd billing retry US-100 [words]`");
    expect(reply).not.toContain("billing accept");
  });

  test("done: nothing more can be said", () => {
    const passed = aRow({ state: "passed", blocked: "long ago", attempts: 1, commit: "a".repeat(40) });
    const reply = prdStatusReply(aStanding({ stories: [passed], next: null }));
    expect(reply).toContain("1 of 1 stories passed");
    expect(reply).toContain("`aaaaaaaaaaaa`");
    expect(reply).not.toContain("/smithers");
  });

  test("a thousand stories with long and hostile titles still fit into a comment", () => {
    const title = `@everyone fixes #7 | <!-- ${"x".repeat(5_000)}`;
    const stories = Array.from({ length: 1_000 }, (_, at) => aRow({ id: `US-${1_000 + at}`, title, blocked: title }));
    const reply = prdStatusReply(aStanding({ stories, next: "US-1000" }));
    expect(Buffer.byteLength(reply)).toBeLessThan(COMMENT_BYTES);
    expect(reply).toContain("900 more: see prd.json of billing.");
    expect(reply).toContain("980 more: see the log of billing.");
    expect(reply).not.toMatch(/@everyone|#7|(?<!\\)<!--/u);
  });
});
