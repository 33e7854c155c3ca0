import path from "node:path";
import type { Command, Invocation } from "../../app/command.ts";
import { USAGE_EXIT_CODE } from "../../app/present-error.ts";
import { note, printJson, printLines, type Shell } from "../../app/shell.ts";
import { UsageError } from "../../core/errors.ts";
import { readDocument, type PrdIssue } from "../../prd/document.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder } from "../../prd/folder.ts";
import { withStories } from "../../prd/markdown.ts";
import { scaffold } from "../../prd/scaffold.ts";
import { counted } from "../../views/amounts.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { readGiven } from "./given.ts";
import { givenUp, interview } from "./interview.ts";
import { hasErrors, invalidPrd, issueLines, issuesAsJson } from "./issues.ts";
import { isYes, type Person, personAt } from "./person.ts";
import { checkedName, prdProgramOf, workspaceOf } from "./place.ts";
import { readStories } from "./read-stories.ts";
import { documentOf } from "./story-drafts.ts";
import { differing, folderOf, type PrdFile, refuseOverwriting, writePrdFiles } from "./write-files.ts";

/** A PRD that is going to be written. */
interface Made {
  readonly name: string;
  readonly json: string;
  readonly markdown: string;
  /** what a person should know of how it was made */
  readonly notices: readonly string[];
}

/**
 * `smithers prd new`: the two documents of a PRD, from an interview, from a document, by an agent, or to fill in.
 * Overwrites nothing unless it is told to.
 */
export const create: Command = async (invocation, shell) => {
  const { operand, values } = invocation;
  const root = await workspaceOf(invocation, shell);
  const from = values.get("from");
  if (operand !== "") checkedName(operand);
  if (from !== undefined && operand === "") throw nameless(shell, `new my-feature --from ${from}`);
  if (values.has("draft")) return createDraft(root, from, invocation, shell);
  const person = invocation.json || from !== undefined ? undefined : personAt(shell);
  if (person === undefined && operand === "") throw nameless(shell, "new my-feature");
  const made =
    from !== undefined
      ? ofText(operand, await readGiven(from, shell), shell)
      : person === undefined
        ? ofScaffold(operand)
        : await ofInterview(root, person, invocation, shell);
  return write(root, made, invocation, shell);
};

function nameless(shell: Shell, example: string): UsageError {
  const what = "The PRD has no name yet.";
  return new UsageError({ code: "PRD_NAME_MISSING", what, next: `Say it: ${prdProgramOf(shell)} ${example}` });
}

function ofScaffold(name: string): Made {
  return { name, ...scaffold(name), notices: [] };
}

/** A `prd.json` that is taken as it is, or a Markdown text in which stories are looked for. */
function ofText(name: string, text: string, shell: Shell): Made {
  if (text.trimStart().startsWith("{")) {
    const { document, issues } = readDocument(text, { name, folder: prdFolder(name) });
    if (document === undefined) throw invalidPrd(prdFolder(name), issues);
    const { project, description } = document.prd;
    const markdown = withStories(`# ${oneLine(project)}\n\n${description}\n`, document.prd);
    return { name, json: text, markdown, notices: [] };
  }
  const found = readStories(text);
  const { project, description } = found;
  if (found.stories.length === 0) {
    const draft = `${prdProgramOf(shell)} new ${name} --from … --draft --force`;
    const notices = [
      `no story was found in it. A heading or list item such as "US-001: Log in" is one, and so is each below a heading "User stories"; the list below "Acceptance criteria" says when it is done`,
      `mark them so and give this command again with --force, or write them into prd.json, or let the agent draft them: ${draft}`,
    ];
    const known = { ...(project === null ? {} : { project }), ...(description === "" ? {} : { description }) };
    return { name, json: scaffold(name, known).json, markdown: text, notices };
  }
  const lacking = found.stories.filter(({ criteria }) => criteria.length === 0).length;
  const json = documentOf(project ?? name, description, found.stories);
  const { document } = readDocument(json, { name, folder: prdFolder(name) });
  const notices = [
    `${counted(found.stories.length, "story")} read; look whether that is all of them`,
    ...(lacking === 0 ? [] : [`${counted(lacking, "story")} without acceptance criteria: write them into prd.json`]),
  ];
  return { name, json, markdown: document === undefined ? text : withStories(text, document.prd), notices };
}

