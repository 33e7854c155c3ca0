import { userInfo } from "node:os";
import type { Command } from "../../app/command.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { notesOf } from "../../app/own-files.ts";
import { amendLoop } from "../../app/stored-loop.ts";
import { suggest } from "../../config/suggest.ts";
import { OperationalError, UsageError } from "../../core/errors.ts";
import type { StoryRuled } from "../../core/events.ts";
import { HOME_FOLDER } from "../../core/names.ts";
import { timestamp } from "../../core/open-loop.ts";
import { TEXT_LIMIT } from "../../core/policy/command.ts";
import { storySubject } from "../../core/settle.ts";
import type { LoopState } from "../../core/state.ts";
import { whyNotRuled } from "../../core/story/ruling.ts";
import { recordOf, storyDigest } from "../../core/story/stories.ts";
import { isStoryId, type Story } from "../../core/story/story.ts";
import { findRepository } from "../../git/repository.ts";
import { createGitWorkspace, type GitWorkspace } from "../../git/workspace.ts";
import { sha256 } from "../../os/digest.ts";
import type { PrdDocument } from "../../prd/document.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder, readPrd } from "../../prd/folder.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { invalidPrd } from "./issues.ts";
import { type KnownWork, workOn } from "./known-work.ts";
import { chosenPrd, prdProgramOf, workspaceOf } from "./place.ts";
import { engineKeysOf } from "./stand.ts";
import { writePrdFiles } from "./write-files.ts";

type Ruling = StoryRuled["ruling"];

/** `smithers prd retry [NAME] US-003 [words]`: the story is tried again; the next attempt gets the words. */
export const retry = ruling("retry");

/** `smithers prd accept [NAME] US-003`: the story counts as passed, by a person's word; its work becomes its commit. */
export const accept = ruling("accept");

/** What is ruled on, and what is known of it. */
interface Case {
  readonly ruling: Ruling;
  readonly name: string;
  readonly story: Story;
  readonly words: string | null;
  readonly document: PrdDocument;
  readonly work: KnownWork;
}

/** What came of it. */
interface Ruled {
  readonly by: string;
  readonly commit: string | null;
  /** unfinished work of the story that is no part of it; a file of the loop's folder */
  readonly patch: string | null;
}

function ruling(kind: Ruling): Command {
  return async (invocation, shell) => {
    const root = await workspaceOf(invocation, shell);
    const { given, id, words } = wordsOf(kind, invocation.operand, shell);
    const name = await chosenPrd(root, given, kind, shell);
    const work = await workOn(root, name, shell.env);
    const { document, issues } = await readPrd(work.root, name);
    if (document === undefined) throw invalidPrd(prdFolder(name), issues);
    const story = ruledStory({ kind, id, document, work }, shell);
    const one = { ruling: kind, name, story, words, document, work };
    const ruled = await rule(one);
    if (invocation.json) printJson(shell, asJson(one, ruled));
    else
      printLines(
        shell,
        linesOf(one, ruled, shell).map((text) => line(oneLine(text))),
      );
    return 0;
  };
}

/** `[NAME] US-003 [words]`; no name of a PRD is what a story is called by. */
function wordsOf(kind: Ruling, operand: string, shell: Shell) {
  const [first = "", second = "", ...more] = operand.trim().split(/\s+/u);
  const isNamed = !isStoryId(first);
  const [given, id, rest] = isNamed
    ? [first, second, more]
    : ["", first, [...(second === "" ? [] : [second]), ...more]];
  const usage = `${prdProgramOf(shell)} ${kind} NAME US-003${kind === "retry" ? ' "what to do otherwise"' : ""}`;
  if (!isStoryId(id)) {
    const what = `${kind} was not told which story is meant: ${JSON.stringify(id)} is no story's id.`;
    throw new UsageError({ code: "STORY_UNNAMED", what, next: `Name it: ${usage}` });
  }
  const words = rest.length === 0 ? null : rest.join(" ");
  if (words !== null && (kind === "accept" || words.length > TEXT_LIMIT)) {
    const what = kind === "accept" ? "accept takes no words." : `The words have more than ${TEXT_LIMIT} characters.`;
    throw new UsageError({ code: "WORDS_REFUSED", what: `${what} Nothing was changed.`, next: `Give: ${usage}` });
  }
  return { given, id, words };
}

/** @throws UsageError when there is no such story, or a person's word about it would be none */
function ruledStory(
  { kind, id, document, work }: { kind: Ruling; id: string; document: PrdDocument; work: KnownWork },
  shell: Shell,
): Story {
  const { prd } = document;
  const known = work.state?.stories ?? null;
  const story = prd.stories.find((one) => one.id === id);
  const status = `${prdProgramOf(shell)} status ${prd.name}`;
  // What only the file calls passed, no loop has looked at yet.
  const isTaken = story?.passes === true && (known === null || recordOf(known, id) === undefined);
  const usual = isTaken ? null : whyNotRuled(prd, known, { id, ruling: kind }, sha256);
  const why = isTaken && kind === "accept" ? `The story ${id} has passed already.` : usual;
  if (story !== undefined && why === null) return story;
  const meant = suggest(
    id,
    prd.stories.map((one) => one.id),
  );
  throw new UsageError({
    code: story === undefined ? "STORY_UNKNOWN" : "STORY_NOT_RULED",
    what: `${why ?? `The PRD ${prd.name} has no story ${id}.`} Nothing was changed.`,
    next: story === undefined && meant !== undefined ? `Did you mean ${meant}?` : `See how the stories are: ${status}`,
  });
}

