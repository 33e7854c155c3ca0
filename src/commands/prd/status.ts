import path from "node:path";
import type { Command } from "../../app/command.ts";
import { beside } from "../../app/checkout/edited-beside.ts";
import { commandToCommit, uncommittedDocuments } from "../../app/prd-preflight.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { outcomeOf } from "../../core/outcome.ts";
import type { LoopState } from "../../core/state.ts";
import { exists } from "../../os/file-errors.ts";
import { prdFolder, readPrd } from "../../prd/folder.ts";
import { line, type Line, oneLine } from "../../views/plain-text.ts";
import { reasonDetail } from "../../views/reason.ts";
import { storyRowLines } from "../../views/story-lines.ts";
import { hasPassed, tallyText } from "../../views/story-rows.ts";
import { invalidPrd } from "./issues.ts";
import { editedInCheckout, type KnownWork, type Standing, standOf, workOn } from "./known-work.ts";
import { chosenPrd, prdProgramOf, workspaceOf } from "./place.ts";

/** `smithers prd status`: how far each story is, and which one comes next. */
export const status: Command = async (invocation, shell) => {
  const home = await workspaceOf(invocation, shell);
  const name = await chosenPrd(home, invocation.operand, "status", shell);
  const work = await workOn(home, name, shell.env);
  const { document, issues } = await readPrd(work.root, name);
  if (document === undefined) throw invalidPrd(prdFolder(name), issues);
  const { project } = document.prd;
  const standing = standOf(document.prd, work);
  // What a run that is at work has not committed, it will.
  const uncommitted = work.alive ? [] : await uncommittedDocuments(work.root, name);
  const edited = await editedInCheckout(name, work);
  const files = { uncommitted, edited_in_checkout: edited.map((file) => `${prdFolder(name)}/${file}`) };
  if (invocation.json) printJson(shell, asJson({ prd: name, project }, work, standing, files));
  else {
    const head = line(oneLine(`${name}: ${project}`), "strong");
    const last = [
      ...nextLines(standing, shell),
      ...uncommittedLines(standing, { work, uncommitted }, shell),
      ...editedLines(name, work, edited, shell),
      ...(await missingLines(standing, work)),
    ];
    printLines(shell, [head, ...linesOf(work, standing), ...last]);
  }
  return 0;
};

function asJson(
  about: object,
  { state, alive, worktree }: KnownWork,
  { report, next }: Standing,
  files: Readonly<Record<"uncommitted" | "edited_in_checkout", readonly string[]>>,
): object {
  const { total, passed, blocked, changed, active, stories } = report;
  const loop = state && {
    ...{ id: state.loop_id, status: state.status, running: alive, iteration: state.iteration },
    stop_reason: state.stop_reason?.kind ?? null,
  };
  return {
    ...{ schema: 1, ...about, counts: { total, open: total - passed, passed, blocked, changed } },
    ...{ active: active?.id ?? null, next: next?.id ?? null, stories },
    ...{ loop: loop ?? null, worktree, ...files },
  };
}

function editedLines(name: string, { home, root }: KnownWork, files: readonly string[], shell: Shell): readonly Line[] {
  if (files.length === 0) return [];
  const { what, next } = beside({ name, home, work: root }, files, prdProgramOf(shell));
  return [line(oneLine(`${what} ${next}`), "warn")];
}

/** Work that was set aside and is no more, as after `git clean -fdx`. */
async function missingLines({ report }: Standing, { place }: KnownWork): Promise<readonly Line[]> {
  const kept = report.stories.flatMap((row) =>
    hasPassed(row) || row.patch === null ? [] : [{ ...row, file: row.patch }],
  );
  const isThere = await Promise.all(kept.map(({ file }) => exists(path.join(place.folder, path.basename(file)))));
  const missing = kept.filter((_, index) => !isThere[index]);
  return missing.map(({ id, file }) => line(oneLine(`The unfinished work of ${id} is lost: ${file} is gone.`), "warn"));
}

function linesOf({ state, alive, worktree }: KnownWork, { report }: Standing): readonly Line[] {
  const told = [
    ...(worktree === null ? [] : [`Worked on in ${worktree.folder}, on the branch ${worktree.branch}.`]),
    ...(state === undefined || alive ? [] : endedTexts(state)),
    ...(state === undefined || !alive ? [] : [`Loop ${state.loop_id} is running, iteration ${state.iteration}.`]),
  ];
  const about = told.map((text) => line(oneLine(text)));
  return [line(`${tallyText(report)}.`, "strong"), ...about, ...storyRowLines(report.stories)];
}

/** Why the last run ended, unless the stories say that. */
function endedTexts({ stop_reason: reason }: LoopState): readonly string[] {
  if (reason === null || /^stor(?:y|ies)_/u.test(reason.kind)) return [];
  return [`The last run ended: ${outcomeOf(reason).sentence} ${reasonDetail(reason, (advice) => advice)}`.trimEnd()];
}

/** What comes next, or what a person has to decide before anything can. */
function nextLines({ report, next }: Standing, shell: Shell): readonly Line[] {
  if (next !== undefined) return [line(oneLine(`Next: ${next.id} ${next.title}`))];
  const rule = (verb: string, id: string) => `${prdProgramOf(shell)} ${verb} ${report.prd} ${id}`;
  const here = report.stories.filter(({ gone }) => !gone);
  const changed = here.find((row) => row.changed);
  const blocked = here.find((row) => row.status === "blocked");
  if (blocked !== undefined) {
    const { id } = blocked;
    return [
      line(`No story can be begun. To have ${id} tried again: ${rule("retry", id)} "what to do otherwise"`, "warn"),
      line(`To take it as it is: ${rule("accept", id)}`, "warn"),
    ];
  }
  if (!here.every(hasPassed)) return [line("No story can be begun.", "warn")];
  if (changed === undefined) return [line("Every story has passed.", "good")];
  const { id } = changed;
  return [
    line(
      `Every story has passed, but not all as they read now. To have ${id} done again: ${rule("retry", id)}`,
      "warn",
    ),
    line(`To let it count as it is: ${rule("accept", id)}`, "warn"),
  ];
}

/** What nobody commits any more: the marks of `prd.json` go with the next story's commit, if there is one. */
export function uncommittedLines(
  { report, next }: Standing,
  { work: { root }, uncommitted }: { readonly work: Pick<KnownWork, "root">; readonly uncommitted: readonly string[] },
  shell: Shell,
): readonly Line[] {
  if (next !== undefined || report.passed === 0 || uncommitted.length === 0) return [];
  const what = `${uncommitted.join(" and ")} ${uncommitted.length === 1 ? "is" : "are"} not committed, and no story is left whose commit takes it along.`;
  return [line(`${what} Give: ${commandToCommit(root, report.prd, shell.cwd)}`, "warn")];
}
