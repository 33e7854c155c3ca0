/** What a repository may make the person's machine do: nothing, until the person has agreed (decision 0023). */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { type Asking, askingIn, askingInPrd, askingInTask, readPaths } from "../config/consent.ts";
import { readForeign, type ForeignFile } from "../config/foreign.ts";
import { valueText } from "../config/parse.ts";
import { type ConfigFile, readConfigFile } from "../config/read.ts";
import { messageOf, type Problem, UsageError } from "../core/errors.ts";
import type { Prd } from "../core/story/story.ts";
import type { TaskIdentity } from "../core/task.ts";
import { sha256 } from "../os/digest.ts";
import { exists } from "../os/file-errors.ts";
import { type Consented, consentsFolder, keepConsent, readConsent } from "../store/consents.ts";
import { note, type Shell } from "./shell.ts";

/**
 * What a command does where nobody has agreed yet. `ask`: it asks on a terminal, and fails elsewhere. `given`: the person
 * has agreed for this call. `keep`: the person agrees now, and it is kept. `spare`: it goes on without, and says so.
 * `locate`: the same, but only what says where a loop is matters. `silent`: the same, and nothing matters.
 */
export type ConsentMode = "ask" | "given" | "keep" | "spare" | "locate" | "silent";

/** How a command that starts loops treats what nobody has agreed to. */
export function consentMode({ dryRun, values }: { dryRun: boolean; values: ReadonlyMap<string, string> }): ConsentMode {
  if (values.has("trust")) return "given";
  return dryRun ? "spare" : "ask";
}

/** What a person is asked about at a time. */
interface Question {
  /** absolute */
  readonly root: string;
  /** what asks, for people, and under which its answer is kept */
  readonly subject: string;
  /** everything that the answer is about, as JSON has it; a change of it is asked about again */
  readonly about: readonly unknown[];
  /** all that needs consent in it */
  readonly all: readonly Asking[];
  /** settings that the person says, which count in place of what is asked about */
  readonly said: ReadonlySet<string>;
  /** whether a flag in place of a line is another way; another check would be another task (C25) */
  readonly canSay: boolean;
  /** what to type to agree, behind the program's name */
  readonly agree: string;
}

const LOCATES: ReadonlySet<string> = new Set(["state-file", "loopr-root", "solo-config"]);

/**
 * A configuration file as it may be used: without the settings that need a consent which there is not.
 *
 * @param named whether the person asked for it by name; then one outside of the repository needs no consent
 * @throws UsageError `CONSENT_MISSING`
 */
export async function consentToFile<File extends ConfigFile | ForeignFile>(
  file: File,
  { root, named, said }: { root: string; named: boolean; said: ReadonlySet<string> },
  shell: Shell,
  mode: ConsentMode,
): Promise<File> {
  // In a job there is no person to ask.
  if (shell.inputs !== undefined) return file;
  const [reading] = "system" in file ? readForeign([file]) : [readConfigFile(file)];
  if (reading === undefined) return file;
  const all = askingIn(reading.given, await leadingOut(root, readPaths(reading.given)));
  if (all.length === 0 || (named && (await isOutside(root, file.path)))) return file;
  // Whoever names another system's file asks for the defaults that go with it.
  const spoken = named && "system" in file ? new Set([...said, "preset"]) : said;
  const withheld = new Set(all.map(({ name }) => name).filter((name) => !spoken.has(name)));
  // A file with mistakes starts nothing: they are told, and nobody has to agree to it.
  const mild = reading.problems.length > 0 && mode !== "locate" ? "silent" : mode;
  const question = {
    root,
    subject: file.path,
    about: [file.text, all],
    all,
    said: spoken,
    canSay: true,
    agree: agreeingTo(file),
  };
  return (await isAgreed(question, shell, mild)) ? file : { ...file, withheld };
}

function agreeingTo(file: ConfigFile | ForeignFile): string {
  if ("system" in file) return file.system === "solo" ? `trust --solo-config ${file.path}` : "trust";
  return file.path === ".smithers.toml" ? "trust" : `trust --config-file ${file.path}`;
}

/** What a stored task is asked about under. */
export interface StoredTask {
  /** absolute */
  readonly root: string;
  /** seen from the workspace */
  readonly stateFile: string;
  readonly loopId: string;
  readonly identity: TaskIdentity;
}

