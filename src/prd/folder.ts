import { isUtf8 } from "node:buffer";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { OperationalError, UsageError } from "../core/errors.ts";
import { PRDS_FOLDER } from "../core/names.ts";
import { isPrdName } from "../core/story/story.ts";
import { hasCode } from "../os/file-errors.ts";
import { inOwnFolderIfThere, openToRead, readAtMost } from "../os/own-file.ts";
import { type PrdDocument, type PrdIssue, readDocument } from "./document.ts";
import { driftOf } from "./markdown.ts";
import { blankInProse } from "./scaffold.ts";
import { LIMITS } from "./shape.ts";

/** The document that leads. */
export const JSON_FILE = "prd.json";
/** The document for people. */
export const MARKDOWN_FILE = "prd.md";

/** The folder of a PRD, seen from the workspace. */
export function prdFolder(name: string): string {
  return `${PRDS_FOLDER}/${name}`;
}

/**
 * The names of the workspace's PRDs, sorted: of the folders that can be one. Links are left out.
 *
 * @param root of the workspace, absolute
 * @throws OperationalError `LINK_REFUSED` when the folder around them is a link
 */
export async function listPrds(root: string): Promise<readonly string[]> {
  const entries = await inOwnFolderIfThere({ root, path: path.join(root, PRDS_FOLDER) }, (at) =>
    readdir(at, { withFileTypes: true }),
  );
  const names = (entries ?? []).filter((entry) => entry.isDirectory() && isPrdName(entry.name));
  return names.map(({ name }) => name).toSorted();
}

/** A PRD as it lies there. */
export interface PrdOnDisk {
  /** undefined: there is an error among the issues */
  readonly document: PrdDocument | undefined;
  /** undefined: there is no `prd.md` */
  readonly markdown: string | undefined;
  readonly issues: readonly PrdIssue[];
}

/** Reads files, absolute, as of a commit or of a run, whatever lies in the workspace; undefined: not the repository's. */
export interface AsOfCommit {
  readOriginal(file: string, limit: number): Promise<{ readonly text: string | undefined } | undefined>;
}

/**
 * Reads both documents of a PRD, and says all that is wrong with them.
 *
 * @param root of the workspace, absolute
 * @param committed absent: they are read as they lie there
 * @throws UsageError `PRD_NAME`, `PRD_MISSING` or `PRD_NOT_ON_BASE`; OperationalError `PRD_NOT_A_FILE`, `PRD_TOO_LARGE` or
 * `LINK_REFUSED`, and what `committed` throws
 */
export async function readPrd(root: string, name: string, committed?: AsOfCommit): Promise<PrdOnDisk> {
  if (!isPrdName(name)) throw unnamable(name);
  const folder = prdFolder(name);
  const read = committed === undefined ? readText : readingAsOf(committed, root);
  const both = async (at: string) => ({
    json: await read(at, `${folder}/${JSON_FILE}`),
    markdown: await read(at, `${folder}/${MARKDOWN_FILE}`),
  });
  const at = path.join(root, folder);
  const files = committed === undefined ? await inOwnFolderIfThere({ root, path: at }, both) : await both(at);
  if (files?.json === undefined) throw committed === undefined ? missing(name, await listPrds(root)) : notOnBase(name);
  const { json, markdown } = files;
  const unreadable = [notText(JSON_FILE, json), notText(MARKDOWN_FILE, markdown)].filter(
    (issue) => issue !== undefined,
  );
  if (unreadable.length > 0) return { document: undefined, markdown: markdown?.text, issues: unreadable };
  const { document, issues } = readDocument(json.text, { name, folder });
  const prose = markdown === undefined ? [] : blanksIn(markdown.text);
  const drift = document === undefined ? [] : driftOf(markdown?.text, document.prd);
  const all = [...issues, ...prose, ...drift];
  const stands = all.every(({ severity }) => severity === "warning");
  return { document: stands ? document : undefined, markdown: markdown?.text, issues: all };
}

/** The texts of both documents; undefined: there is no such file. */
export interface Documents {
  readonly json: string | undefined;
  readonly markdown: string | undefined;
}

/**
 * Both documents as they lie there, whatever they say.
 *
 * @param root of the workspace, absolute
 * @throws OperationalError `PRD_NOT_A_FILE`, `PRD_TOO_LARGE` or `LINK_REFUSED`
 */
