import path from "node:path";
import { helperFolders } from "../agents/registry.ts";
import type { Command, Invocation } from "../app/command.ts";
import { locate } from "../app/locate.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import { messageOf, OperationalError } from "../core/errors.ts";
import { writeFileDurably } from "../os/atomic-file.ts";
import { sha256 } from "../os/digest.ts";
import { hasCode, unlessMissing } from "../os/file-errors.ts";
import { CUSTOM_PROMPT, HEADLESS, OTHER_NAME, SKILL } from "./helper-texts.ts";
import { line, plainText } from "../views/plain-text.ts";
import { mkdir, readFile, realpath } from "node:fs/promises";

/** A file with instructions for the agent. */
interface Helper {
  readonly file: string;
  /** must not be left on the way to it, even if a link in a repository leads out; null: the person's own folder */
  readonly within: string | null;
  readonly text: string;
}

/** Who wrote a helper file, and whether it is the one of this version. */
type HelperState = "missing" | "up_to_date" | "older" | "changed";

/** A helper as it was found. */
interface Found extends Helper {
  readonly state: HelperState;
  /** whether it is written, or would be */
  readonly writes: boolean;
}

/**
 * `smithers install-helpers`: writes the custom prompt for the person and the skills for the workspace.
 * Changes nothing that is up to date, and nothing that a person changed, unless `--force` says so.
 */
export const installHelpers: Command = async (invocation, shell) => {
  const { root } = await locate(invocation.flags, shell, "silent");
  const folders = helperFolders();
  const helpers = folders.flatMap(({ prompts, skills }): readonly Helper[] => {
    const skill = (name: string, text: string): Helper => ({
      file: path.join(root, skills, name, "SKILL.md"),
      within: root,
      text: stamped(text),
    });
    const prompt = path.resolve(shell.cwd, prompts(shell.env), "waylon-smithers.md");
    return [
      { file: prompt, within: null, text: stamped(CUSTOM_PROMPT) },
      skill("waylon-smithers", SKILL),
      skill("smithers-loop", OTHER_NAME),
      skill("smithers-headless", HEADLESS),
    ];
  });
  const force = invocation.values.has("force");
  const found: Found[] = [];
  for (const helper of helpers) found.push(await find(helper, force));
  if (!invocation.dryRun) for (const helper of found) if (helper.writes) await write(helper);
  const afterwards = folders.flatMap((folder) => folder.afterwards);
  tell(found, afterwards, invocation, shell);
  return 0;
};

async function find(helper: Helper, force: boolean): Promise<Found> {
  const there = await explained(helper.file, "could not be read", async () => {
    await refuseWayOut(helper);
    return unlessMissing(readFile(helper.file, "utf8"));
  });
  const state = stateOf(there, helper.text);
  return { ...helper, state, writes: state === "missing" || state === "older" || (state === "changed" && force) };
}

/** A link in a repository must not make us write anywhere else. */
async function refuseWayOut({ file, within }: Helper): Promise<void> {
  if (within === null) return;
  const root = await realpath(within);
  for (let folder = file; folder !== path.dirname(within); folder = path.dirname(folder)) {
    const real = await unlessMissing(realpath(folder));
    if (real === undefined) continue;
    if (path.relative(root, real) !== path.relative(within, folder))
      throw unusable(file, `was not written, because ${folder} is a link or leads elsewhere`);
    return;
  }
}

async function write({ file, text }: Found): Promise<void> {
  await explained(file, "could not be written", async () => {
    await mkdir(path.dirname(file), { recursive: true });
    // Where the person's own file is a link, it stays one.
    const target = (await unlessMissing(realpath(file))) ?? file;
    await writeFileDurably(target, text);
  });
}

/** What the file system refuses is for the person to put right. */
async function explained<T>(file: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!hasCode(cause, "EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST", "EISDIR", "ELOOP", "ENOENT"))
      throw cause;
    throw unusable(file, `${what}: ${messageOf(cause)}`, cause);
  }
}

function unusable(file: string, why: string, cause?: unknown): OperationalError {
  return new OperationalError(
    {
      code: "HELPER_UNWRITABLE",
      what: `${file} ${why}. What was there is unharmed.`,
      next: "Put that right and give the command again; what is up to date is left as it is.",
    },
    { cause },
  );
}

const WORDS: Readonly<Record<HelperState, string>> = {
  missing: "written",
  older: "updated",
  up_to_date: "up to date",
  changed: "overwritten",
};

function wordsFor({ state, writes }: Found, dryRun: boolean): string {
  if (state === "changed" && !writes) return "left as it is";
  return dryRun && writes ? `would be ${WORDS[state]}` : WORDS[state];
}

function tell(
  found: readonly Found[],
  afterwards: readonly string[],
  { json, dryRun }: Invocation,
  shell: Shell,
): void {
  for (const { file, state, writes } of found)
    if (state === "changed" && !writes)
      note(shell, plainText(`${file} was changed by somebody, or is not ours: it stays. --force overwrites it.`));
  if (json) {
    const files = found.map(({ file, state, writes, text }) => {
      return { path: file, state, written: writes && !dryRun, ...(dryRun && { text }) };
    });
    return printJson(shell, { schema: 1, dry_run: dryRun, files });
  }
  const told = found.map((helper) => wordsFor(helper, dryRun));
  const width = Math.max(...told.map((words) => words.length));
  const rows = found.map(({ file }, index) => plainText(`${(told[index] ?? "").padEnd(width)}  ${file}`));
  const texts = found.flatMap(({ file, text }) => ["", `${plainText(file)}:`, ...text.trimEnd().split("\n")]);
  const below = dryRun ? texts : ["", ...afterwards, NOTHING_STARTED];
  printLines(
    shell,
    [...rows, ...below].map((text) => line(text)),
  );
}

const NOTHING_STARTED = "They instruct the agent and start nothing: the loop itself is smithers.";

const STAMP = /\n<!-- written by smithers install-helpers, (?<digest>[0-9a-f]{16}) -->\n*$/u;

/** A text with a last line that shows that smithers wrote it and nobody has changed it since. */
export function stamped(text: string): string {
  return `${text}\n<!-- written by smithers install-helpers, ${digestOf(text)} -->\n`;
}

/**
 * The state of a helper file (W-65): `older`: an earlier version wrote it and nobody changed it; `changed`: a person
 * changed or wrote it. Line ends do not count, because git may convert them.
 *
 * @param there the file's content; undefined: it does not exist
 * @param wanted as `stamped` gives it
 */
export function stateOf(there: string | undefined, wanted: string): HelperState {
  if (there === undefined) return "missing";
  const text = there.replaceAll("\r\n", "\n");
  if (text.trimEnd() === wanted.trimEnd()) return "up_to_date";
  const stamp = STAMP.exec(text);
  const isOurs = stamp !== null && stamp.groups?.["digest"] === digestOf(text.slice(0, stamp.index));
  return isOurs ? "older" : "changed";
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}
