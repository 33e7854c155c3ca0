import type { Item } from "../ports.ts";
import type { LoopState } from "../state.ts";
import type { Task } from "../task.ts";

/** What the text of a turn is made from. */
export interface Brief {
  readonly task: Task;
  /** as it is after `turn_started`: `iteration` is the one that begins */
  readonly state: LoopState;
  readonly item: Item;
  /** milliseconds since the epoch */
  readonly now: number;
}
