import type { PublicationFacts } from "../publication/facts.ts";

/** Where a loop's files were to be kept, and what became of it. */
export interface CarrierFate {
  /** `git ref`, `artifact`, `cache` */
  readonly name: string;
  readonly saved: boolean;
  /** where it is, or why it is not there */
  readonly detail: string;
}

/** What only the Action knows of a run. */
export interface JobFacts {
  readonly runUrl: string | null;
  readonly artifactUrl: string | null;
  /** what went otherwise than wanted without ending the loop */
  readonly notices: readonly string[];
  readonly carriers: readonly CarrierFate[];
  /** as they are after publishing; absent when nothing was to be published */
  readonly published?: PublicationFacts;
}
