import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { locate } from "../app/locate.ts";
import { unpackBundle } from "../carry/bundle.ts";
import { type Carriers, createCarriers, workFileIn } from "../carry/carriers.ts";
import { checkpointsOf } from "../carry/checkpoints.ts";
import { readHandedOver } from "../carry/handed-over.ts";
import { NOTHING_SAVED } from "../carry/save.ts";
import type { Config } from "../config/config.ts";
import { resolveSettings } from "../config/resolve.ts";
import { changeRules } from "../config/settle.ts";
import { type ChangeRules, refusalWords, type Refusal } from "../core/boundary.ts";
import type { CarriedRecord, RefAnswer } from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";
import { COMMITS_FILE, loopRefOf } from "../core/names.ts";
import type { GithubLink, LoopState } from "../core/state.ts";
import { protectedRefusal } from "../git/change-guard.ts";
import {
  type Claims,
  type Foundation,
  type HandedBundle,
  HANDED_REF,
  HandedRepository,
} from "../git/handed-commits.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { githubAccess } from "../github/access.ts";
import { firstToken, withAppToken } from "../github/app/app-token.ts";
import { branchOfRun, type GithubContext, readContext } from "../github/context.ts";
import { dispatchedWith } from "../github/intent-input.ts";
import { KILL_SWITCH } from "../github/kill-switch.ts";
import { exists } from "../os/file-errors.ts";
import type { RunnerLog } from "../os/runner-log.ts";
import { createTeller, type Teller } from "../os/teller.ts";
import { type BranchOptions, createBranches, type PublishBranch } from "../publish/publish-branch.ts";
import { verifyRunRequest } from "../requests/run-request.ts";
import { type JobPlace, marksOf } from "../store/place.ts";
import { type HandedPublication, readPublication, removePublication } from "../store/publication-file.ts";
import { replaceState } from "../store/loop-files.ts";
import { maskSecrets } from "../store/redaction.ts";
import { briefly } from "../views/plain-text.ts";
import { asInputs } from "../views/run-view.ts";
import { leaveNothingBehind } from "./control.ts";
import { finish, superseded } from "./finish.ts";
import { placeOfJob } from "./job-place.ts";
import { continuationsOf } from "./plan-job-run.ts";
import { createJobReport } from "./report.ts";
import { failsJob } from "./run-job.ts";
import type { About, Host } from "./run-stage.ts";
import { settingsInPlan } from "./waves/story-job.ts";
import { renamedTarget, targetBranchOf } from "./target-branch.ts";

const FETCH_MS = 120_000;
const REF_MS = 60_000;
const LOOK_MS = 20_000;
/** Nothing else of the job waits. */
const PUBLISH_MS = 300_000;

/** What the job that publishes works with. */
type Publishing = Omit<BranchOptions, "notice"> & {
  readonly host: Host;
  readonly log: RunnerLog;
  readonly teller: Teller;
  readonly carriers: Carriers;
  readonly repository: HandedRepository;
};

/** What was handed over, as far as it is data of the right shape. */
interface HandedOver {
  readonly record: CarriedRecord;
  readonly publication: HandedPublication;
}

/**
 * The job that publishes what an earlier job of the same run has handed over (decision 0030). It has the token that
 * writes, checks nothing out, and starts no agent and no check. Branch and pull request follow from the event, the
 * workflow and the loop's ref; what is handed over is data of a stranger.
 *
 * @param about as for `Stage`
 * @returns the exit code: 1 when the ending fails the job (`fail-on`), or when nothing holds what the run did
 * @throws OperationalError `HANDED_OVER_REFUSED`; nothing is published then
 */
export async function runPublish(host: Host, log: RunnerLog, about: About): Promise<number> {
  const teller = createTeller(log);
  const { context, place, config } = await readJob(host, teller, log);
  about(place);
  leaveNothingBehind(place, undefined);
  const github = githubAccess(config.githubToken, context);
  if (github === undefined) throw refused("there is no github-token to publish it with", TOKEN_NEXT);
  const url = `${context.serverUrl}/${context.repository.owner}/${context.repository.name}`;
  const mark = marksOf(place).tools;
  const repository = new HandedRepository(place.root, { url, token: config.githubToken, mark });
  await repository.make();
  let base: string | null = null;
  // A session travels through this machine; it has no home here.
  const env = { ...host.env, HOME: place.scratch("publish-home") };
  const making = { host: { env, script: host.script }, context, place, config, github, base: () => base };
  const carriers = await createCarriers(making, teller.notice);
  const publishing = { host, log, teller, carriers, repository, context, place, config, github };
  const handed = await take(publishing);
  if (handed === undefined) {
    teller.notice(NOTHING);
    return 0;
  }
  base = handed.record.base;
  return publishHanded(publishing, handed);
}

