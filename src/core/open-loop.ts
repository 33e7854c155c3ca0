import { beginList } from "./claim/contradictions/follow-list.ts";
import type { WorkList } from "./claim/contradictions/work-list.ts";
import { UsageError } from "./errors.ts";
import { isOnlyFlagged } from "./progress/strength.ts";
import { isAbout } from "./review/standing.ts";
import { type StopReason, outcomeOf } from "./outcome.ts";
import { workedMs } from "./cost/spent.ts";
import type { LoopState, Snapshot } from "./state.ts";
import { type BetweenRuns, asBetween, betweenWords } from "./recover/between-runs.ts";
import { tokensOf } from "./review/standing.ts";
import { storyNews } from "./story/news.ts";
import { runOfCandidate } from "./story/wave-names.ts";
import { asRead, type StoriesRead } from "./story/stories.ts";
import { boundsOf, type PrdTask, taskDigest, type Task } from "./task.ts";
import type { Commit } from "./transition.ts";
import type { Ports } from "./ports.ts";
import type { Refusal } from "./boundary.ts";

export interface OpeningRequest {
  readonly taskDigest: string;
  readonly by: "person" | "trigger";
  /** whether a person takes the work as it is, for which no turn is spent */
  readonly acceptsProof: boolean;
  readonly maxIterations: number;
  readonly maxTokens: number | null;
  readonly maxTotalMs: number | null;
  /** how often in a row a loop that ended in `error` may be resumed */
  readonly maxErrorResumes: number;
  /** whether this run could finish on GitHub what an earlier ending left unpublished */
  readonly publishes: boolean;
  /** the id of the failed run that this run is asked to repair; absent: none */
  readonly repairs?: number;
}

/** How a run begins (C25). */
export type Opening =
  | { readonly do: "begin"; readonly generation: 1 }
  | { readonly do: "resume" }
  /** the old record is archived and the loop begins again under its id */
  | { readonly do: "renew"; readonly generation: number }
  /** no turn is spent: what its ending lacks on GitHub is made up for. `because` as for `leave`; null: it is over */
  | { readonly do: "publish"; readonly because: string | null }
  /** nothing may happen; the stored ending stays (PRE 4). In `because`, `<resume>` stands for the command that resumes */
  | { readonly do: "leave"; readonly reason: StopReason; readonly because: string };

/** Start, resume or begin again: what a stable loop id means for a state that has ended (C25). */
export function chooseOpening(stored: LoopState | undefined, request: OpeningRequest): Opening {
  if (stored === undefined) return { do: "begin", generation: 1 };
  if (stored.task_digest !== request.taskDigest) return renewed(stored);
  const reason = stored.stop_reason;
  // A PRD is never over: there may be new stories in it.
  if (reason === null || reason.kind === "stories_passed") return { do: "resume" };
  const opening = afterEnding(stored, reason, request);
  if (opening.do === "resume" || !request.publishes || stored.github?.unpublished === undefined) return opening;
  return { do: "publish", because: opening.do === "leave" ? opening.because : null };
}

function afterEnding(stored: LoopState, reason: StopReason, request: OpeningRequest): Opening {
  // Another failure is another task, whoever brings it.
  const isOther = request.repairs !== undefined && request.repairs !== stored.repair?.run.id;
  if ((reason.kind === "not_reproduced" || reason.kind === "flaky") && isOther) return renewed(stored);
  switch (outcomeOf(reason).resumableBy) {
    case "nobody":
      return request.by === "trigger" && runOfCandidate(stored.loop_id) !== null
        ? { do: "leave", reason, because: CHOSEN_FROM }
        : renewed(stored);
    case "person":
      return request.by === "person" || wasReset(stored)
        ? { do: "resume" }
        : { do: "leave", reason, because: "The loop waits for a person: confirm and go on with: <resume>" };
    case "higher_cap":
      return resumeUnderCap(stored, reason, request);
    case "anybody":
      return resumeAfterError(stored, reason, request);
  }
}

