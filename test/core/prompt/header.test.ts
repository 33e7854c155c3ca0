import { expect, test } from "vitest";
import { header } from "../../../src/core/prompt/header.ts";
import { aBrief, aTask } from "../../support/builders.ts";

const DONE_TOKEN = "[SOLO_DONE]";

test("the header names no promise where a done token ends the loop in its place [S-10, S-21]", () => {
  const task = aTask({ identity: { promise: { mode: "off" }, doneToken: DONE_TOKEN } });
  expect(header(aBrief({ task }))).not.toContain("Promise");
  expect(header(aBrief({ task: aTask({ identity: { doneToken: DONE_TOKEN } }) }))).toContain("Promise mode: tag");
});