async function readJob(host: Host, { notice }: Teller, log: RunnerLog) {
  const context = readContext(host.env);
  // Not the workspace: whatever is there, no file of it is read.
  const root = path.join(context.temp, "smithers", "publish");
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const { env, stdout, stderr } = host;
  const location = await locate({}, { program: "smithers", cwd: root, env, inputs: env, stdout, stderr });
  const read = resolveSettings(location.input);
  const resolved = { ...read, config: withAppToken(read.config, context, log) };
  await firstToken(resolved.config.githubToken);
  const place = placeOfJob(context, { ...location, root, stateFile: null }, env, resolved.config);
  const { config, notices } = settingsInPlan(resolved, place.loopId, context);
  maskSecrets(config, log);
  log.line(`loop ${place.loopId}: publishing what the job before has handed over`);
  for (const text of notices) notice(asInputs(text));
  // No cache: whoever may write it could have a say in the next run.
  return { context, place, config: { ...config, carriers: ["ref", "artifact"] } satisfies Config };
}

/** The artifact's files in the loop's folder; undefined: this run has handed nothing over. */
async function take({ carriers, context, place, config, teller }: Publishing): Promise<HandedOver | undefined> {
  const { runId, attempt } = context;
  const handedOver = { runId, attempt, id: config.handedOver };
  const into = await carriers.folder("handed-over");
  const wanted = { loopId: place.loopId, named: null, unnamed: false, handedOver, into };
  const restored = await carriers.artifact?.restore(wanted, FETCH_MS);
  if (restored?.ok !== true) {
    const trouble = restored?.trouble;
    if (config.handedOver === null && (trouble === undefined || trouble.kind === "absent")) return undefined;
    throw refused(trouble?.because ?? "there is no artifact of that number", LOOK_NEXT);
  }
  const { bundle } = restored.value;
  const { record, why, isSealed, stateDigest } = await readHandedOver(bundle);
  if (why !== null) throw refused(why, LOOK_NEXT);
  if (config.stateKey !== null && !isSealed) throw refused("it is not sealed with the state-key", KEY_NEXT);
  if (record.run.id !== String(runId)) throw refused(`it is of run ${record.run.id}, not of this one`, LOOK_NEXT);
  const { state } = record;
  await rm(place.folder, { recursive: true, force: true });
  await mkdir(place.folder, { recursive: true });
  await unpackBundle(bundle, { to: carriers.places, state, key: config.stateKey, publishes: true });
  const publication = await readPublication(place.folder);
  if (publication === undefined) throw refused("its publication.json is not what this version writes", LOOK_NEXT);
  if (publication.run !== runId || publication.state !== stateDigest)
    throw refused("its parts do not belong together", LOOK_NEXT);
  teller.line(`handed over: revision ${record.revision}, iteration ${state.iteration}, ${state.status}`);
  return { record, publication };
}

/** @returns as `runPublish` */
async function publishHanded(publishing: Publishing, handed: HandedOver): Promise<number> {
  const { carriers, context, place, config, github, host, log, teller } = publishing;
  const { notice } = teller;
  const report = createJobReport(context, place, config, teller.told, log);
  const ref = await carriers.ref?.read(REF_MS);
  if (ref === undefined || ref.answer === "unreachable") {
    throw refused(`the loop's ref cannot be read: ${ref?.why ?? "it is no carrier"}`, RERUN);
  }
  if (ref.answer === "found") carriers.point(ref.record.bulk);
  if (!isNext(ref, handed.record, context)) {
    const state = superseded(handed.record.state, { failure: "another run has gone on with this loop meanwhile" });
    notice(TAKEN);
    await report.summarize(state, NOTHING_SAVED);
    await report.handOver(state, NOTHING_SAVED);
    return failsJob(state, config) ? 1 : 0;
  }
  const stored = ref.answer === "found" ? ref.record.state : undefined;
  const sources = { context, place, config, github, notice };
  const link = await linkOf(sources, stored, handed.record.state);
  const work = await takeWork(publishing, handed, link);
  await removePublication(place.folder);
  const state: LoopState = { ...handed.record.state, ...work.state, github: link };
  await replaceState(place, state);
  await report.writeSummary(state);
  const follows = ref.answer === "found" ? ref.commit : null;
  const note = async (): Promise<void> => {};
  const checkpoints = checkpointsOf(carriers, { follows, seen: true, since: null, note, notice, withinMs: REF_MS });
  const branch = link === null ? undefined : await branchAt(sources, link.branch, work.at);
  const disabled = host.env[KILL_SWITCH] ?? null;
  const { notes, began } = work;
  const telling = { ...sources, teller, branch, view: report.view, disabled, notes, began };
  const finishing = { carriers, checkpoints, note, report, publishing: telling, requests: undefined };
  const ended = await finish(state, finishing, PUBLISH_MS);
  await report.handOver(ended.state, ended.saved);
  return ended.isLost || failsJob(ended.state, config) ? 1 : 0;
}

