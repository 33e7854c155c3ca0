import { visible } from "../core/text.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import { isOfFile, runsOfCommit, type WorkflowRun } from "../github/runs.ts";
import { oneLine } from "../views/plain-text.ts";

/** Which failed run somebody wants to have repaired. */
export interface RunToFix {
  readonly run: WorkflowRun;
  /** what else is red for the same commit, the newest first */
  readonly others: readonly WorkflowRun[];
  /** what they say besides; "" without */
  readonly words: string;
}

/** `none`: nothing is to be repaired, in whole sentences; `untold`: GitHub does not say, and `because` is a part of one. */
export interface NoRun extends Trouble {
  readonly kind: "none" | "untold";
}

/** Where runs are looked for. */
export interface RedAt {
  /** the commit */
  readonly sha: string;
  /** files of the workflows that run the loop: what they have done wrong is not repaired */
  readonly own: readonly string[];
}

/**
 * Finds the run that `/smithers fix` is about (C114, `actions: read`): the one that the first line of its words names by
 * id, address, file or name, else the newest that is red. What was green since is not red, and runs of a fork are
 * looked at in nothing. Never throws.
 *
 * @param text what somebody has written behind the command; "" for a label
 */
export async function findRunToFix(github: Github, at: RedAt, text: string): Promise<Result<RunToFix, NoRun>> {
  const listed = await runsAt(github, at);
  if (!listed.ok) return failed({ ...listed.trouble, kind: "untold" });
  const runs = listed.value;
  const red = redIn(runs);
  const { line, rest } = split(text);
  const wanted = namedBy(line, runs);
  if (wanted === null) return chosen(red[0], red, text) ?? none(runs);
  // One that is named by its id is what they want, also where it is green since: a flake is repaired so.
  const isById = idIn(line) !== null;
  const run = isById ? wanted.find(hasFailed) : red.find((one) => wanted.includes(one));
  return chosen(run, red, rest) ?? notRed(oneLine(line), wanted, red);
}

/** The runs that are red for a commit, one for each workflow and event, the newest first (`actions: read`). Never throws. */
export async function findRedRuns(github: Github, at: RedAt): Promise<Result<readonly WorkflowRun[]>> {
  const listed = await runsAt(github, at);
  return listed.ok ? done(redIn(listed.value)) : listed;
}

async function runsAt(github: Github, { sha, own }: RedAt): Promise<Result<readonly WorkflowRun[]>> {
  const all = await runsOfCommit(github, sha);
  if (!all.ok) return all;
  const runs = all.value.filter((run) => !run.fork && !isOfFile(run, own));
  return done(runs.toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id));
}

/**
 * The last verdict of each workflow, where it is a red one. A pull request's run and a push's are two: GitHub shows both,
 * and the first is about a merge with the base.
 *
 * @param runs the newest first
 */
function redIn(runs: readonly WorkflowRun[]): readonly WorkflowRun[] {
  const last = new Map<string, WorkflowRun>();
  for (const run of runs) {
    const key = `${run.event} ${run.path}`;
    if (run.conclusion !== "success" && !hasFailed(run)) continue;
    if (!last.has(key)) last.set(key, run);
  }
  return [...last.values()].filter(hasFailed);
}

function hasFailed({ conclusion }: WorkflowRun): boolean {
  return conclusion === "failure";
}

function chosen(run: WorkflowRun | undefined, red: readonly WorkflowRun[], words: string) {
  return run === undefined ? undefined : done({ run, others: red.filter(({ id }) => id !== run.id), words });
}

function split(text: string): { readonly line: string; readonly rest: string } {
  const [first = "", ...rest] = text.split("\n");
  return { line: first.trim(), rest: rest.join("\n").trim() };
}

/** Also the address of a run, or of one of its jobs. */
const ID = /^(?:#?|https:\/\/\S+\/actions\/runs\/)(?<id>\d{1,15})(?:[/?#]\S*)?$/u;

function idIn(line: string): number | null {
  const id = ID.exec(line)?.groups?.["id"];
  return id === undefined ? null : Number(id);
}

/**
 * The runs that a line names as a whole; null: it names none, so it is words. Names are those of a workflow's file on the
 * branch: they only choose among its failed runs.
 */
function namedBy(line: string, runs: readonly WorkflowRun[]): readonly WorkflowRun[] | null {
  const id = idIn(line);
  if (id !== null) return runs.filter((run) => run.id === id);
  const name = plain(line.replace(/^(["'`“])(.*)["'`”]$/u, "$2"));
  if (name === "") return null;
  const found = runs.filter((run) => plain(run.name) === name || isOfFile({ path: run.path.toLowerCase() }, [name]));
  return found.length === 0 ? null : found;
}

function plain(text: string): string {
  return visible(text).trim().toLowerCase();
}

const NONE_FAILED = "No run of another workflow has failed for the commit that is there now.";
const WAIT = "Wait until CI has failed, then ask again; /smithers start begins on a task.";

function none(runs: readonly WorkflowRun[]) {
  const isGreen = runs.some(hasFailed);
  const because = isGreen ? "What had failed for the commit that is there now is green since." : NONE_FAILED;
  return failed({ kind: "none" as const, because, next: WAIT });
}

/** @param wanted what was named: none, or only what is not red */
function notRed(line: string, wanted: readonly WorkflowRun[], red: readonly WorkflowRun[]) {
  const [newest] = wanted;
  const how =
    newest === undefined
      ? "is no run of another workflow for the commit that is there now"
      : newest.ended
        ? "is not red for the commit that is there now"
        : "has not ended for the commit that is there now";
  const ids = red.slice(0, MOST).map(({ id }) => `/smithers fix ${id}`);
  const next = ids.length === 0 ? WAIT : `What is red there can be named so: ${ids.join(", ")}.`;
  return failed({ kind: "none" as const, because: `“${line}” ${how}.`, next });
}

const MOST = 10;
