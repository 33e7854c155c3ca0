import {
  hasChecks,
  successCheck,
  type Checks,
  type PromiseRule,
  type Task,
  type TaskIdentity,
  type TodoRule,
} from "../task.ts";
import { joined } from "../text.ts";
import { promiseToken } from "../claim/promise.ts";
import { HOME_FOLDER } from "../names.ts";

const RULES = `## Rules
- Do one thing at a time, in small changes. No placeholders, and do not narrow the objective.
- Do not edit, skip or delete tests or checks to get them green.
- Do not touch ${HOME_FOLDER}, .loopr or .github/workflows. Do not commit: the loop does.
- Nobody answers questions. Choose the conservative default and go on.
- If you are blocked, write a section that begins with BLOCKED: what you tried, what you need, and the next steps you propose.`;

/** Part 6: how to work (W-51). Without a promise nothing steers the agent to print one (S-21). */
export function rules({ identity: { promise }, prd }: Task): string {
  const what = prd === null ? "task" : "story of this iteration";
  return joined("\n", [
    RULES,
    prd === null
      ? ""
      : `- Do not change ${prd.folder}: \`passes\` in its prd.json is the loop's to set, and what you change there is undone.`,
    promise.mode === "off"
      ? ""
      : `- Only output the completion promise when the ${what} is completely and unequivocally done.`,
  ]);
}

/** Part 7: how to work through a checklist or a todo file (W-52); "" without either. */
export function todoWorkflow({ identity: { todo, plan } }: Task): string {
  const file = plan ?? todo;
  if (file === null) return "";
  return joined("\n", [
    `## ${plan === null ? "Todo file" : "Plan"}\nThe work is listed in ${file.path}.`,
    "- Work top-to-bottom and tick items off as they are done.",
    todo === null ? "" : `- ${stopAt(todo, file)} and request human review; leave that line as it is.`,
    "- Prefer deterministic checks: tests, linters, typecheck.",
  ]);
}

function stopAt({ path, token }: TodoRule, file: { readonly path: string }): string {
  return path === file.path ? `Stop at ${token}` : `Stop at ${token} in ${path}`;
}

/** Part 8: what will be asked of the work (C7); says so when nothing will be. */
export function verification(checks: Checks): string {
  const success = successCheck(checks);
  const commands = [...(success === null ? [] : [success]), ...checks.quality];
  if (!hasChecks(checks))
    return "## Verification\nNo check is configured: verify every requirement yourself before you claim completion.";
  const list = [
    ...commands.map((command) => `- \`${command}\``),
    ...(checks.ci === null ? [] : [`- CI: .github/workflows/${checks.ci}, run on GitHub on the pushed work`]),
  ].join("\n");
  const what = checks.ci === null ? "commands" : "checks";
  return `## Verification\nThese ${what} decide, run by the loop after your turn:\n${list}\nCompletion is unproven until each requirement has evidence.`;
}

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
const BLOCK = "This block, with one value in each line. EXIT_SIGNAL is true only when nothing is left to do:";
const PROMISE = "The promise, alone on the last line, only when done.";
const MARKER = "The marker, alone on the last line, only when done.";

/** Part 10: what the end of the message has to look like (C18, L-08, W-53), in the form that is asked for (C1). */
export function output({ identity, runtime: { statusBlock } }: Task): string {
  const { promise, doneToken } = identity;
  const block = statusBlock === "off" ? "" : `${BLOCK}\n${FORMS[statusBlock]}`;
  const marker = doneToken === null ? "" : MARKER;
  const parts = [NOTES, block, promise.mode === "off" ? marker : PROMISE].filter((part) => part !== "");
  const list = parts.map((part, index) => `${index + 1}. ${part}`).join("\n");
  const order = parts.length === 1 ? "" : ", in this order";
  return joined("\n", [`## Output\nEnd your message with${order}:\n${list}`, lastLine(identity)]);
}

/** The same for a session that goes on, which knows the details; form and last line are asked for in every turn. */
export function outputAgain({ identity, runtime: { statusBlock } }: Task): string {
  const hasLastLine = identity.promise.mode !== "off" || identity.doneToken !== null;
  const parts = ["`NOTES:`", statusBlock === "off" ? "" : "the block", hasLastLine ? "the last line if done" : ""];
  return joined("\n", [
    `## Output\nEnd your message as before: ${joined(", ", parts)}.`,
    statusBlock === "off" ? "" : FORMS[statusBlock],
    lastLine(identity),
  ]);
}

function lastLine({ promise, doneToken }: TaskIdentity): string {
  return joined("\n", [
    promiseRule(promise),
    doneToken === null ? "" : `Please print the marker ${doneToken} alone on the last line when done, and only then.`,
  ]);
}

/** W-53; without a promise or a token nothing steers the agent to print one (S-21). */
function promiseRule(promise: PromiseRule): string {
  if (promise.mode === "off") return "";
  const token = promiseToken(promise);
  return token === null
    ? `You MUST output a last line that matches the pattern /${promise.text}/ ONLY when all requirements are satisfied and verification passes. Otherwise, do not output such a line.`
    : `You MUST output the exact string: ${token} ONLY when all requirements are satisfied and verification passes. Otherwise, do not output that string.`;
}