/** Whether the loop's ref is where the run found it, or where an earlier attempt to publish has put it. */
function isNext(ref: Exclude<RefAnswer, { answer: "unreachable" }>, record: CarriedRecord, { runId }: GithubContext) {
  if (ref.answer === "absent") return record.follows === null;
  return ref.commit === record.follows || ref.record.run.id === String(runId);
}

/**
 * Where the work goes: found out again, as the run did it. The claim is only compared.
 *
 * @throws OperationalError `HANDED_OVER_REFUSED` when it is for another branch
 */
async function linkOf(
  sources: BranchOptions,
  stored: LoopState | undefined,
  { generation, github: claimed }: LoopState,
): Promise<GithubLink | null> {
  if (claimed === null) return null;
  const { context, config, github } = sources;
  const again = stored !== undefined && generation !== stored.generation;
  const opening = again ? ({ do: "renew", generation } as const) : ({ do: "resume" } as const);
  const pullNumber = dispatchedWith(context)?.pr ?? context.event.pullRequest?.number ?? null;
  let target = await targetBranchOf(sources, { opening, stored, pullNumber });
  if (target.branch !== claimed.branch) {
    target = (await renamedTarget(sources, stored, target.branch)) ?? target;
  }
  if (target.branch !== claimed.branch) {
    const why = `it is for the branch ${briefly(claimed.branch)}, and this run's work goes to ${target.branch}`;
    throw refused(why, LOOK_NEXT);
  }
  const known = stored?.github ?? null;
  const same = known?.branch === target.branch ? known : null;
  // Who asked is asked again; a comment that is gone since takes nothing back.
  const asked = await verifyRunRequest(context, github, config.allowedBots).catch(() => undefined);
  return {
    branch: target.branch,
    head: same?.head ?? null,
    pull_request: target.pullRequest ?? same?.pull_request ?? null,
    authorised_by: asked?.asker ?? known?.authorised_by ?? null,
    obeyed: asked?.request ?? known?.obeyed ?? null,
    continuations: asked === undefined ? (known?.continuations ?? 0) + 1 : continuationsOf(asked, stored),
    ...(same?.unpublished === undefined ? {} : { unpublished: same.unpublished }),
  };
}

/** Work that is here now. */
interface TakenWork {
  /** what of the state follows from it */
  readonly state: Pick<LoopState, "snapshot" | "boundary">;
  readonly at: Pick<Claims, "tip" | "head">;
  /** why the commits are not pushed, in sentences */
  readonly notes: readonly string[];
  readonly began: string | null;
}

const WITHHELD: Readonly<Record<NonNullable<HandedPublication["withheld"]>, string>> = {
  secret: "The commits of this run are not published, because they would show a secret of its job.",
  protected: "The commits of this run are not published, because they change files that the agent may not change.",
  unmade:
    "The commits of this run are not published, because they could not be handed over; the log of that job says why.",
};

