/** Where a loop's files were to be kept, and what became of it. */
export interface CarrierFate {
  /** `git ref`, `artifact`, `cache` */
  readonly name: string;
  readonly saved: boolean;
  /** where it is, or why it is not there */
  readonly detail: string;
}

/** One way to let the loop go on. */
export interface WayOn {
  readonly say: string;
  /** what to paste; null: nothing */
  readonly command: string | null;
}

/** What only the Action knows of a run. */
export interface JobFacts {
  readonly runUrl: string | null;
  readonly artifactUrl: string | null;
  /** what went otherwise than wanted without ending the loop */
  readonly notices: readonly string[];
  readonly carriers: readonly CarrierFate[];
  readonly goOn: readonly WayOn[];
}