/** Else a job that is run again would begin what the closing job has chosen from. */
const CHOSEN_FROM =
  "The loop is over, and one of several for the same task; another run of the workflow begins new ones.";

/** Closing the circuit by hand lets the loop go on. */
export function wasReset({ status, circuit }: LoopState): boolean {
  return status === "circuit_open" && circuit.state === "CLOSED";
}

function renewed(stored: LoopState): Opening {
  return { do: "renew", generation: stored.generation + 1 };
}

function resumeUnderCap(stored: LoopState, reason: StopReason, request: OpeningRequest): Opening {
  const { spent, iteration } = stored;
  const worked = workedMs(spent);
  const tokens = tokensOf(stored);
  const [used, cap, because] =
    reason.kind === "tokens"
      ? [tokens, request.maxTokens, `used ${tokens} tokens; --max-tokens`]
      : reason.kind === "total_time"
        ? [worked, request.maxTotalMs, `worked ${Math.ceil(worked / 6_000) / 10} minutes; --max-total-minutes`]
        : [
            iteration,
            request.maxIterations,
            `run ${iteration === 1 ? "1 iteration" : `${iteration} iterations`}; --max-iterations`,
          ];
  if (cap === null || cap > used || request.acceptsProof) return { do: "resume" };
  return { do: "leave", reason, because: `The loop has ${because} has to be higher than that.` };
}

/** Waiting and time-budget endings resume without a count; only errors in a row are bounded. */
function resumeAfterError(stored: LoopState, reason: StopReason, request: OpeningRequest): Opening {
  if (stored.status !== "error" || stored.error_resumes < request.maxErrorResumes) return { do: "resume" };
  const because = `The loop ended in an error ${stored.error_resumes + 1} times in a row; correct the cause, then raise --max-error-resumes once.`;
  return { do: "leave", reason, because };
}

/** The clock's time the way it is written down. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "+00:00");
}

/**
 * Goes on with the loop or begins it.
 *
 * @param stored in no turn any more, see `settleAbandoned`
 */
export async function openLoop(
  task: Task,
  ports: Ports,
  stored: LoopState | undefined,
  commit: Commit,
): Promise<LoopState> {
  const at = (): string => timestamp(ports.clock.now());
  const snapshot = await ports.workspace.snapshot();
  const { runtime, limits, identity, guidance, github } = task;
  const given = {
    ...{ runtime, max_iterations: limits.maxIterations, bounds: boundsOf(limits), guidance, github, snapshot },
    ...(task.prd === null ? {} : { stories: await readStories(task.prd, stored, ports) }),
    ...(task.repair === undefined ? {} : { repair: task.repair }),
  };
  const opened = async (event: Parameters<Commit>[0]): Promise<LoopState> => {
    const state = await commit(event);
    const news = state.stories === null ? [] : storyNews(stored?.stories ?? null, state.stories);
    for (const text of news) ports.reporter.observe({ type: "notice", text });
    return state;
  };
  if (stored === undefined) {
    return opened({
      type: "loop_started",
      at: at(),
      loop_id: task.loopId,
      generation: task.generation,
      identity,
      prompt_digest: ports.digest(identity.prompt),
      task_digest: taskDigest(identity, ports.digest),
      ...given,
      artifacts_dir: runtime.artifactsDir,
      hard_stops: await ports.hardStops.scan(),
      tally: await ports.backlog.count(),
      lists: await readLists(task, ports),
    });
  }
  if (task.acceptsProof !== undefined) refuseAcceptance(stored, snapshot);
  const accepts =
    task.acceptsProof === undefined || snapshot === null
      ? {}
      : { accepts: { by: task.acceptsProof, tree: snapshot.tree } };
  if (github?.resetsCircuit === true) {
    await commit({ type: "reset", what: "circuit", by: github.askedBy ?? "a person", at: at() });
  }
  const refused = await refusalOf(stored.boundary.begun, snapshot, ports);
  const between = await changedBetween(stored, ports);
  if (between !== null && task.runtime.commit !== "never")
    ports.reporter.observe({ type: "notice", text: willTakeIn(between) });
  const others = between === null ? {} : { between };
  const lists = task.by === "person" ? { lists: await readLists(task, ports) } : {};
  return opened({ type: "loop_resumed", at: at(), by: task.by, ...lists, ...accepts, ...refused, ...others, ...given });
}