/** Under the lock of the loop, where there is one. */
async function rule(one: Case): Promise<Ruled> {
  const { work, name, ruling: kind, story, words } = one;
  const repository = await findRepository(work.root);
  const { place, state } = work;
  const workspace =
    repository === undefined
      ? undefined
      : await createGitWorkspace({ root: work.root, folder: place.folder, excluded: [HOME_FOLDER, ...notesOf(name)] });
  const author = await workspace?.author();
  const by = author === undefined ? userInfo().username : `${author.name} <${author.email}>`;
  if (state === undefined || state.stories === null) {
    await mark(one);
    return { by, commit: null, patch: null };
  }
  let commit: string | null = null;
  const ended = await amendLoop({ place, state, alive: false }, async (now): Promise<StoryRuled> => {
    refuseForbidden(one, now);
    await mark(one);
    if (kind === "accept" && workspace !== undefined) commit = await commitOf(one, now, workspace);
    const { id, title } = story;
    const digest = storyDigest(story, sha256);
    const at = timestamp(Date.now());
    return { type: "story_ruled", id, title, digest, ruling: kind, by, words, commit, at };
  });
  const patch = ended.stories === null ? null : (recordOf(ended.stories, story.id)?.patch ?? null);
  return { by, commit, patch: commit === null ? patch : null };
}

/** Work that goes nowhere (T17) is not brought there by a word about its story. */
function refuseForbidden({ ruling: kind, story: { id } }: Case, { stories, boundary }: LoopState): void {
  if (kind !== "accept" || stories?.active !== id || boundary.refused === null) return;
  throw new OperationalError({
    code: "STORY_WORK_REFUSED",
    what: `The work of ${id} in the work tree changes what an agent may not change, so it was not committed. Nothing was changed.`,
    next: "Put those files back (git status names them), then accept it again; or commit them yourself.",
  });
}

/** Says in `prd.json` what was ruled; all else stays as it is. */
async function mark({ ruling: kind, story: { id }, document, name, work }: Case): Promise<void> {
  const marks = new Map(engineKeysOf(document.text));
  marks.set(id, { passes: kind === "accept", inProgress: false });
  const text = document.render(marks);
  if (text !== document.text) await writePrdFiles(work.root, name, [{ name: JSON_FILE, text }]);
}

/** Commits what the work tree holds of the story, as its commit; null: it holds nothing of it. */
async function commitOf(
  { story, name, work }: Case,
  state: LoopState,
  workspace: GitWorkspace,
): Promise<string | null> {
  if (state.stories?.active !== story.id) return null;
  const prefix = (await findRepository(work.root))?.prefix ?? "";
  const documents = new Set([JSON_FILE, MARKDOWN_FILE].map((file) => `${prefix}${prdFolder(name)}/${file}`));
  const dirty = await workspace.dirtyFiles();
  // The mark alone goes with the next story's commit; where nothing is left, it may have been committed and not noted.
  if (dirty.length > 0 && dirty.every((file) => documents.has(file))) return null;
  const { loop_id: loopId, iteration } = state;
  const request = { message: storySubject(story), loopId, iteration, story: { prd: name, id: story.id } };
  return (await workspace.commit(request))?.commit ?? null;
}

function asJson({ ruling: kind, name, story, words, work }: Case, { by, commit, patch }: Ruled): object {
  const loop = work.state === undefined ? null : work.place.loopId;
  return { schema: 1, prd: name, story: story.id, ruling: kind, by, words, commit, patch, loop_id: loop };
}

function linesOf({ ruling: kind, name, story, work }: Case, { by, commit, patch }: Ruled, shell: Shell) {
  const next = `Go on with: ${prdProgramOf(shell)} run ${name}`;
  const file = `${prdFolder(name)}/${JSON_FILE}`;
  const kept =
    patch === null ? [] : [`Its unfinished work was set aside, and is no part of it: ${work.place.folder}/${patch}`];
  if (kind === "retry") return [`${story.id} is tried again.`, next];
  const how =
    commit === null
      ? `${file} says so, and goes with the next commit; nothing else was committed.`
      : `Its work was committed: ${commit}`;
  const unknown =
    work.state === undefined ? ["No loop has worked on this PRD yet: its first run takes that over."] : [];
  return [`${story.id} is accepted by ${by}.`, how, ...unknown, ...kept, next];
}
