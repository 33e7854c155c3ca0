import type { Command } from "../../app/command.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { PRDS_FOLDER } from "../../core/names.ts";
import { listPrds } from "../../prd/folder.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { type StoriesTally, tallyText } from "../../views/story-rows.ts";
import { hasErrors } from "./issues.ts";
import { standOf, workOn } from "./known-work.ts";
import { prdProgramOf, workspaceOf } from "./place.ts";
import { inspected } from "./inspect.ts";

interface Listed {
  readonly prd: string;
  /** null: it cannot be read */
  readonly project: string | null;
  readonly valid: boolean;
  /** whether a run works on it now */
  readonly running: boolean;
  /** null: they cannot be read */
  readonly stories: StoriesTally | null;
}

/** `smithers prd list`: which PRDs there are, and how far they are. */
export const list: Command = async (invocation, shell) => {
  const root = await workspaceOf(invocation, shell);
  const prds: Listed[] = [];
  // One after the other: each may be some megabytes.
  for (const name of await listPrds(root)) prds.push(await listedOf(root, name, shell.env));
  if (invocation.json) printJson(shell, { schema: 1, prds });
  else show(prds, shell);
  return 0;
};

async function listedOf(root: string, prd: string, env: Shell["env"]): Promise<Listed> {
  const work = await workOn(root, prd, env);
  const { document, issues } = await inspected(work.root, prd);
  const valid = !hasErrors(issues);
  const running = work.alive;
  if (document === undefined) return { prd, project: null, valid, running, stories: null };
  const { project } = document.prd;
  const { total, passed, passed_by_proof, blocked, changed } = standOf(document.prd, work).report;
  return { prd, project, valid, running, stories: { total, passed, passed_by_proof, blocked, changed } };
}

function show(prds: readonly Listed[], shell: Shell): void {
  const program = prdProgramOf(shell);
  if (prds.length === 0) {
    printLines(shell, [line(`There is no PRD in ${PRDS_FOLDER}. Make one: ${program} new my-feature`)]);
    return;
  }
  const width = Math.max(...prds.map(({ prd }) => prd.length));
  const rows = prds.map(({ prd, project, valid, running, stories }) => {
    const said = stories === null ? "cannot be read" : tallyText(stories);
    const mark = valid ? (running ? "; running" : "") : `; invalid, see ${program} validate ${prd}`;
    const name = project === null ? "" : `  ${oneLine(project)}`;
    return line(`${prd.padEnd(width)}  ${said}${mark}${name}`, valid ? "plain" : "bad");
  });
  printLines(shell, rows);
}
