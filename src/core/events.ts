import type { Denial, ProviderFailure, Usage } from "./agent.ts";
import type {
  Bounds,
  ProgressCounters,
  Circuit,
  Change,
  Snapshot,
  PullRequest,
  Unpublished,
  WaitReason,
} from "./state.ts";
import type { GithubTask, Runtime, TaskIdentity, Tally, Item } from "./task.ts";
import type { Refusal } from "./boundary.ts";
import type { Claim } from "./claim/claim.ts";
import type { HardStopHit } from "./hard-stop.ts";
import type { StopReason } from "./outcome.ts";
import type { Examined } from "./progress/failures.ts";
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
}

export interface LoopResumed extends RunBegun {
  readonly type: "loop_resumed";
  /** why the work in the workspace goes nowhere; absent: nothing is against it */
  readonly refused?: Refusal;
  readonly by: "person" | "trigger";
}

/** Found at load: a turn was in flight when its run died. Its iteration counts. */
interface TurnAbandoned extends Dated {
  readonly type: "turn_abandoned";
  readonly iteration: number;
  /** what it has left; absent in older files */
  readonly snapshot?: Snapshot | null;
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
}

/** Committed before any check runs. */
export interface TurnEnded extends Dated {
  readonly type: "turn_ended";
  readonly iteration: number;
  readonly failure: ProviderFailure | null;
  readonly exit_code: number | null;
  readonly usage: Usage;
  readonly session_usage: Usage | null;
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
  readonly duration_ms: number;
}

export interface Proved extends Dated, Examined, Judged {
  readonly type: "proved";
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
