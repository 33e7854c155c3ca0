import { rm } from "node:fs/promises";
import path from "node:path";
import type { Command, Invocation } from "../../app/command.ts";
import { USAGE_EXIT_CODE } from "../../app/present-error.ts";
import { note, printLines, type Shell } from "../../app/shell.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import { inOwnFolder } from "../../os/own-file.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder } from "../../prd/folder.ts";
import { type Edited, judged, writeEdited } from "./edited.ts";
import { editorOf, openEditor } from "./editor.ts";
import { readGiven } from "./given.ts";
import { invalidPrd, issueLines } from "./issues.ts";
import { type KnownWork, workOn } from "./known-work.ts";
import { isYes, type Person, personAt } from "./person.ts";
import { chosenPrd, prdProgramOf, workspaceOf } from "./place.ts";
import { folderOf, readPrdFile, writePrdFiles } from "./write-files.ts";

/**
 * `smithers prd edit`: a person's editor on a copy of `prd.json` or `prd.md`; what is valid is written, and the stories in
 * `prd.md` follow. For programs: a text that replaces `prd.json`, or the stories alone.
 */
export const edit: Command = async (invocation, shell) => {
  const { values } = invocation;
  const home = await workspaceOf(invocation, shell);
  const name = await chosenPrd(home, invocation.operand, "edit", shell);
  const work = await workOn(home, name, shell.env);
  refuseRunning(name, work, shell);
  const { root } = work;
  const [json, markdown] = await Promise.all([JSON_FILE, MARKDOWN_FILE].map((file) => readPrdFile(root, name, file)));
  const edited = { root, name, json, markdown, worktree: work.worktree };
  const from = values.get("from");
  if (from !== undefined) {
    const text = await broughtOver(edited, home, await readGiven(from, shell));
    const { document, issues } = judged(edited, text, shell);
    if (document === undefined) throw invalidPrd(prdFolder(name), issues);
    return writeEdited(edited, { document }, invocation, shell);
  }
  const person = values.has("sync") || invocation.json ? undefined : personAt(shell);
  if (person === undefined) return writeEdited(edited, {}, invocation, shell);
  return editByHand({ ...edited, home }, person, invocation, shell);
};

/** A run puts its documents back to what it has read. @throws OperationalError `LOOP_BUSY` */
function refuseRunning(name: string, { alive, place }: KnownWork, shell: Shell, more = ""): void {
  if (!alive) return;
  const { program } = shell;
  throw new OperationalError({
    code: "LOOP_BUSY",
    what: `The loop of ${name} is running, and puts the PRD's documents back to what it has read. Nothing was changed${more}.`,
    next: `Wait until it has ended, or give ${program} pause --loop-id ${place.loopId}; then ${prdProgramOf(shell)} edit ${name} again.`,
  });
}

/** What was edited in the checkout knows nothing of how far the stories are in their work tree. */
async function broughtOver({ name, json, worktree }: Edited, home: string, text: string): Promise<string> {
  const mine = worktree === null || json === undefined ? undefined : await readPrdFile(home, name, JSON_FILE);
  if (json === undefined || mine === undefined) return text;
  const { withMarksOf } = await import("../../app/checkout/edited-beside.ts");
  return withMarksOf(text, { mine, theirs: json, name });
}

/** The copy that an editor works on, in the PRD's folder; it stays where a person wants to go on later. */
type Copy = "draft.json" | "draft.md";

async function editByHand(
  edited: Edited & { readonly home: string },
  person: Person,
  invocation: Invocation,
  shell: Shell,
): Promise<number> {
  const { root, name, home } = edited;
  const isMarkdown = invocation.values.has("markdown");
  const copy: Copy = isMarkdown ? "draft.md" : "draft.json";
  const editor = editorOf(shell);
  const before = (isMarkdown ? edited.markdown : edited.json) ?? "";
  await writePrdFiles(root, name, [{ name: copy, text: (await keptCopy(edited, copy, person)) ?? before }]);
  for (;;) {
    await openEditor(editor, path.join(folderOf(root, name).path, copy), shell);
    const text = (await readPrdFile(root, name, copy)) ?? before;
    const { document, issues } = judged(edited, isMarkdown ? (edited.json ?? "") : text, shell);
    if (document !== undefined) {
      const kept = `; what you have written is kept in ${prdFolder(name)}/${copy}`;
      refuseRunning(name, await workOn(home, name, shell.env), shell, kept);
      const replacement = isMarkdown ? { markdown: text } : { document };
      const exitCode = await writeEdited(edited, replacement, invocation, shell);
      await discard(edited, copy);
      return exitCode;
    }
    printLines(shell, issueLines(prdFolder(name), issues));
    const answer = await person.ask("Edit it again, keep it as a draft, or throw it away? [E/k/t] ");
    if (answer === undefined || /^k/iu.test(answer)) return keep(edited, copy, shell);
    if (!/^t/iu.test(answer)) continue;
    await discard(edited, copy);
    note(shell, `thrown away; ${prdFolder(name)} is as it was`);
    return 0;
  }
}

/** What was kept of an earlier edit, if the person wants to go on with it. @throws UsageError `GIVEN_UP` */
async function keptCopy({ root, name }: Edited, copy: Copy, person: Person): Promise<string | undefined> {
  const kept = await readPrdFile(root, name, copy);
  if (kept === undefined) return undefined;
  const answer = await person.ask(`There is a draft, ${prdFolder(name)}/${copy}. Go on with it? [Y/n] `);
  if (answer !== undefined) return isYes(answer, true) ? kept : undefined;
  const next = `Edit it later, or throw it away: rm ${prdFolder(name)}/${copy}`;
  throw new UsageError({ code: "GIVEN_UP", what: "You ended it before it began.", next });
}

async function discard({ root, name }: Edited, copy: Copy): Promise<void> {
  await inOwnFolder(folderOf(root, name), (at) => rm(path.join(at, copy), { force: true }));
}

function keep({ name }: Edited, copy: Copy, shell: Shell): number {
  const again = `${prdProgramOf(shell)} edit ${name}${copy === "draft.md" ? " --markdown" : ""}`;
  note(shell, `kept in ${prdFolder(name)}/${copy}, and the PRD is as it was; go on with ${again}`);
  return USAGE_EXIT_CODE;
}