/** @throws OperationalError `HANDED_OVER_REFUSED` when commits are not built on what people's branches hold */
async function takeWork(
  { repository, carriers, context, place, config, github, host, teller }: Publishing,
  { record, publication }: HandedOver,
  link: GithubLink | null,
): Promise<TakenWork> {
  const { tip, withheld } = publication;
  const head = publication.head ?? record.base;
  const { snapshot, boundary } = record.state;
  const commit = publication.commit ?? head;
  const notes = withheld === null ? [] : [WITHHELD[withheld]];
  if (commit === null) return { state: { snapshot: null, boundary }, at: { tip, head }, notes, began: null };
  const branches = [link?.branch, config.base ?? branchOfRun(context), context.event.defaultBranch];
  const event = /^[0-9a-f]{40}$/u.exec(host.env["GITHUB_SHA"] ?? "")?.[0] ?? null;
  const claims = { commit, tip, head, branches: branches.filter((name) => typeof name === "string"), event };
  const workRef = loopRefOf(place.loopId);
  const commits: HandedBundle = { file: path.join(place.folder, COMMITS_FILE), ref: HANDED_REF, commit };
  const unfinished: HandedBundle = { file: workFileIn(carriers.places), ref: workRef, commit: null };
  const there = await Promise.all([commits, unfinished].map(async (bundle) => exists(bundle.file)));
  const bundles = [commits, unfinished].filter((_, i) => there[i]);
  const taken = await repository.take(claims, bundles, FETCH_MS);
  if (!taken.ok) throw refused(taken.trouble.because, LOOK_NEXT);
  const found = taken.value;
  // As it was chosen for travelling: that is the tree that is here.
  const tree = there[1] === true ? await repository.treeOf(workRef, LOOK_MS) : null;
  const kept = snapshot === null || tree === null ? snapshot : { ...snapshot, tree };
  const branch =
    link === null
      ? undefined
      : await branchAt({ context, place, config, github, notice: teller.notice }, link.branch, found);
  const work = { commit, tree, found };
  const again = await refusalOf(repository, work, place, changeRules(config, context.workspace), branch);
  if (again === null) return { state: { snapshot: kept, boundary }, at: found, notes, began: head };
  const because = `The work is not published: ${refusalWords(again)}.`;
  if (found.head !== null) {
    const without = await repository.take({ ...claims, commit: found.head, head: found.head }, [], FETCH_MS);
    if (!without.ok) throw refused(without.trouble.because, LOOK_NEXT);
  }
  const told = { snapshot: kept, boundary: { ...boundary, refused: again } };
  return { state: told, at: found, notes: [...notes, because], began: head };
}

/** The rules of the engine, asked again of what is here (T17). */
async function refusalOf(
  repository: HandedRepository,
  { commit, tree, found }: { readonly commit: string; readonly tree: string | null; readonly found: Foundation },
  place: JobPlace,
  rules: ChangeRules,
  branch: PublishBranch | undefined,
): Promise<Refusal | null> {
  const { head } = found;
  if (head === null) return null;
  const published = async (): Promise<readonly string[]> => (await branch?.published()) ?? [];
  const workspace = await createGitWorkspace({ ...place, excluded: [], rules, published });
  const from = await repository.treeOf(head, LOOK_MS);
  const trees = [await repository.treeOf(commit, LOOK_MS), ...(tree === null ? [] : [tree])];
  for (const now of trees) {
    const refusal = await workspace.refusal({ head, id: from, tree: from }, { head, id: now, tree: now });
    if (refusal !== null) return refusal;
    const undone = protectedRefusal(rules.protectedPaths, await repository.undone(now, found, LOOK_MS));
    if (undone !== null) return undone;
  }
  return null;
}

async function branchAt(
  sources: BranchOptions,
  name: string,
  at: Pick<Claims, "tip" | "head">,
): Promise<PublishBranch | undefined> {
  return createBranches(sources).reopen({ name, ...at });
}

const NOTHING =
  "No job of this run has handed anything over, so there is nothing to publish: no loop ran, or it had nothing to do. If that job failed, its log says why.";
const TAKEN =
  "Another run has gone on with this loop meanwhile, so nothing of this one is published. What it did is in its artifact.";
const RERUN = "Run the failed jobs of this run again when GitHub answers: they begin from the same artifact.";
const LOOK_NEXT =
  "Look at what the agent and its checks can write in that job, and at the artifact, which is kept; then run the workflow again.";
const KEY_NEXT = `Give the same state-key to both jobs. If they have it: ${LOOK_NEXT}`;
const TOKEN_NEXT = "Leave the input github-token out, or give it a token that may write.";

function refused(why: string, next: string): OperationalError {
  return new OperationalError({
    code: "HANDED_OVER_REFUSED",
    what: `What this run has handed over is not published: ${why.replace(/\.$/u, "")}. Nothing was pushed or said on GitHub, and the loop is where it was.`,
    next,
  });
}