/**
 * Whether the person's machine may run what a stored task says. It may when it was started or resumed here, by this
 * person, and is as it was; a state that came with a clone, or that was changed since, is asked about.
 *
 * @throws UsageError `CONSENT_MISSING`
 */
export async function consentToTask(
  task: StoredTask,
  said: ReadonlySet<string>,
  shell: Shell,
  mode: ConsentMode,
): Promise<void> {
  // A dry run takes nothing of it away: it shows what a run would ask about.
  await isAgreed({ ...questionAbout(task), said }, shell, mode === "spare" ? "silent" : mode);
}

/**
 * Keeps that the person has started this task here, so that going on with it is not asked about.
 *
 * @param isTheirs whether something that it runs or reads is the person's own word; else nothing is kept
 */
export async function keepTask(task: StoredTask, shell: Shell, isTheirs: (asking: Asking) => boolean): Promise<void> {
  const question = questionAbout(task);
  if (question.all.length === 0 || !question.all.every(isTheirs)) return;
  const folder = folderFor(await realpath(task.root), shell);
  // It can still run; going on with it is asked about then.
  if (typeof folder === "string") await keep(folder, question).catch(() => undefined);
}

function questionAbout({ root, stateFile, loopId, identity }: StoredTask): Question {
  const all = askingInTask(identity, stateFile);
  const about = [JSON.stringify(all), all];
  return { root, subject: stateFile, about, all, said: new Set(), canSay: false, agree: `trust --loop-id ${loopId}` };
}

/**
 * Whether the person's machine may start what a PRD names. The answer is about the commands and agents alone: a change of
 * its texts, or of what has passed, asks nobody again, nor does a command that moves.
 *
 * @param root of the workspace, absolute
 * @param file the PRD's `prd.json`, seen from the workspace
 * @param said settings that the person says, which count in place of what it says; absent: none
 * @throws UsageError `CONSENT_MISSING`
 */
export async function consentToPrd(
  prd: Prd,
  {
    root,
    file,
    said = new Set(),
  }: { readonly root: string; readonly file: string; readonly said?: ReadonlySet<string> },
  shell: Shell,
  mode: ConsentMode,
): Promise<void> {
  // In a job there is no person to ask: it reads what the base says.
  if (shell.inputs !== undefined) return;
  const all = askingInPrd(prd, file);
  const about = [...new Set(all.map(({ name, value }) => JSON.stringify([name, value])))].toSorted();
  const question = { root, subject: file, about, all, said, canSay: false };
  await isAgreed({ ...question, agree: `trust --prd ${prd.name}` }, shell, mode === "spare" ? "silent" : mode);
}

/** @returns whether what is asked about may be used */
async function isAgreed(question: Question, shell: Shell, mode: ConsentMode): Promise<boolean> {
  const { all, said, subject } = question;
  const open = all.filter(({ name }) => mode === "keep" || !said.has(name));
  if (open.length === 0 || mode === "given") return true;
  const workspace = await realpath(question.root);
  const folder = folderFor(workspace, shell);
  const known = typeof folder === "string" ? await readConsent(folder, { workspace, subject }) : undefined;
  if (known?.digest === digestOf(question)) return true;
  const told = open.filter(({ name }) => mode !== "locate" || LOCATES.has(name));
  if (mode === "spare" || mode === "locate") {
    if (told.length > 0) note(shell, spared(question, told, shell));
    return false;
  }
  if (mode === "silent") return false;
  if (!(await agrees(question, known, shell, mode))) throw new UsageError(missing(question, open, known, shell));
  if (typeof folder !== "string") throw new UsageError(folder);
  await keep(folder, question);
  return true;
}

function spared({ subject, agree }: Question, told: readonly Asking[], { program }: Shell): string {
  const names = told.map(({ name }) => name).join(", ");
  return `going on without ${names} of ${visible(subject)}, which nobody has agreed to; look and agree with ${program} ${agree}`;
}

