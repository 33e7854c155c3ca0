import { userInfo } from "node:os";
import { inWorkTree } from "../../app/checkout/in-work-tree.ts";
import type { Command, Invocation } from "../../app/command.ts";
import { locate, type Location } from "../../app/locate.ts";
import { notesOf } from "../../app/own-files.ts";
import { commandToCommit, refuseOtherBranch, uncommittedDocuments } from "../../app/prd-preflight.ts";
import { settingsNow } from "../../app/read-settings.ts";
import { keptSettings } from "../../app/resume/kept.ts";
import { placeWords, resumeCommand, saidAnew } from "../../app/resume/command.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { amendLoop } from "../../app/loops/stored-loop.ts";
import { changeRules } from "../../config/settle.ts";
import { resolveSettings } from "../../config/resolve.ts";
import { OperationalError } from "../../core/errors.ts";
import type { StoryRuled } from "../../core/events.ts";
import { HOME_FOLDER } from "../../core/names.ts";
import { timestamp } from "../../core/open-loop.ts";
import { recordOf, storyDigest } from "../../core/story/stories.ts";
import type { Story } from "../../core/story/story.ts";
import { isGitRepository } from "../../git/repository.ts";
import { createGitWorkspace, type GitWorkspace } from "../../git/workspace.ts";
import { sha256 } from "../../os/digest.ts";
import { marksIn, type PrdDocument } from "../../prd/document.ts";
import { JSON_FILE, prdFolder, readPrd } from "../../prd/folder.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { hasPassed } from "../../views/story-rows.ts";
import { commitAccepted } from "./accepted-work.ts";
import { type KnownWork, standOf, workOn } from "./known-work.ts";
import { chosenPrd, prdProgramOf } from "./place.ts";
import { type Asked, askedFor, storyIn } from "./ruled-story.ts";
import { writePrdFiles } from "./write-files.ts";

/** `smithers prd retry [NAME] US-003 [words]`: the story is tried again; the next attempt gets the words. */
export const retry = ruling("retry");

/** `smithers prd accept [NAME] US-003`: the story counts as passed, by a person's word; its work becomes its commit. */
export const accept = ruling("accept");

/** What is asked for, with what is known of it. */
interface Case extends Omit<Asked, "given"> {
  readonly name: string;
  readonly work: KnownWork;
  readonly location: Location;
  /** whether what was set aside of the story is left out */
  readonly leavesPatch: boolean;
  /** of the command that is given */
  readonly flags: Invocation["flags"];
  readonly shell: Shell;
}

/** What came of it. */
interface Ruled {
  readonly by: string;
  readonly commit: string | null;
  /** what was set aside of the story, and is in that commit; a file of the loop's folder */
  readonly patch: string | null;
  /** what was set aside of it and is not in that commit; the same */
  readonly left: string | null;
  /** the command that goes on with the loop */
  readonly goOn: string;
}

function ruling(kind: Asked["kind"]): Command {
  return async (invocation, shell) => {
    const { flags } = invocation;
    const location = await locate(flags, shell, "silent");
    const { given, ...asked } = askedFor(kind, invocation.operand, shell);
    const name = await chosenPrd(location.root, given, kind, shell);
    const work = await workOn(location.root, name, shell.env);
    const leavesPatch = invocation.values.has("force");
    const one = { ...asked, name, work, location, leavesPatch, flags, shell };
    if (work.alive) throw running(one);
    const entering = {
      place: work.place,
      home: location.root,
      isPrd: true,
      canGoBeside: false,
      program: shell.program,
    };
    const ruled = await inWorkTree(entering, () => rule(one));
    const uncommitted = await uncommittedDocuments(work.root, name);
    if (invocation.json) printJson(shell, asJson(one, ruled, uncommitted));
    else
      printLines(
        shell,
        [...linesOf(one, ruled, uncommitted), await lastLine(one, ruled)].map((text) => line(oneLine(text))),
      );
    return 0;
  };
}

/** Under the lock of the loop, where there is one; whatever is refused, nothing was written. What another loop has changed is not committed with it. */
async function rule(one: Case): Promise<Ruled> {
  const { work, kind, words, shell } = one;
  const { place, state } = work;
  const workspace = await workspaceOf(one);
  const author = await workspace?.author();
  const by = oneLine(author === undefined ? userInfo().username : `${author.name} <${author.email}>`);
  if (state === undefined || state.stories === null) {
    const { story, document } = await storyIn(one, null, shell);
    await mark(one, document, story);
    return { by, commit: null, patch: null, left: null, goOn: await goOn(one, document) };
  }
  let ruled: Ruled = { by, commit: null, patch: null, left: null, goOn: "" };
  await amendLoop({ place, state, alive: false }, async (now): Promise<StoryRuled> => {
    if (workspace !== undefined) await refuseOtherBranch(work.root, now.stories?.branch);
    const { story, document } = await storyIn(one, now.stories, shell);
    ruled = { ...ruled, goOn: await goOn(one, document) };
    const marking = { mark: () => mark(one, document, story), unmark: () => write(one, document.text) };
    if (kind === "retry" || workspace === undefined) await marking.mark();
    else {
      const { name, leavesPatch } = one;
      const accepting = {
        name,
        story,
        leavesPatch,
        state: now,
        root: work.root,
        folder: place.folder,
        by,
        goOn: ruled.goOn,
      };
      const made = await commitAccepted(accepting, workspace, marking);
      const known = (now.stories && recordOf(now.stories, story.id)?.patch) ?? null;
      ruled = { ...ruled, ...made, left: made.patch === null ? known : null };
    }
    const { id, title } = story;
    const { commit } = ruled;
    const digest = storyDigest(story, sha256);
    return { type: "story_ruled", id, title, digest, ruling: kind, by, words, commit, at: timestamp(Date.now()) };
  });
  return ruled;
}

