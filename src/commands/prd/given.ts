import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Shell } from "../../app/shell.ts";
import { messageOf, type Problem, UsageError } from "../../core/errors.ts";
import { hasCode } from "../../os/file-errors.ts";

/** The longest document that is read, in bytes. */
const LONGEST = 8 << 20;

/**
 * The text of a document that a person names; `-` is what comes in on stdin.
 *
 * @throws UsageError `DOCUMENT_UNREADABLE` when it is not there, is no text in UTF-8 or is too long
 */
export async function readGiven(file: string, shell: Shell): Promise<string> {
  const bytes = file === "-" ? await readInput(shell) : await readNamed(file, shell.cwd);
  if (bytes.length > LONGEST) throw new UsageError(unreadable(file, `is longer than ${LONGEST >> 20} MiB`));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(unreadable(file, "is no text in UTF-8"));
  }
}

async function readInput({ stdin }: Shell): Promise<Buffer> {
  if (stdin === undefined || stdin.isTTY === true) throw new UsageError(unreadable("-", "needs a text on stdin"));
  return buffer(stdin);
}

async function readNamed(file: string, cwd: string): Promise<Buffer> {
  const named = path.resolve(cwd, file);
  try {
    const found = await stat(named);
    // A pipe or a device in its place would be read for ever.
    if (!found.isFile()) throw new UsageError(unreadable(file, "is no file"));
    return found.size > LONGEST ? Buffer.alloc(LONGEST + 1) : await readFile(named);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = hasCode(error, "ENOENT", "ENOTDIR") ? "is not there" : `cannot be read (${messageOf(error)})`;
    throw new UsageError(unreadable(file, why));
  }
}

function unreadable(file: string, why: string): Problem {
  return {
    code: "DOCUMENT_UNREADABLE",
    what: `The document ${file} ${why}.`,
    next: "Name a prd.json or a Markdown text with --from; it is seen from the current folder, and - is stdin.",
  };
}