/** What the plan and the todo file have to be done now (C46). */
async function readLists(
  { identity: { todo } }: Task,
  { lists, digest }: Pick<Ports, "lists" | "digest">,
): Promise<readonly WorkList[]> {
  return (await lists.read()).map((file) => beginList(file, todo?.token ?? null, digest));
}

/** What nobody's turn has changed since the loop was seen last; null: nothing, or not known. */
export async function changedBetween(
  { snapshot, github, stories }: Pick<LoopState, "snapshot" | "github" | "stories">,
  { workspace }: Pick<Ports, "workspace">,
): Promise<BetweenRuns | null> {
  // A job's checkout is its own, and a PRD begins no run over changes of others.
  if (snapshot === null || github !== null || stories !== null) return null;
  return asBetween((await workspace.changedOtherwise(snapshot)) ?? []);
}

function willTakeIn(between: BetweenRuns): string {
  return `Changed since the last run, by no turn of the loop: ${betweenWords(between)}. The loop's next commit takes that in and names it; to keep it out, stop the loop and commit or stash it`;
}

/** What the PRD says, and which of the loop's commits the branch holds (C27). */
export async function readStories(
  { name, stories, branch }: PrdTask,
  stored: LoopState | undefined,
  { workspace, digest }: Pick<Ports, "workspace" | "digest">,
): Promise<StoriesRead> {
  const commits = (stored?.stories?.records ?? []).flatMap(({ passing }) => passing?.commit ?? []);
  const held = commits.length === 0 ? new Set<string>() : await workspace.holding(commits);
  const read = stories.map((story) => asRead(story, digest));
  return { prd: name, stories: read, held: [...held], ...(branch === undefined ? {} : { branch }) };
}

/**
 * Why the work goes nowhere (T17), as an event has it.
 *
 * @param begun null: the loop began before this was measured, or where nothing is
 */
export async function refusalOf(
  begun: Snapshot | null,
  now: Snapshot | null,
  { workspace }: Pick<Ports, "workspace">,
): Promise<{ readonly refused?: Refusal }> {
  const refused = begun === null || now === null ? null : await workspace.refusal(begun, now);
  return refused === null ? {} : { refused };
}

/**
 * Refuses to take a proof that is none, or that is about other files than are here (C43).
 *
 * @param now the work tree as it is; null: there is no git repository
 * @throws UsageError `NO_WEAK_PROOF`, `PROOF_OF_OTHER_TREE`; nothing was done then
 */
export function refuseAcceptance(state: LoopState, now: Snapshot | null): void {
  const { strength, verdict, stories, review } = state;
  if (stories !== null) {
    throw new UsageError({
      code: "NO_WEAK_PROOF",
      what: "Of a PRD each story is accepted by itself. Nothing was done.",
      next: "Accept the story: smithers prd accept, or /smithers prd accept.",
    });
  }
  const isVeto = review.answer === "veto" && isAbout(state);
  const isWeak = verdict?.result === "passed" && strength.weaknesses.length > 0 && !isOnlyFlagged(strength.weaknesses);
  if (!isWeak && !isVeto) {
    throw new UsageError({
      code: "NO_WEAK_PROOF",
      what: "There is no weak proof that could be accepted: the checks were not green last, or nothing weakens them, and no reviewer has vetoed the work. Nothing was done.",
      next: "Look at where the loop stands, and let it go on without accepting anything.",
    });
  }
  if (now === null || now.tree !== (isVeto ? review.tree : strength.tree)) {
    throw new UsageError({
      code: "PROOF_OF_OTHER_TREE",
      what: "The files are not those that the proof was about: something has changed since, and what was accepted would be another work. Nothing was done.",
      next: "Undo what has changed since, or let the loop go on without accepting anything; its next proof is about the files of then.",
    });
  }
}
