import type { CiPlace, NoCiPlace } from "../checks/ci/ci-gate.ts";
import { ciProblem } from "../checks/ci/ci-verdict.ts";
import type { Config } from "../config/config.ts";
import { keepsTree } from "../config/settle.ts";
import { OperationalError, type Problem } from "../core/errors.ts";
import { loopRefOf, PATCH_FILE } from "../core/names.ts";
import type { Unpublished } from "../core/state.ts";
import type { CommitRequest, Workspace } from "../core/ports.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { BranchRefusal } from "../git/branch-push.ts";
import { checkedOut } from "../git/repository.ts";
import { endingOf, type RunView } from "../views/run-view.ts";
import type { PublishBranch } from "./publish-branch.ts";

/** At most; half of the time left is reserved for reporting that it could not be done. */
const PUSH_MS = 60_000;
const PUSH_BESIDE_MS = 30_000;
const LOOK_MS = 20_000;

/** Refusals that somebody can mend without touching the work. */
const MENDABLE: ReadonlySet<string> = new Set([
  "token",
  "permission",
  "not_found",
  "ruleset",
  "workflow_files",
  "name_in_use",
  "moved_away",
  "archived",
] satisfies readonly BranchRefusal[]);

/** What the loop's work is pushed with. */
export interface Pushing {
  /** undefined: nothing can be pushed from here */
  readonly branch: PublishBranch | undefined;
  readonly kept: Kept;
  /** of the workflow */
  readonly runId: number;
  /** takes a line of the log */
  readonly line: (text: string) => void;
  /** how long all of it may still take; milliseconds */
  readonly leftMs: () => number;
}

/** What keeps the loop's work in addition to its branch. */
interface Kept {
  /** the loop's ref, or else its other files, which are saved later */
  readonly by: "ref" | "files" | "nothing";
  /** as in `refs/smithers-loops/<loop-id>` */
  readonly ref: string;
  readonly isSealed: boolean;
  /** where the loop's other files go: people find an artifact */
  readonly files: "artifact" | "elsewhere";
  /** part of a sentence */
  readonly whyNot: string;
}

/** @param refHolds whether the loop's ref holds the ending by now, with the work where that is kept at all */
export function keptOf(
  config: Pick<Config, "carriers" | "checkpointTree" | "stateKey">,
  { loopId, isPrivate, refHolds }: { readonly loopId: string; readonly isPrivate: boolean; readonly refHolds: boolean },
): Kept {
  const { carriers, stateKey } = config;
  const keeps = keepsTree(config, isPrivate);
  const byRef = keeps && refHolds && carriers.includes("ref");
  const byFiles = keeps && carriers.some((name) => name !== "ref");
  return {
    by: byRef ? "ref" : byFiles ? "files" : "nothing",
    ref: loopRefOf(loopId),
    isSealed: stateKey !== null,
    files: carriers.includes("artifact") ? "artifact" : "elsewhere",
    whyNot: keeps ? "nothing else keeps it" : "nothing of it is kept here without a state-key",
  };
}

/** Why the work is not on its branch, and where it is, in whole sentences. */
export interface NotPushed extends Trouble {
  /** where the branch is on GitHub, as far as that is known; null: nowhere */
  readonly head: string | null;
  /** whether another branch or the loop's ref holds it */
  readonly saved: boolean;
  /** whether it is a patch in the loop's folder, which the loop's artifact takes along */
  readonly inPatch?: boolean;
  /** what the next run can still publish; undefined: nothing, or somebody has moved the branch */
  readonly unpublished?: Unpublished;
}

/**
 * Pushes the loop's commits to its branch, if that is where it was when the run began (C13, threats T6).
 *
 * @returns where the branch is on GitHub now
 */
