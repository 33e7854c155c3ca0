import { expect, test } from "vitest";
import { header } from "../../../src/core/prompt/header.ts";
import { aBrief, aTask } from "../../support/builders.ts";

const DONE_TOKEN = "[SOLO_DONE]";

test("the header names the done token, in place of a promise that there is none of [S-10, S-21]", () => {
  const task = aTask({ identity: { promise: { mode: "off" }, doneToken: DONE_TOKEN } });
  const text = header(aBrief({ task }));
  expect(text).toMatch(/^Done token: \[SOLO_DONE\]$/mu);
  expect(text).not.toContain("Promise");
});

test("and beside a promise; without a token it says nothing of one [S-21]", () => {
  const both = header(aBrief({ task: aTask({ identity: { doneToken: DONE_TOKEN } }) }));
  expect(both).toMatch(/^Promise mode: tag.*\nDone token: /mu);
  expect(header(aBrief())).not.toContain("token:");
});