async function ofInterview(root: string, person: Person, { operand, values }: Invocation, shell: Shell): Promise<Made> {
  const tell = (text: string): void => note(shell, text);
  if (operand !== "" && !values.has("force")) await refuseEarly(root, operand);
  const { name, text } = await interview(person, tell, { name: operand, project: path.basename(root) });
  const { document, issues } = readDocument(text, { name, folder: prdFolder(name) });
  if (document === undefined) throw invalidPrd(prdFolder(name), issues);
  const { project, description, stories } = document.prd;
  const markdown = withStories(`# ${oneLine(project)}\n\n${description}\n`, document.prd);
  tell(`${prdFolder(name)} gets ${JSON_FILE} and ${MARKDOWN_FILE}, with ${counted(stories.length, "story")}:`);
  for (const { id, title, criteria } of stories) tell(oneLine(`${id} ${title} (criteria: ${criteria.length})`));
  if (!isYes(await person.ask("Write them? [Y/n] "), true)) throw givenUp();
  return { name, json: text, markdown, notices: [] };
}

/** The stories as an agent drafts them; a draft that is not valid is kept beside. */
async function createDraft(root: string, from: string | undefined, invocation: Invocation, shell: Shell) {
  const { operand: name, values } = invocation;
  if (from === undefined) throw nameless(shell, "new my-feature --from document.md --draft");
  const source = await readGiven(from, shell);
  if (!values.has("force")) await refuseEarly(root, name);
  const prd = { name, folder: prdFolder(name) };
  const { draftStories } = await import("./draft.ts");
  const { text, document, issues } = await draftStories({ prd, source }, invocation, shell);
  if (document !== undefined) {
    const commands = document.prd.stories.reduce((count, { checks }) => count + checks.length, 0);
    const notices = ["an agent drafted it: read the stories, and above all the commands, before it is run"];
    const told = commands === 0 ? [] : [`${commands} of its criteria name a command that would run on this machine`];
    const markdown = withStories(source, document.prd);
    return write(root, { name, json: text, markdown, notices: [...notices, ...told] }, invocation, shell);
  }
  await writePrdFiles(root, name, [{ name: "draft.json", text }]);
  const kept = `${prd.folder}/draft.json`;
  const what = `The agent's draft is not valid. It is kept in ${kept}; nothing else was written.`;
  const next = `Correct it, then take it: ${prdProgramOf(shell)} new ${name} --from ${kept}`;
  if (invocation.json) {
    const problems = [{ code: "DRAFT_INVALID", what, next }];
    const found = issuesAsJson(prd.folder, issues);
    printJson(shell, { schema: 1, exit_code: USAGE_EXIT_CODE, problems, draft: kept, issues: found });
  } else printLines(shell, issueLines(prd.folder, issues));
  note(shell, `${what}\n  Next: ${next}`);
  return USAGE_EXIT_CODE;
}

/** Before anything is asked or spent for a file that is in the way. */
async function refuseEarly(root: string, name: string): Promise<void> {
  const untouched = filesOf(ofScaffold(name));
  await refuseOverwriting(root, name, untouched, untouched);
}

function filesOf({ json, markdown }: Pick<Made, "json" | "markdown">): readonly PrdFile[] {
  return [
    { name: JSON_FILE, text: json },
    { name: MARKDOWN_FILE, text: markdown },
  ];
}

async function write(root: string, made: Made, invocation: Invocation, shell: Shell): Promise<number> {
  const { name, json, notices } = made;
  const files = filesOf(made);
  if (!invocation.values.has("force")) await refuseOverwriting(root, name, files, filesOf(ofScaffold(name)));
  const overwritten = await differing(root, name, files);
  await writePrdFiles(root, name, files);
  const folder = prdFolder(name);
  const { document, issues } = readDocument(json, { name, folder });
  const next = nextSteps(name, issues, shell);
  const stories = document?.prd.stories.length ?? null;
  if (invocation.json) {
    const paths = files.map((file) => `${folder}/${file.name}`);
    const facts = { prd: name, folder: folderOf(root, name).path, files: paths, overwritten, stories };
    printJson(shell, { schema: 1, ...facts, issues: issuesAsJson(folder, issues), notices, next });
    return 0;
  }
  for (const notice of notices) note(shell, oneLine(notice));
  const rows = [
    `${folder} holds:`,
    `  ${JSON_FILE}  the stories, for the loop`,
    `  ${MARKDOWN_FILE}    the text, for people`,
  ];
  printLines(
    shell,
    [...rows, "", "Next:", ...next.map((step) => `  ${step}`)].map((text) => line(text)),
  );
  return 0;
}

function nextSteps(name: string, issues: readonly PrdIssue[], shell: Shell): readonly string[] {
  const program = prdProgramOf(shell);
  const fill = `write the stories into ${prdFolder(name)}/${JSON_FILE}: ${program} edit ${name}`;
  return [...(hasErrors(issues) ? [fill] : []), `${program} validate ${name}`, `${program} run ${name}`];
}
