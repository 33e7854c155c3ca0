import { HOME_FOLDER } from "../files.ts";
import { hasChecks, successCheck, type Checks, type PromiseRule, type Task, type TodoRule } from "../task.ts";

const RULES = `## Rules
- Do one thing at a time, in small changes. No placeholders, and do not narrow the objective.
- Do not edit, skip or delete tests or checks to get them green.
- Do not touch ${HOME_FOLDER}, .loopr or .github/workflows. Do not commit: the loop does.
- Nobody answers questions. Choose the conservative default and go on.
- If you are blocked, write a section that begins with BLOCKED: what you tried, what you need, and the next steps you propose.`;

/** Part 6: how to work (W-51). Without a promise nothing steers the agent to print one (S-21). */
export function rules(promise: PromiseRule): string {
  if (promise.mode === "off") return RULES;
  return `${RULES}\n- Only output the completion promise when the task is completely and unequivocally done.`;
}

/** Part 7: how to work through a checklist or a todo file (W-52); "" without either. */
export function todoWorkflow({ identity: { todo, plan } }: Task): string {
  const file = plan ?? todo;
  if (file === null) return "";
  return [
    `## ${plan === null ? "Todo file" : "Plan"}\nThe work is listed in ${file.path}.`,
    "- Work top-to-bottom and tick items off as they are done.",
    ...(todo === null ? [] : [`- ${stopAt(todo, file)} and request human review; leave that line as it is.`]),
    "- Prefer deterministic checks: tests, linters, typecheck.",
  ].join("\n");
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
