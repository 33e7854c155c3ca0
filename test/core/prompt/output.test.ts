import { expect, test } from "vitest";
import { output } from "../../../src/core/prompt/instructions.ts";
import { aTask, type TaskOverrides } from "../../support/builders.ts";

const told = (overrides: TaskOverrides): string => output(aTask(overrides));

test("Loopr's block is asked for in its own form, between the notes and the promise [L-08, L-12]", () => {
  const text = told({ runtime: { statusBlock: "loopr" } });
  expect(text).toContain(`---LOOPR_STATUS---
STATUS: IN_PROGRESS | COMPLETE | BLOCKED | ERROR
EXIT_SIGNAL: true | false
WORK_TYPE: tests | code | docs | other
FILES_MODIFIED: <int>
ERRORS: <int>
SUMMARY: <short summary>
---END_LOOPR_STATUS---`);
  expect(text).toMatch(/1\. Under `NOTES:`[^]*2\. This block[^]*3\. The promise/u);
});

test("Ralph's block has Ralph's fields and words [R-17]", () => {
  const text = told({ runtime: { statusBlock: "ralph" } });
  for (const line of [
    "STATUS: WORKING | COMPLETE | BLOCKED",
    "TASKS_COMPLETED: <int>",
    "TESTS_STATUS: PASSING | FAILING | UNKNOWN",
    "WORK_TYPE: feature | bugfix | test | docs",
    "EXIT_SIGNAL: true | false",
  ]) {
    expect(text).toContain(line);
  }
});

test("no block is asked for unless a preset or the setting says so [C1]", () => {
  expect(told({})).not.toContain("_STATUS");
});

test("a done token is asked for, alone on the last line [S-21]", () => {
  const text = told({ identity: { promise: { mode: "off" }, doneToken: "[SOLO_DONE]" } });
  expect(text).toMatch(/2\. The marker, alone on the last line[^]*print the marker \[SOLO_DONE\] alone .*when done/u);
  expect(text).not.toContain("<promise>");
  expect(told({ identity: { doneToken: "[SOLO_DONE]" } })).toMatch(/<promise>[^]*the marker \[SOLO_DONE\]/u);
});

test("without a promise nothing steers the agent to print one [S-21]", () => {
  const text = told({ identity: { promise: { mode: "off" } } });
  expect(text).toBe(
    "## Output\nEnd your message with:\n1. Under `NOTES:` at most 10 lines that begin with `done:`, `learned:` or `next:`. Later sessions are told what you learned.",
  );
});
