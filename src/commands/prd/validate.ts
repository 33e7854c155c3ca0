import type { Command } from "../../app/command.ts";
import { USAGE_EXIT_CODE } from "../../app/present-error.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { createRunnerLog } from "../../os/runner-log.ts";
import { listPrds, prdFolder } from "../../prd/folder.ts";
import { counted } from "../../views/amounts.ts";
import { line, type Line } from "../../views/plain-text.ts";
import { type Inspected, inspected } from "./inspect.ts";
import { aboutOf, hasErrors, issueLines, issuesAsJson, ranked } from "./issues.ts";
import { chosenPrd, workspaceOf } from "./place.ts";

type Looked = Inspected & { readonly prd: string };

/** `smithers prd validate`: everything that is the matter with a PRD, or with all of them; in a workflow on the files. */
export const validate: Command = async (invocation, shell) => {
  const root = await workspaceOf(invocation, shell);
  const all = await listPrds(root);
  const wantsAll = invocation.operand === "" && all.length > 0;
  const chosen = wantsAll ? all : [await chosenPrd(root, invocation.operand, "validate", shell)];
  const looked: Looked[] = [];
  // One after the other: each may be some megabytes.
  for (const prd of chosen) looked.push({ prd, ...(await inspected(root, prd)) });
  const ok = looked.every(({ issues }) => !hasErrors(issues));
  if (shell.env["GITHUB_ACTIONS"] === "true") await annotate(looked, invocation.json, shell);
  else if (!invocation.json)
    printLines(
      shell,
      looked.flatMap((one) => linesOf(one)),
    );
  if (invocation.json) printJson(shell, { schema: 1, ok, prds: looked.map((one) => asJson(one)) });
  return ok ? 0 : USAGE_EXIT_CODE;
};

function linesOf({ prd, document, issues }: Looked): readonly Line[] {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  const found = `${counted(errors, "error")}, ${counted(issues.length - errors, "warning")}`;
  const stories = document === undefined ? "" : `${counted(document.prd.stories.length, "story")}, `;
  const verdict = errors === 0 ? "valid" : "invalid";
  return [
    ...issueLines(prdFolder(prd), issues),
    line(`${prd}: ${verdict} (${stories}${found})`, errors === 0 ? "good" : "bad"),
  ];
}

/** What is the matter appears on the files of a pull request; nothing of a PRD can be a command of the runner. */
async function annotate(looked: readonly Looked[], json: boolean, shell: Shell): Promise<void> {
  // The runner obeys both streams, and who reads JSON reads stdout.
  const log = createRunnerLog(json ? shell.stderr : shell.stdout);
  for (const one of looked) {
    const folder = prdFolder(one.prd);
    for (const issue of ranked(one.issues)) {
      const place = { file: `${folder}/${issue.file}`, ...(issue.line === null ? {} : { line: issue.line }) };
      log[issue.severity](`${aboutOf(issue)}\n${issue.cure}`, { title: `PRD ${one.prd}`, ...place });
    }
    for (const { text } of linesOf(one)) log.foreign(text);
  }
  await log.drained(Date.now() + 5_000);
}

function asJson({ prd, document, issues }: Looked): object {
  const stories = document?.prd.stories.length ?? null;
  return { prd, ok: !hasErrors(issues), stories, issues: issuesAsJson(prdFolder(prd), issues) };
}
