import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { TreeRestored, WorkFile } from "../../core/carry.ts";
import { createOperations, withNext } from "../bounded.ts";
import { checkedId } from "../git.ts";
import { RefGit, type RefPlace } from "./ref-git.ts";
import { WorkTreeKeeper } from "./work-keeping.ts";
import { restoreWork } from "./work-restoring.ts";

export interface WorkBundleOptions extends RefPlace {
  /** values that no file that travels may hold; those of less than six characters are not looked for */
  readonly secrets: readonly string[];
}

/**
 * Unfinished work as a git bundle: one commit, under the name of the loop's ref, whose tree is the work as C13 lets it
 * travel and whose parent, the commit that the work began with, has to exist already. With that commit, git alone can
 * show it.
 *
 * It is made and read in a git directory of our own that obeys nothing in the checkout (T12); restored objects get no
 * names.
 */
export function createWorkBundle(options: WorkBundleOptions): WorkFile {
  // The file is sealed with all others, if they are.
  const keeper = new WorkTreeKeeper(null, options.secrets);
  const bounded = createOperations(withNext);
  return {
    save: (file, work, within) =>
      bounded<readonly string[]>(
        within,
        (signal) => save(options, keeper, file, work, signal),
        (why) => [`The unfinished work is not among the loop's files: ${why}. ${ONLY_REF}`],
      ),
    restore: (file, savedBy, within) =>
      bounded<TreeRestored>(
        within,
        (signal) => restore(options, file, savedBy, signal),
        (why) => ({ restored: "failed", why: unusable(savedBy, why) }),
      ),
  };
}

async function opened(place: RefPlace, signal: AbortSignal): Promise<RefGit> {
  const git = new RefGit(place, signal);
  await git.prepare();
  return git;
}

async function save(
  place: RefPlace,
  keeper: WorkTreeKeeper,
  file: string,
  work: Parameters<WorkFile["save"]>[1],
  signal: AbortSignal,
): Promise<readonly string[]> {
  await Promise.all([file, `${file}.lock`].map((name) => rm(name, { force: true })));
  if (place.workTree === null || work === null) return [];
  const { base, tree } = work;
  const git = await opened(place, signal);
  if (base !== null) await git.bring(base);
  const { kept, notices } = await keeper.keep(git, base, tree, null);
  if (kept === null) return notices;
  const bases = base === null ? [] : [base];
  const commit = await git.writeCommit(kept.object, bases, "smithers: unfinished work");
  await git.run(["update-ref", place.ref, commit]);
  await git.run(["bundle", "create", "--quiet", file, place.ref, ...bases.map((id) => `^${id}`)]);
  return notices;
}

async function restore(place: RefPlace, file: string, savedBy: string, signal: AbortSignal): Promise<TreeRestored> {
  if (place.workTree === null) return { restored: "absent" };
  const git = await opened(place, signal);
  const base = baseIn(await beginningOf(file));
  const root = await git.bring(base);
  // Git only takes a bundle whose base has a name.
  if (base !== null) await git.run(["update-ref", "refs/have/base", base]);
  const named = await git.run(["bundle", "unbundle", file]);
  const commit = checkedId(named.split(/[ \n]/u)[0] ?? "");
  const tree = (await git.run(["rev-parse", "--verify", `${commit}^{tree}`])).trim();
  const restored = await restoreWork(git, place.workTree, { base: root, tree });
  if (restored.ok) return { restored: restored.value };
  const { kind, because } = restored.trouble;
  const why = kind === "conflict" ? notFitting(place, savedBy, because) : unusable(savedBy, because);
  return { restored: kind, why };
}

const ONLY_REF = "Only the loop's git ref can bring it to the next run.";

function unusable(savedBy: string, why: string): string {
  return `The work of the last run could not be brought back from its file: ${why}. ${inArtifact(savedBy)}`;
}

/** Says which file holds the work and how to look at it. */
function notFitting({ ref, workTree }: RefPlace, savedBy: string, where: string): string {
  const prefix = workTree?.prefix ?? "";
  const head = prefix === "" ? "HEAD" : `HEAD:${prefix}`;
  const look = `\`git fetch work.bundle ${ref} && git diff ${head} FETCH_HEAD:\` shows it.`;
  return `The work of the last run does not fit what is checked out: ${where}. The workspace is as it was. ${inArtifact(savedBy)} ${look}`;
}

function inArtifact(savedBy: string): string {
  return `It is still kept, as loop/work.bundle in the artifact of run ${savedBy}.`;
}

/** More than the header of our bundles takes, in bytes. */
const HEADER_LIMIT = 4096;

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_LIMIT), 0, HEADER_LIMIT, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The base commit of a bundle, from its header (`gitformat-bundle`); null: none. */
function baseIn(beginning: string): string | null {
  const [header = ""] = beginning.split("\n\n");
  const bases = header.split("\n").filter((line) => line.startsWith("-"));
  if (!/^# v[23] git bundle\n/u.test(header) || bases.length > 1) throw new Error("the file is no bundle of one work");
  const [base] = bases;
  return base === undefined ? null : checkedId(base.slice(1).split(" ")[0] ?? "");
}