export async function pushWork(
  pushing: Pushing,
  commit: string | null,
  view: RunView,
): Promise<Result<string, NotPushed>> {
  const { branch, line, leftMs } = pushing;
  if (branch === undefined || commit === null) {
    return failed({ because: "There is nothing that could be pushed.", head: null, saved: true });
  }
  const { name, tip, here } = branch;
  if (tip !== null && commit === here) return done(tip);
  const secret = await branch.secretIn(commit, Math.min(LOOK_MS, leftMs() / 4));
  if (secret !== null) {
    const { saved, where } = await saveUnpushed(pushing, branch, { commit, view, mayPush: false, isFit: false });
    return failed({ because: `Nothing was pushed to ${name}: ${secret} ${where}`, head: tip, saved });
  }
  const forbidden = await branch.protectedIn(commit, Math.min(LOOK_MS, leftMs() / 4));
  if (forbidden !== null) {
    // Nor is it on the loop's ref, as such work never is.
    const kept = pushing.kept.by === "ref" ? { ...pushing.kept, by: "files" as const } : pushing.kept;
    const { saved, where } = await saveUnpushed({ ...pushing, kept }, branch, {
      commit,
      view,
      mayPush: false,
      isFit: false,
    });
    return failed({ because: `Nothing was pushed to ${name}: ${forbidden} ${where}`, head: tip, saved });
  }
  const pushed = await branch.push(commit, Math.min(PUSH_MS, leftMs() / 2));
  if (pushed.ok) {
    const { head } = pushed.value;
    line(`pushed to ${name}: ${head}`);
    return done(head);
  }
  const { trouble } = pushed;
  const isWorkflows = trouble.kind === "workflow_files";
  // No branch takes these.
  const unpushed = { commit, view, mayPush: trouble.kind !== "unreachable" && !isWorkflows };
  const { saved, where, isLost, beside, ...patched } = await saveUnpushed(pushing, branch, unpushed, isWorkflows);
  if (trouble.kind === "moved") {
    const now = trouble.now === null ? "it was deleted" : `it is at ${trouble.now.slice(0, 12)}`;
    const was = tip === null ? "it was not there" : `it was at ${tip.slice(0, 12)}`;
    const because = `Nothing was pushed to ${name}, because somebody moved it meanwhile: ${was} when this run saw it last, and ${now}. ${where}`;
    return failed({ because, head: trouble.now, saved, ...patched });
  }
  const next = trouble.next ? ` ${trouble.next}` : "";
  const because = `Nothing was pushed to ${name}: ${trouble.because}.${next} ${where}`;
  const isPassing = trouble.kind === "unreachable" || MENDABLE.has(trouble.kind);
  if (!isPassing || isLost) return failed({ because, head: tip, saved, ...patched });
  const later = isOver(view) ? " The next run of this task brings it to its branch first, without a turn." : "";
  const unpublished: Unpublished = { what: "branch", base: branch.head, tip, kept_on: beside };
  return failed({ because: `${because}${later}`, head: tip, saved, ...patched, unpublished });
}

function isOver({ state }: RunView): boolean {
  return endingOf(state)?.outcome.resumableBy === "nobody";
}

/** What became of work that its branch did not take. */
interface SavedWork {
  /** whether a branch or the loop's ref holds it; else only the loop's files do, which are saved later */
  readonly saved: boolean;
  /** the branch of its own that it is on; null: none */
  readonly beside: string | null;
  /** no later run finds it */
  readonly isLost: boolean;
  /** see `NotPushed` */
  readonly inPatch?: boolean;
  /** in whole sentences */
  readonly where: string;
}

/**
 * Makes sure that work which its branch did not take is not lost with this machine. If no later run goes on with it, it
 * goes to a branch of its own, for people to merge. Never claims that the loop's ref has what it did not take.
 *
 * @param unpushed `mayPush`: whether another branch may take it
 * @param wantsPatch whether a person needs it as a patch, whatever else keeps it
 */
async function saveUnpushed(
  pushing: Pushing,
  branch: PublishBranch,
  unpushed: Unpushed,
  wantsPatch = false,
): Promise<SavedWork> {
  const saved = await saveElsewhere(pushing, branch, unpushed);
  const { files, isSealed } = pushing.kept;
  const isWanted = files === "artifact" && (saved.isLost || wantsPatch) && unpushed.isFit !== false;
  if (!isWanted || !(await branch.keepPatch(unpushed.commit, Math.min(LOOK_MS, pushing.leftMs() / 2)))) return saved;
  const place = `${PATCH_FILE} in the loop's artifact${isSealed ? ", sealed by state-key" : ""}`;
  if (!saved.isLost) return { ...saved, inPatch: true, where: `${saved.where} All of it is ${place} as well.` };
  const alone = `Nothing else keeps the work here, so it is ${place}: \`git apply\` brings that into a checkout of ${branch.name} or of what it began with. No later run finds it there.`;
  return { ...saved, inPatch: true, where: alone };
}