/** What an agent may not change, a word about its story brings nowhere either, unless that opens it. */
async function workspaceOf({ work, name, flags, shell: { env } }: Case): Promise<GitWorkspace | undefined> {
  const { root, place } = work;
  if (!(await isGitRepository(root))) return undefined;
  // No file says what is protected, and what else a run needs is not asked for here.
  const { config } = resolveSettings({
    flags: { ...flags, "quality-commands": ["true"], sandbox: ["workspace-write"] },
    env,
  });
  const excluded = [HOME_FOLDER, ...notesOf(name)];
  const rules = changeRules(config, root);
  return createGitWorkspace({ root, folder: place.folder, excluded, kept: [prdFolder(name)], rules });
}

function running({ kind, name, id, work, shell }: Case): OperationalError {
  const { program } = shell;
  return new OperationalError({
    code: "LOOP_BUSY",
    what: `The loop of ${name} is running, and nothing is decided beside it: ${id} is as it was. Nothing was changed.`,
    next: `Wait until it has ended, or give ${program} pause --loop-id ${work.place.loopId}; then ${prdProgramOf(shell)} ${kind} ${name} ${id} again.`,
  });
}

/** Says in `prd.json` what was ruled; all else stays as it is. */
async function mark(one: Case, document: PrdDocument, { id }: Story): Promise<void> {
  const marks = new Map(marksIn(document.text));
  marks.set(id, { passes: one.kind === "accept", inProgress: false });
  const text = document.render(marks);
  if (text !== document.text) await write(one, text);
}

async function write({ work, name }: Case, text: string): Promise<void> {
  await writePrdFiles(work.root, name, [{ name: JSON_FILE, text }]);
}

async function goOn(one: Case, { prd }: PrdDocument): Promise<string> {
  const { name, work, location, flags, shell } = one;
  const { state, place } = work;
  if (state !== undefined) {
    const kept = await keptSettings({ ...place, root: location.root }, shell);
    const said = { ...saidAnew(state, settingsNow(location), prd), ...flags };
    return resumeCommand(shell.program, { flags: said, kept }, state);
  }
  return [prdProgramOf(shell), "run", name, ...placeWords(flags)].join(" ");
}

function asJson({ kind, name, id, words, work }: Case, ruled: Ruled, uncommitted: readonly string[]): object {
  const { by, commit, patch, goOn: next } = ruled;
  const loop = work.state === undefined ? null : work.place.loopId;
  return { schema: 1, prd: name, story: id, ruling: kind, by, words, commit, patch, uncommitted, loop_id: loop, next };
}

function linesOf({ kind, name, id, work, shell }: Case, ruled: Ruled, uncommitted: readonly string[]) {
  const { by, commit, patch, left } = ruled;
  const unmarked = uncommitted.includes(`${prdFolder(name)}/${JSON_FILE}`)
    ? [
        `prd.json is not committed; the next story's commit takes it along, or give: ${commandToCommit(work.root, name, shell.cwd)}`,
      ]
    : [];
  if (kind === "retry") return [`${id} is tried again.`, ...unmarked];
  const from = patch === null ? "" : `, from the patch ${patch} that it was set aside in`;
  const how = commit === null ? "No work of it is left to commit." : `Its work was committed${from}: ${commit}`;
  const other = left === null ? [] : [`What was set aside of it as the patch ${left} is not in that.`];
  const unknown =
    work.state === undefined ? ["No loop has worked on this PRD yet: its first run takes that over."] : [];
  return [`${id} is accepted by ${by}.`, how, ...other, ...unknown, ...unmarked];
}

/** How it goes on, if there is anything left to do. */
async function lastLine({ name, location, shell }: Case, { goOn: next }: Ruled): Promise<string> {
  const work = await workOn(location.root, name, shell.env);
  const { document } = await readPrd(work.root, name);
  const rows = document === undefined ? [] : standOf(document.prd, work).report.stories.filter(({ gone }) => !gone);
  return rows.length > 0 && rows.every(hasPassed) ? "Every story has passed." : `Go on with: ${next}`;
}
