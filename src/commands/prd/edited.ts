import type { Invocation } from "../../app/command.ts";
import { printJson, printLines, type Shell } from "../../app/shell.ts";
import { UsageError } from "../../core/errors.ts";
import { marksIn, type PrdDocument, type PrdIssue, readDocument } from "../../prd/document.ts";
import { JSON_FILE, MARKDOWN_FILE, prdFolder } from "../../prd/folder.ts";
import { withStories } from "../../prd/markdown.ts";
import { line, oneLine } from "../../views/plain-text.ts";
import { invalidPrd } from "./issues.ts";
import type { KnownWork } from "./known-work.ts";
import { prdProgramOf } from "./place.ts";
import { type PrdFile, writePrdFiles } from "./write-files.ts";

/** A PRD that is being edited, as it is. */
export interface Edited {
  /** where the stories are worked on, absolute */
  readonly root: string;
  readonly worktree: KnownWork["worktree"];
  readonly name: string;
  /** the text of `prd.json`; undefined: it is not there */
  readonly json: string | undefined;
  /** the text of `prd.md`; undefined: it is not there */
  readonly markdown: string | undefined;
}

/** What a text would be as its `prd.json`. */
export interface Judged {
  /** undefined: something is against it */
  readonly document: PrdDocument | undefined;
  readonly issues: readonly PrdIssue[];
}

export function judged({ name, json }: Edited, text: string, shell: Shell): Judged {
  const { document, issues } = readDocument(text, { name, folder: prdFolder(name) });
  const taken = json === undefined ? [] : engineKeysChanged(json, text, `${prdProgramOf(shell)} accept|retry ${name}`);
  return { document: taken.length === 0 ? document : undefined, issues: [...issues, ...taken] };
}

/** `passes` and `inProgress` are what the loop has proved and does; a new story has neither. */
function engineKeysChanged(before: string, after: string, wayOut: string): readonly PrdIssue[] {
  const was = marksIn(before);
  return [...marksIn(after)].flatMap(([id, now]) => {
    const old = was.get(id) ?? { passes: false, inProgress: false };
    const keys = (["passes", "inProgress"] as const).filter((key) => old[key] !== now[key]);
    return keys.map((key): PrdIssue => {
      const reason = `${key} of ${oneLine(id)} was changed to ${now[key]}, and only the loop writes it`;
      const cure = `Leave it ${old[key]}. To have the story count, or tried again: ${wayOut} ${oneLine(id)}`;
      return { severity: "error", file: "prd.json", line: null, path: "userStories", reason, cure };
    });
  });
}

/** What takes the place of what is there; absent: it stays. */
interface Replacement {
  readonly document?: PrdDocument;
  readonly markdown?: string;
}

/**
 * Writes what has changed, the stories in `prd.md` always as `prd.json` has them, and tells it.
 *
 * @returns the exit code
 * @throws UsageError `PRD_INVALID` or `PRD_MISSING` when the `prd.json` that stays is not valid or not there
 */
export async function writeEdited(
  edited: Edited,
  replacement: Replacement,
  { json }: Invocation,
  shell: Shell,
): Promise<number> {
  const { root, name } = edited;
  const document = replacement.document ?? current(edited, shell);
  const { project, description } = document.prd;
  const text = replacement.markdown ?? edited.markdown ?? `# ${oneLine(project)}\n\n${description}\n`;
  const files: readonly (PrdFile & { readonly was: string | undefined })[] = [
    { name: JSON_FILE, text: document.text, was: edited.json },
    { name: MARKDOWN_FILE, text: withStories(text, document.prd), was: edited.markdown },
  ];
  const changed = files.filter((file) => file.text !== file.was);
  if (changed.length > 0) await writePrdFiles(root, name, changed);
  const written = changed.map((file) => `${prdFolder(name)}/${file.name}`);
  const where = edited.worktree === null ? "" : `, in the work tree ${edited.worktree.folder}`;
  const said =
    written.length === 0 ? `${name}: nothing had to be changed${where}.` : `Written: ${written.join(", ")}${where}`;
  if (json) printJson(shell, { schema: 1, prd: name, written });
  else printLines(shell, [line(oneLine(said))]);
  return 0;
}

function current({ name, json }: Edited, shell: Shell): PrdDocument {
  if (json === undefined) {
    const what = `${prdFolder(name)}/${JSON_FILE} is missing.`;
    throw new UsageError({ code: "PRD_MISSING", what, next: `Make it: ${prdProgramOf(shell)} new ${name}` });
  }
  const { document, issues } = readDocument(json, { name, folder: prdFolder(name) });
  if (document === undefined) throw invalidPrd(prdFolder(name), issues);
  return document;
}
