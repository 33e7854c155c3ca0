import { describe, expect, test } from "vitest";
import { lostReply, refusalReply, statusReply, tellsLoss, threadAnswer } from "../../src/views/github/relay-reply.ts";
import { answerMarker } from "../../src/views/github/markers.ts";
import { aCheck, aView } from "./a-state.ts";
import { COMPLETED, ended, PAUSED } from "./publication-facts.ts";

describe("a refusal", () => {
  test("says why and what to do next", () => {
    const reply = refusalReply("Nothing may follow pause.");
    expect(reply).toContain("Nothing may follow pause.");
    expect(reply).toContain("**Nothing was changed.** Put that right, then write a new comment");
  });

  test("says what to do in this case, where somebody knows", () => {
    expect(refusalReply("It has ended.", "Start another one.")).toContain(
      "**Nothing was changed.** Start another one.",
    );
  });
});

describe("a request that got lost [C161]", () => {
  const next = "If you still want it, ask again with a new comment.";
  const url = "https://github.com/o/r/issues/3#issuecomment-1";
  const lost = { what: "The comment", url, command: "/smithers continue", next };

  test("is told with what to do instead, and is known again by its place alone", () => {
    const reply = lostReply(lost);
    expect(reply).toContain(`[The comment](${url}) asked for \`/smithers continue\`, and nothing came of it`);
    expect(reply).toContain(`**Nothing was changed.** ${next}`);
    expect(tellsLoss(reply, url)).toBe(true);
    expect(tellsLoss(reply, `${url}2`)).toBe(false);
  });

  test("without a place of its own it is only named", () => {
    const reply = lostReply({ ...lost, what: "The label smithers", url: null });
    expect(reply).toContain("The label smithers asked for");
    expect(tellsLoss(reply, url)).toBe(false);
  });
});

describe("how it stands", () => {
  test("a loop at work", () => {
    const reply = statusReply(aView({ iteration: 3 }, { alive: true }));
    expect(reply).toContain("🔄 The loop is running.");
    expect(reply).toContain("iteration 3 of 30");
    expect(reply).toContain("`/smithers pause`");
    expect(reply).not.toContain("**Next:**");
  });

  test("a loop that waits for a person", () => {
    const reply = statusReply(aView(ended(PAUSED)));
    expect(reply).toContain("✋");
    expect(reply).toContain("**Next:** Review the changes, then confirm and go on with: `/smithers continue`");
  });

  test("a loop that is done", () => {
    expect(statusReply(aView(ended(COMPLETED)))).not.toContain("/smithers");
  });
});

describe("the answer in a thread of a review [C110]", () => {
  const at = { url: "https://github.com/o/r", head: "c".repeat(40) };

  test("names the commit and what is green there, under a marker, and resolves nothing", () => {
    const checks = [aCheck({ command: "npm test" }), aCheck({ command: "npm run lint" })];
    const { state } = aView(ended(COMPLETED, { verdict: { result: "passed", checks } }));
    const answer = threadAnswer(state, 31, at);
    expect(answer.startsWith(`${answerMarker(state.loop_id, 31)}\n`)).toBe(true);
    expect(answer).toContain(`[cccccccccccc](https://github.com/o/r/commit/${at.head}). Green there:`);
    expect(answer).toMatch(/`npm test`, `npm run lint`/u);
    expect(answer).toContain("the loop resolves nothing");
  });

  test("promises nothing where nothing was checked", () => {
    expect(threadAnswer(aView(ended(COMPLETED, { verdict: null })).state, 31, at)).not.toContain("Green");
  });
});
