import { UsageError } from "../../core/errors.ts";
import { parsedJson } from "../../core/text.ts";
import { decoded } from "../../git/diff.ts";
import type { PrivateGit } from "../../git/private-git.ts";
import { marksIn, readDocument } from "../../prd/document.ts";
import { type Documents, JSON_FILE, MARKDOWN_FILE, prdFolder, readDocuments } from "../../prd/folder.ts";
import { withStories } from "../../prd/markdown.ts";
import { quoted } from "../resume/command.ts";
import { repositoryOf, withPrivateGit } from "./stand-on-branch.ts";

/** A PRD whose stories are worked on in a work tree beside the person's checkout. */
interface Beside {
  readonly name: string;
  /** of the person's workspace, absolute */
  readonly home: string;
  /** what that is in the work tree, absolute */
  readonly work: string;
  /** that the work tree is on; "": none */
  readonly branch: string;
}

/**
 * The PRD's documents that say something in the person's checkout which those that are worked with do not: somebody has
 * edited them there since the two were the same. How far the stories are is no edit, nor is what only the work tree says.
 *
 * @returns their names in the PRD's folder
 * @throws as `readDocuments`
 */
export async function editedBeside({ name, home, work, branch }: Beside): Promise<readonly string[]> {
  const [mine, theirs] = await Promise.all([readDocuments(home, name), readDocuments(work, name)]);
  const [here, there] = [meaningOf(mine), meaningOf(theirs)];
  const other = FILES.filter((file) => here[file] !== undefined && here[file] !== there[file]);
  if (other.length === 0) return [];
  const common = meaningOf(await lastInCommon({ name, home, branch }));
  return other.filter((file) => here[file] !== common[file]);
}

const FILES = [JSON_FILE, MARKDOWN_FILE] as const;

/** What the documents say, in a form of which equal ones are equal: the loop's marks, and what follows from `prd.json`, left out. */
function meaningOf({ json, markdown }: Documents): Partial<Record<(typeof FILES)[number], string>> {
  return {
    ...(json === undefined ? {} : { [JSON_FILE]: withoutMarks(json) }),
    ...(markdown === undefined ? {} : { [MARKDOWN_FILE]: withStories(markdown, { stories: [] }) }),
  };
}

/** Also without its layout; what is no JSON stays as it is. */
function withoutMarks(text: string): string {
  const value = parsedJson(text.replace(/^\uFEFF/u, ""));
  if (value === undefined) return text;
  return JSON.stringify(value, (key, one: unknown) => (key === "passes" || key === "inProgress" ? undefined : one));
}

/** The documents as of the last commit that checkout and work tree have in common. */
async function lastInCommon({ name, home, branch }: Omit<Beside, "work">): Promise<Documents> {
  const repository = await repositoryOf(home);
  return withPrivateGit(repository, async (git) => {
    const asked = await git.tryTheirs(["merge-base", "HEAD", branch === "" ? "HEAD" : `refs/heads/${branch}`]);
    const folder = `${asked.stdout.trim()}:${repository.prefix}${prdFolder(name)}`;
    const [json, markdown] = await Promise.all(FILES.map((file) => textOf(git, `${folder}/${file}`)));
    return { json, markdown };
  });
}

async function textOf(git: PrivateGit, blob: string): Promise<string | undefined> {
  const { exitCode, stdout } = await git.tryTheirs(["cat-file", "blob", blob]);
  return exitCode === 0 ? decoded(stdout) : undefined;
}

/** A text for the place of the work tree's `prd.json`: where it says no more of a story than the checkout does, that keeps its marks. */
export function withMarksOf(text: string, { mine, theirs, name }: Record<"mine" | "theirs" | "name", string>): string {
  const { document } = readDocument(text, { name, folder: prdFolder(name) });
  const [old, now] = [marksIn(mine), marksIn(theirs)];
  const marks = [...marksIn(text)].map(([id, mark]) => {
    const was = old.get(id);
    const isStale = was?.passes === mark.passes && was.inProgress === mark.inProgress;
    return [id, (isStale ? now.get(id) : undefined) ?? mark] as const;
  });
  return document?.render(new Map(marks)) ?? text;
}

/**
 * What says that, and how it is brought over.
 *
 * @param files as `editedBeside` @param program how the verbs about PRDs are called
 */
export function beside(
  { name, home, work }: Omit<Beside, "branch">,
  files: readonly string[],
  program = "smithers prd",
) {
  const folder = prdFolder(name);
  const ways = files.map((file) =>
    file === JSON_FILE
      ? `${program} edit ${name} --from ${quoted(`${home}/${folder}/${file}`)}`
      : `cp ${quoted(`${home}/${folder}/${file}`)} ${quoted(`${work}/${folder}/${file}`)}`,
  );
  const named = files.map((file) => `${folder}/${file}`).join(" and ");
  return {
    what: `${named} ${files.length === 1 ? "was" : "were"} edited in your checkout, and the stories are worked on in ${work}, where that is not said.`,
    next: `Bring it over: ${ways.toReversed().join(" && ")}; or put it back: git -C ${quoted(home)} checkout -- ${folder}, or a revert of what was committed.`,
  };
}

/** @throws UsageError `PRD_EDITED_BESIDE` */
export async function refuseEditedBeside(one: Beside): Promise<void> {
  const files = await editedBeside(one);
  if (files.length === 0) return;
  const { what, next } = beside(one, files);
  throw new UsageError({ code: "PRD_EDITED_BESIDE", what: `${what} Nothing was changed.`, next });
}
