import type { LoopRow } from "../views/at-a-glance.ts";
import type { LogLines, Place } from "./log-lines.ts";
import type { Watched } from "./pages.ts";

/**
 * Where the loop of this terminal runs: behind the view (`behind`), also begun from a view (`begun`), or none does, as what
 * is looked at runs elsewhere or does not run (`elsewhere`).
 */
export type Runs = "behind" | "begun" | "elsewhere";

/** What somebody who leaves wants of the loop: to pause as by Ctrl+C, to pause after its iteration, to end for good, to go on. */
export type Wish = "interrupt" | "pause" | "cancel" | "run-on";

/** What is known of the loops, at one moment. */
export interface Scene {
  /** those of the repository, the newest first */
  readonly loops: readonly LoopRow[];
  /** how far the loops are read, or why they cannot be, as a sentence for a person; "": these are all */
  readonly reading: string;
  /** the loop that is watched; null: none is chosen yet */
  readonly watched: Watched | null;
  readonly runs: Runs;
  readonly log: LogLines;
  /** milliseconds since the epoch */
  readonly now: number;
  /** rows and columns that a page may have */
  readonly columns: number;
  readonly rows: number;
}

export type Page = "loops" | "dashboard" | "stories" | "logs" | "settings" | "help";

/** What a person has made of the view. */
export interface Ui {
  readonly page: Page;
  /** where `Esc` leads from help */
  readonly before: Page;
  /** the row at the top of a page, apart from the logs */
  readonly top: number;
  /** the row at the top of the logs; null: they follow the end */
  readonly place: Place | null;
  /** how far the log went when somebody left its end */
  readonly seen: number;
  /** what is searched for; "": nothing */
  readonly search: string;
  /** what is being typed behind `/`; null: nothing is */
  readonly typing: string | null;
  /** which of the watched loop's steps is looked at; null: how it is now, or ended */
  readonly step: number | null;
  /** which of the loops is chosen, by its name among them; null: the first. They change places as they work. */
  readonly chosen: string | null;
  /** what is done once somebody says `y`; null: nothing is asked */
  readonly asking: Asked | "leave" | null;
  /** what is told at the bottom until the next key; "": nothing */
  readonly said: string;
}

type Asked = "stop" | "reset-circuit";

/** What a key asks of who follows the loops. */
export type Request =
  | { readonly kind: "pause" | "resume" | Asked }
  | { readonly kind: "watch"; readonly loopId: string; readonly where: string };

/** What a key asks of the world outside. */
export type Effect =
  | Request
  | { readonly kind: "copy" | "pager" | "suspend" }
  | { readonly kind: "quit"; readonly wish?: Wish };
