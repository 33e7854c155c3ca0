import { locate } from "../../app/locate.ts";
import type { Invocation } from "../../app/command.ts";
import type { Shell } from "../../app/shell.ts";
import { suggest } from "../../config/suggest.ts";
import { UsageError } from "../../core/errors.ts";
import { isPrdName } from "../../core/story/story.ts";
import { PRDS_FOLDER } from "../../core/names.ts";
import { listPrds } from "../../prd/folder.ts";

/** How the verbs about PRDs are called here, as messages repeat it: `smithers prd`. */
export function prdProgramOf({ program, prdProgram }: Shell): string {
  return prdProgram ?? `${program} prd`;
}

/** The workspace, absolute; settings of the repository's files have no say in where its PRDs are. */
export async function workspaceOf({ flags }: Invocation, shell: Shell): Promise<string> {
  return (await locate(flags, shell, "silent")).root;
}

/** A name that may become a part of paths. @throws UsageError `PRD_NAME_INVALID` */
export function checkedName(name: string): string {
  if (isPrdName(name)) return name;
  throw new UsageError({
    code: "PRD_NAME_INVALID",
    what: `${JSON.stringify(name)} is no name for a PRD.`,
    next: "Use up to 64 letters, digits, dots, - and _, beginning with a letter or a digit; a verb such as list is no name, and two dots in a row, and a dot or .lock at the end, are not allowed.",
  });
}

/**
 * The PRD that is meant: the one that is named, else the only one there is.
 *
 * @param verb what asks, for the way out
 * @throws UsageError `PRD_NAME_INVALID`, `PRD_UNKNOWN`, `PRD_UNNAMED`, or `PRD_MISSING` where there is none at all
 */
export async function chosenPrd(root: string, name: string, verb: string, shell: Shell): Promise<string> {
  if (name !== "") checkedName(name);
  const names = await listPrds(root);
  const [only] = names;
  if (only === undefined) throw new UsageError(noPrd(shell));
  if (name === "") {
    if (names.length === 1) return only;
    throw new UsageError({
      code: "PRD_UNNAMED",
      what: `There are ${names.length} PRDs, and none was named: ${listed(names)}.`,
      next: `Name one: ${prdProgramOf(shell)} ${verb} ${only}`,
    });
  }
  if (names.includes(name)) return name;
  const meant = suggest(name, names);
  throw new UsageError({
    code: "PRD_UNKNOWN",
    what: `There is no PRD ${name} in ${PRDS_FOLDER}; there is ${listed(names)}.`,
    next:
      meant === undefined
        ? `Name one of them, or make it: ${prdProgramOf(shell)} new ${name}`
        : `Did you mean ${prdProgramOf(shell)} ${verb} ${meant}?`,
  });
}

function noPrd(shell: Shell) {
  return {
    code: "PRD_MISSING",
    what: `There is no PRD in ${PRDS_FOLDER}.`,
    next: `Make one: ${prdProgramOf(shell)} new my-feature. If it lies elsewhere, name the workspace with --cd.`,
  };
}

const NAMES_SHOWN = 20;

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
