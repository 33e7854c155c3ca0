import type { HardStopHit } from "../hard-stop.ts";
import type { StopReason } from "../outcome.ts";
import type { ControlRequest } from "../ports.ts";
import type { Item, Task } from "../task.ts";
import type { LoopState, WaitReason } from "../state.ts";
import type { StoryBlocked, StoryEnd } from "../story/stories.ts";
import type { Story } from "../story/story.ts";
import type { Evidence } from "../verdict.ts";

/** What the engine sees when it looks at the world before it decides: plain data. */
export interface Facts {
  /** milliseconds since the epoch */
  readonly now: number;
  /** the strongest request that came in during this run */
  readonly request: ControlRequest | null;
  readonly item: Item | null;
  /** HARD STOP lines that the todo file has now */
  readonly hardStops: readonly HardStopHit[];
  /** what other loops of the repository have used since midnight (UTC); absent: nothing, or nobody asks */
  readonly tokensOfOthers?: number;
}

export type Move =
  | { readonly do: "stop"; readonly reason: StopReason }
  | { readonly do: "wait"; readonly until: number; readonly why: WaitReason }
  | { readonly do: "turn"; readonly item: Item }
  | { readonly do: "prove"; readonly evidence: Evidence }
  /** another session looks at the work before it counts as done */
  | { readonly do: "review" }
  /** the story's own commands, before it begins */
  | { readonly do: "examine"; readonly story: Story }
  /** the story is not begun once more */
  | { readonly do: "give_up"; readonly story: StoryBlocked }
  /** another story is about to begin */
  | { readonly do: "shelve"; readonly story: string }
  /** `commits`: whether the iteration's work becomes a commit; `story`: how it leaves its story, null: that goes on */
  | { readonly do: "settle"; readonly commits: boolean; readonly story: StoryEnd | null };

/** One row of the PRE or POST table: pure; undefined when the row does not match. */
export type StopRule = (task: Task, state: LoopState, facts: Facts) => Move | undefined;

export function stop(reason: StopReason): Move {
  return { do: "stop", reason };
}