/** Work that its branch did not take; `isFit`: whether it may be shown where the branch would have shown it. */
interface Unpushed {
  readonly commit: string;
  readonly view: RunView;
  readonly mayPush: boolean;
  readonly isFit?: boolean;
}

async function saveElsewhere(
  { kept: { by, ref, isSealed, whyNot }, runId, leftMs }: Pushing,
  branch: PublishBranch,
  { commit, view, mayPush }: Unpushed,
): Promise<SavedWork> {
  const inCopies = { saved: by === "ref", beside: null, isLost: false };
  const keptIn = by === "ref" ? `in ${ref}` : "with the loop's files, as far as they can be saved";
  if (by !== "nothing" && !isOver(view)) {
    return { ...inCopies, where: `The work is kept ${keptIn}; the next run puts it on top of what is there then.` };
  }
  const name = `${branch.name}.run-${runId}`;
  const beside = mayPush ? await branch.beside(name) : undefined;
  const pushed = await beside?.push(commit, Math.min(PUSH_BESIDE_MS, leftMs() / 2));
  if (pushed?.ok === true) {
    const where = `The work is on the branch ${name} instead: merge that by hand.`;
    return { ...inCopies, saved: true, beside: name, where };
  }
  if (by === "nothing") return { ...inCopies, isLost: true, where: `The work is lost with this machine: ${whyNot}.` };
  const until = `The work is kept ${keptIn}${isSealed ? ", sealed by state-key," : ""} until the loop starts over`;
  if (by !== "ref" || isSealed) return { ...inCopies, where: `${until}.` };
  const fetched = `git fetch origin ${ref} && git restore --source=FETCH_HEAD:tree --staged --worktree .`;
  return { ...inCopies, where: `${until}; ${fetched} brings it into a checkout.` };
}

/** What brings the work to where CI can judge it. */
export interface CiRoute extends Pick<Pushing, "branch" | "line"> {
  readonly workspace: Workspace;
  /** of the workspace */
  readonly root: string;
  /** the workflow's file */
  readonly file: string;
}

/** Commits the current work and pushes it to the loop's branch, as an ending does, unless it is there already. */
export async function pushForCi(
  { branch, workspace, root, file, line }: CiRoute,
  request: CommitRequest,
  withinMs: number,
): Promise<Result<CiPlace, NoCiPlace>> {
  const unjudged = (problem: Problem): Result<never, NoCiPlace> => failed({ because: problem.what, problem });
  const not = (why: string, next: string): Result<never, NoCiPlace> => unjudged(ciProblem(file, why, next));
  if (branch === undefined)
    return not("this run has no branch on GitHub that the work could be pushed to", BRANCH_NEXT);
  try {
    await workspace.commit(request);
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    return unjudged({ code, what, next });
  }
  const commit = await checkedOut(root);
  if (commit === null) return not("there is no commit that it could judge", RESUME);
  const { name, tip, here } = branch;
  if (tip !== null && commit === here) return done({ branch: name, head: tip });
  const secret = await branch.secretIn(commit, Math.min(LOOK_MS, withinMs));
  if (secret !== null) return not(`nothing was pushed to ${name}, for ${secret.replace(/\.$/u, "")}`, RESUME);
  const forbidden = await branch.protectedIn(commit, Math.min(LOOK_MS, withinMs));
  if (forbidden !== null) return not(`nothing was pushed to ${name}: ${forbidden.replace(/\.$/u, "")}`, RESUME);
  const pushed = await branch.push(commit, Math.min(PUSH_MS, withinMs));
  if (pushed.ok) {
    const { head } = pushed.value;
    line(`pushed to ${name}: ${head}`);
    return done({ branch: name, head });
  }
  const { kind, because, next } = pushed.trouble;
  if (kind === "moved") return not(`somebody moved ${name} while the loop was at work`, MOVED_NEXT);
  return not(`nothing was pushed to ${name}: ${because}`, next || RESUME);
}

const RESUME = "Put that right, then resume the loop; its work is kept.";
const BRANCH_NEXT =
  "The log says why. Put that right, then resume the loop; its work is kept, and CI is asked before another turn.";
const MOVED_NEXT = "Resume the loop: it puts its work on top of what is there now, and asks CI of that.";
