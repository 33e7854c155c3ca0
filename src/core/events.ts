import type { Denial, ProviderFailure, Usage } from "./agent.ts";
import type { Bounds, Circuit, Change, Snapshot, PullRequest, Unpublished, WaitReason } from "./state.ts";
import type { GithubTask, Runtime, TaskIdentity, Tally, Item } from "./task.ts";
import type { Refusal } from "./boundary.ts";
import type { Claim } from "./claim/claim.ts";
import type { Contradiction } from "./claim/contradictions/contradiction.ts";
import type { WorkList } from "./claim/contradictions/work-list.ts";
import type { HardStopHit } from "./hard-stop.ts";
import type { StopReason } from "./outcome.ts";
import type { BetweenRuns } from "./recover/between-runs.ts";
import type { ProgressCounters } from "./progress/progress-counters.ts";
import type { Examined } from "./progress/failures.ts";
import type { Review } from "./review/review.ts";
import type { FailedRun } from "./repair/repair.ts";
import type { Judged } from "./progress/strength.ts";
import type { StoriesRead, StoryBlocked, StoryEnd } from "./story/stories.ts";
import type { Undone } from "./story/undone.ts";

interface Dated {
  /** ISO 8601 with a UTC offset */
  readonly at: string;
}

/** What a run brings along; limits and runtime are always the current settings' (C25). */
interface RunBegun extends Dated {
  readonly runtime: Runtime;
  readonly max_iterations: number;
  readonly bounds: Bounds;
  readonly guidance: string | null;
  readonly github: GithubTask | null;
  readonly snapshot: Snapshot | null;
  /** what the PRD says now; absent: there is none */
  readonly stories?: StoriesRead;
  /** the failed run that is to be repaired; absent: nobody has named one */
  readonly repair?: FailedRun;
}

export interface LoopStarted extends RunBegun {
  readonly type: "loop_started";
  readonly loop_id: string;
  readonly generation: number;
  readonly identity: TaskIdentity;
  readonly prompt_digest: string;
  readonly task_digest: string;
  /** the loop's folder, ending in the loop id (W-48) */
  readonly artifacts_dir: string;
  readonly hard_stops: readonly HardStopHit[];
  /** how far the checklist is; null: none */
  readonly tally: Tally | null;
  /** what the plan and the todo file have to be done; absent in older files */
  readonly lists?: readonly WorkList[];
}

export interface LoopResumed extends RunBegun {
  readonly type: "loop_resumed";
  /** why the work in the workspace goes nowhere; absent: nothing is against it */
  readonly refused?: Refusal;
  readonly by: "person" | "trigger";
  /** the plan and the todo file as a person has left them; absent: nobody has */
  readonly lists?: readonly WorkList[];
  /** who takes the weak proof, and the work tree that it is about (C43); absent: nobody does */
  readonly accepts?: { readonly by: string; readonly tree: string };
  /** what changed while no run had the loop, and is not committed; absent: nothing, or not known */
  readonly between?: BetweenRuns;
}

/** Found at load: a turn was in flight when its run died. Its iteration counts. */
interface TurnAbandoned extends Dated {
  readonly type: "turn_abandoned";
  readonly iteration: number;
  /** what it has left; absent in older files */
  readonly snapshot?: Snapshot | null;
  /** its work; absent: there was nothing to commit, or nothing is committed */
  readonly commit?: string | null;
  /** see `Settled` */
  readonly submodules?: readonly string[];
}

/** Written before the agent starts, so that a turn that kills its machine cannot repeat for ever. */
export interface TurnStarted extends Dated {
  readonly type: "turn_started";
  readonly iteration: number;
  readonly item: Item;
  readonly session: "fresh" | "resumed";
  /** which agent takes the turn, where a story or its PRD says so; absent: that of the settings */
  readonly provider?: string;
}

/** Committed as soon as the id is known, so that an interrupted turn can be resumed (W-64). */
interface SessionOpened extends Dated {
  readonly type: "session_opened";
  readonly session_id: string;
  /** id of the session that the turn was to go on in, which is lost or full: this is a fresh one in its place */
  readonly replaces?: string;
}

