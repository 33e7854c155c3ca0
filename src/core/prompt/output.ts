import { promiseToken } from "../claim/promise.ts";
import type { PromiseRule, Runtime, Task } from "../task.ts";

/** The forms of the two systems whose users know a status block (L-12, R-17). */
const FORMS = {
  loopr: `---LOOPR_STATUS---
STATUS: IN_PROGRESS | COMPLETE | BLOCKED | ERROR
EXIT_SIGNAL: true | false
WORK_TYPE: tests | code | docs | other
FILES_MODIFIED: <int>
ERRORS: <int>
SUMMARY: <short summary>
---END_LOOPR_STATUS---`,
  ralph: `---RALPH_STATUS---
STATUS: WORKING | COMPLETE | BLOCKED
TASKS_COMPLETED: <int>
FILES_MODIFIED: <int>
TESTS_STATUS: PASSING | FAILING | UNKNOWN
WORK_TYPE: feature | bugfix | test | docs
EXIT_SIGNAL: true | false
---END_RALPH_STATUS---`,
} as const;

const NOTES =
  "Under `NOTES:` at most 10 lines that begin with `done:`, `learned:` or `next:`. Later sessions are told what you learned.";
const PROMISE = "The promise, alone on the last line, only when done.";
const MARKER = "The marker, alone on the last line, only when done.";

/** Part 10: what the end of the message has to look like (C18, L-08, W-53). */
export function output({ identity: { promise, doneToken }, runtime }: Task): string {
  const parts = [NOTES, ...statusForm(runtime), ...lastLineOf(promise, doneToken)];
  const list = parts.map((part, index) => `${index + 1}. ${part}`).join("\n");
  const order = parts.length === 1 ? "" : ", in this order";
  return [`## Output\nEnd your message with${order}:\n${list}`, ...promiseRule(promise), ...markerHint(doneToken)].join(
    "\n",
  );
}

/** What the last line is for. */
function lastLineOf({ mode }: PromiseRule, doneToken: string | null): readonly string[] {
  if (mode !== "off") return [PROMISE];
  return doneToken === null ? [] : [MARKER];
}

/** S-21; without a token nothing steers the agent to print one. */
function markerHint(doneToken: string | null): readonly string[] {
  return doneToken === null
    ? []
    : [`Please print the marker ${doneToken} alone on the last line when done, and only then.`];
}

/** The block of the system whose form is asked for; none when it is off (C1). */
function statusForm({ statusBlock }: Runtime): readonly string[] {
  if (statusBlock === "off") return [];
  return [
    `This block, with one value in each line. EXIT_SIGNAL is true only when nothing is left to do:\n${FORMS[statusBlock]}`,
  ];
}

/** W-53; without a promise nothing steers the agent to print one (S-21). */
function promiseRule(promise: PromiseRule): readonly string[] {
  if (promise.mode === "off") return [];
  const token = promiseToken(promise);
  return [
    token === null
      ? `You MUST output a last line that matches the pattern /${promise.text}/ ONLY when all requirements are satisfied and verification passes. Otherwise, do not output such a line.`
      : `You MUST output the exact string: ${token} ONLY when all requirements are satisfied and verification passes. Otherwise, do not output that string.`,
  ];
}