async function agrees(
  question: Question,
  known: Consented | undefined,
  shell: Shell,
  mode: ConsentMode,
): Promise<boolean> {
  const { stdin, stderr } = shell;
  const isTerminal = stdin?.isTTY === true && stderr.isTTY === true;
  if (!isTerminal && mode !== "keep") return false;
  note(shell, `${introduction(question, known)} Agree only if you would run it yourself:`);
  for (const line of shownLines(question.all)) note(shell, line);
  if (!isTerminal || stdin === undefined) return true;
  const ask = createInterface({ input: stdin, output: stderr });
  try {
    // Ctrl+C, and an end without an answer, are a no; an answer that came just before the end counts.
    const ended = new Promise<string>((resolve) => ask.once("close", () => setImmediate(resolve, "")));
    const typed = ask.question(`${shell.program}: Agree? It is asked again only when this changes. [y/N] `);
    const answer = await Promise.race([typed.catch(() => ""), ended]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    ask.close();
  }
}

function introduction({ subject }: Question, known: Consented | undefined): string {
  const file = visible(subject);
  return known === undefined
    ? `${file} is in the workspace, and nobody has agreed yet to what it does on this machine.`
    : `${file} has changed since you agreed to it (${known.at}).`;
}

function missing(
  question: Question,
  open: readonly Asking[],
  known: Consented | undefined,
  { program }: Shell,
): Problem {
  const { agree, canSay } = question;
  const settings = open.map(({ name }) => `--${name}`).join(", ");
  return {
    code: "CONSENT_MISSING",
    what: [`${introduction(question, known)} These need it:`, ...shownLines(open)].join("\n"),
    next: `Read them, then agree with ${program} ${agree}, or for one call with --trust${canSay ? `; what you say yourself needs none: ${settings}` : ""}.`,
  };
}

function shownLines(asking: readonly Asking[]): readonly string[] {
  return asking.map(({ where, value, does }) => `  ${visible(where)} ${does}: ${visible(shown(value))}`);
}

/** As a person would write it, texts in quotes. */
function shown(value: Asking["value"]): string {
  return (Array.isArray(value) ? valueText(value) : undefined) ?? JSON.stringify(value);
}

/** Everything that a terminal would hide or obey, spelled out. */
function visible(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

function digestOf({ about }: Question): string {
  return sha256(JSON.stringify(about));
}

async function keep(folder: string, question: Question): Promise<void> {
  const { root, subject } = question;
  try {
    await keepConsent(folder, { workspace: await realpath(root), subject, digest: digestOf(question) });
  } catch (error) {
    throw new UsageError(unkept(`${folder} cannot be written: ${messageOf(error)}`));
  }
}

/** Where consents are kept: where no work in the workspace can write them. */
function folderFor(workspace: string, { env }: Shell): string | Problem {
  const folder = consentsFolder(env);
  if (folder === undefined) return unkept("there is no home folder");
  return isWithin(workspace, folder) ? unkept(`${folder} is inside the workspace, where the agent writes`) : folder;
}

function unkept(because: string): Problem {
  return {
    code: "CONSENT_UNKEPT",
    what: `The consent cannot be kept: ${because}.`,
    next: "Set XDG_STATE_HOME to a folder of yours outside of the workspace, or agree for one call with --trust.",
  };
}

/** The settings whose path stays in the workspace as it is written, and leads out of it by a link. */
async function leadingOut(root: string, paths: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const top = await realpath(root);
  const found = await Promise.all(
    [...paths].map(async ([name, file]) => {
      const real = await realpath(path.resolve(root, file)).catch(() => undefined);
      return real !== undefined && !isWithin(top, real) ? name : undefined;
    }),
  );
  return new Set(found.filter((name) => name !== undefined));
}

/** Whether a file lies outside of the repository, by its name and without its links. */
async function isOutside(root: string, file: string): Promise<boolean> {
  const named = path.resolve(root, file);
  const top = await repositoryTop(await realpath(root));
  const real = await realpath(named).catch(() => named);
  return !isWithin(root, named) && !isWithin(top, named) && !isWithin(top, real);
}

/** The nearest folder around it that git has; in a worktree `.git` is a file. */
async function repositoryTop(folder: string): Promise<string> {
  for (let top = folder; ; top = path.dirname(top)) {
    if (await exists(path.join(top, ".git"))) return top;
    if (top === path.dirname(top)) return folder;
  }
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