export async function readDocuments(root: string, name: string): Promise<Documents> {
  const folder = prdFolder(name);
  const read = async (file: string): Promise<string | undefined> => {
    const shown = `${folder}/${file}`;
    const found = await inOwnFolderIfThere({ root, path: path.join(root, folder) }, (at) => readText(at, shown));
    if (found?.isWhole === false) throw notAFile(shown, new Error("it is not written in UTF-8"));
    return found?.text;
  };
  return { json: await read(JSON_FILE), markdown: await read(MARKDOWN_FILE) };
}

interface FileText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** As `readText`, of a commit. */
function readingAsOf(committed: AsOfCommit, root: string): typeof readText {
  return async (_, shown) => {
    try {
      const text = (await committed.readOriginal(path.join(root, shown), LIMITS.bytes))?.text;
      return text === undefined ? undefined : { text, isWhole: !text.includes("\uFFFD") };
    } catch (error) {
      if (error instanceof OperationalError) throw error;
      throw tooLarge(shown);
    }
  };
}

/** @param at as in `inOwnFolder` @param shown the file seen from the workspace @returns undefined without such a file */
async function readText(at: string, shown: string): Promise<FileText | undefined> {
  try {
    const handle = await openToRead(path.join(at, path.posix.basename(shown)));
    try {
      const bytes = await readAtMost(handle, LIMITS.bytes);
      if (bytes === undefined) throw tooLarge(shown);
      return { text: bytes.toString("utf8"), isWhole: isUtf8(bytes) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (error instanceof OperationalError && error.code !== "LINK_REFUSED") throw error;
    throw notAFile(shown, error);
  }
}

/** What somebody left in of a new `prd.md`, the first two of it. */
function blanksIn(markdown: string): readonly PrdIssue[] {
  const issues = markdown.split("\n").flatMap((line, index): PrdIssue[] => {
    const blank = blankInProse(line);
    if (blank === undefined) return [];
    const reason = `this is the text of a new document: ${blank}`;
    return [
      {
        severity: "error",
        file: "prd.md",
        line: index + 1,
        path: "",
        reason,
        cure: "Put your own words in its place.",
      },
    ];
  });
  return issues.slice(0, 2);
}

function notText(file: PrdIssue["file"], found: FileText | undefined): PrdIssue | undefined {
  if (found === undefined || found.isWhole) return undefined;
  const line = found.text.slice(0, found.text.indexOf("\uFFFD")).split("\n").length;
  const reason = "it is not written in UTF-8";
  return { severity: "error", file, line, path: "", reason, cure: "Save it as UTF-8 in your editor." };
}

function unnamable(name: string): UsageError {
  return new UsageError({
    code: "PRD_NAME",
    what: `${JSON.stringify(name.slice(0, 80))} cannot name a PRD.`,
    next: 'A name begins with a letter or digit, then come at most 63 letters, digits, ".", "_" or "-"; the words of the commands are no names.',
  });
}

const NAMED = 20;

function missing(name: string, others: readonly string[]): UsageError {
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  return new UsageError({
    code: "PRD_MISSING",
    what: `There is no PRD ${name}: ${prdFolder(name)}/${JSON_FILE} is missing. Nothing was changed.`,
    next:
      others.length === 0
        ? `Make it with: smithers prd new ${name}`
        : `Name one of those that are there (${others.slice(0, NAMED).join(", ")}${more}), or make it with: smithers prd new ${name}`,
  });
}

function notOnBase(name: string): UsageError {
  return new UsageError({
    code: "PRD_NOT_ON_BASE",
    what: `There is no PRD ${name} in the commit that a job takes its orders from: the one that a pull request is for, else the one that the workflow runs for. Nothing was changed.`,
    next: `Bring ${prdFolder(name)} to that branch by a commit or a pull request that somebody has looked at, then run it again.`,
  });
}

function notAFile(shown: string, cause: unknown): OperationalError {
  return new OperationalError(
    {
      code: "PRD_NOT_A_FILE",
      what: `${shown} is no regular file of its own, or cannot be read. Nothing was read or changed there.`,
      next: `Put a regular file in its place (git checkout -- ${shown}), then try again.`,
    },
    { cause },
  );
}

function tooLarge(shown: string): OperationalError {
  return new OperationalError({
    code: "PRD_TOO_LARGE",
    what: `${shown} is larger than ${LIMITS.bytes >> 20} MiB, so it was not read. Nothing was changed.`,
    next: "Part it into several PRDs, each with a folder of its own.",
  });
}