/** Committed before any check runs. */
export interface TurnEnded extends Dated {
  readonly type: "turn_ended";
  readonly iteration: number;
  readonly failure: ProviderFailure | null;
  readonly exit_code: number | null;
  readonly usage: Usage;
  readonly session_usage: Usage | null;
  /** in millionths of a USD, by a price or as the agent says it; absent: not known */
  readonly cost?: number;
  /** whether the session has outgrown the model's context, so that the next turn begins a fresh one (C2) */
  readonly session_full: boolean;
  readonly claim: Claim;
  readonly summary: string;
  readonly snapshot: Snapshot | null;
  readonly change: Change | null;
  /** why the work that it has left goes nowhere; absent: nothing is against it */
  readonly refused?: Refusal;
  /** how far the checklist is; null: none */
  readonly tally: Tally | null;
  readonly denied: readonly Denial[];
  /** see `LastTurn` */
  readonly pending?: number;
  readonly undone?: readonly Undone[];
  /** the plan and the todo file, as far as they are followed; absent: they are not */
  readonly lists?: readonly WorkList[];
  readonly contradictions?: readonly Contradiction[];
  readonly duration_ms: number;
}

export interface Proved extends Dated, Examined, Judged {
  readonly type: "proved";
}

/** What another session says of work that would count as done (C50). */
export interface Reviewed extends Dated, Pick<Review, "why" | "objections" | "iteration" | "of" | "tree"> {
  readonly type: "reviewed";
  /** null: it was cut off on request, and nothing was said */
  readonly answer: Review["answer"];
  /** null: nobody was asked; a veto was counted again */
  readonly usage: Usage | null;
  /** in millionths of a USD; absent: not known */
  readonly cost?: number;
  readonly duration_ms: number;
}

interface WaitStarted extends Dated {
  readonly type: "wait_started";
  readonly until: string;
  readonly why: WaitReason;
}

export interface Settled extends Dated {
  readonly type: "settled";
  readonly iteration: number;
  readonly commit: string | null;
  /** submodules that the commit moves to another commit; absent: none */
  readonly submodules?: readonly string[];
  readonly snapshot: Snapshot | null;
  readonly hard_stops: readonly HardStopHit[];
  readonly progress: ProgressCounters;
  readonly circuit: Circuit;
  /** when the next turn may begin (S-14); null: at once */
  readonly next_at: string | null;
  /** how it leaves its story; absent: there is none, or it goes on */
  readonly story?: StoryEnd;
}

/** What the commands of a story's criteria say before it begins. */
export interface StoryExamined extends Dated {
  readonly type: "story_examined";
  readonly id: string;
  readonly title: string;
  readonly digest: string;
  readonly before: readonly { readonly run: string; readonly green: boolean }[];
  /** the same of stories that have passed, where it was not known; absent: it was */
  readonly others?: {
    readonly asked: number;
    readonly red: readonly { readonly story: string; readonly run: string }[];
  };
}

/** A story that is not begun once more, because its attempts are used up. */
export interface StoryGivenUp extends Dated {
  readonly type: "story_given_up";
  readonly story: StoryBlocked;
}

/** Another story is about to begin: what this one left unfinished is out of the work tree. */
export interface StoryShelved extends Dated {
  readonly type: "story_shelved";
  readonly id: string;
  /** a file of the loop's folder; null: there was nothing */
  readonly patch: string | null;
  readonly snapshot: Snapshot | null;
}

/** A person decides about a story while no run has the loop. */
export interface StoryRuled extends Dated {
  readonly type: "story_ruled";
  readonly id: string;
  readonly title: string;
  readonly digest: string;
  readonly ruling: "accept" | "retry";
  readonly by: string;
  /** for the next attempt; null: nothing */
  readonly words: string | null;
  /** the commit of what was accepted; null: there was nothing to commit */
  readonly commit: string | null;
}

export interface LoopStopped extends Dated {
  readonly type: "loop_stopped";
  readonly reason: StopReason;
  readonly commit: string | null;
  /** see `Settled` */
  readonly submodules?: readonly string[];
}

/** Somebody resets a part of the loop while it does not run. */
export interface Reset extends Dated {
  readonly type: "reset";
  /** `circuit`: what counts against the agent, and its session; `session`: its session alone */
  readonly what: "circuit" | "session";
  readonly by: string;
}

/** The result of publishing an ending on GitHub (C13). */
export interface Published extends Dated {
  readonly type: "published";
  /** the commit that the branch was pushed to; null: it was not */
  readonly head: string | null;
  readonly pull_request: PullRequest | null;
  /** whether the loop is about to start its next run by itself */
  readonly continues: boolean;
  /** absent: all of it is done, or will never be */
  readonly unpublished?: Unpublished;
}

/** The few durable events of a loop; its state is their fold (`transition`). */
export type LoopEvent =
  | LoopStarted
  | LoopResumed
  | TurnAbandoned
  | TurnStarted
  | SessionOpened
  | TurnEnded
  | Proved
  | Reviewed
  | WaitStarted
  | Settled
  | StoryExamined
  | StoryGivenUp
  | StoryShelved
  | StoryRuled
  | LoopStopped
  | Reset
  | Published;

export type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;
