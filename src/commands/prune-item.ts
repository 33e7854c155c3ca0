/** Something that a loop has left. */
export interface PruneItem {
  readonly kind: "branch" | "ref" | "request" | "caches" | "files";
  readonly loopId: string;
  /** what it is: a ref, a folder */
  readonly name: string;
  /** why nobody needs it any more, as part of a sentence */
  readonly why: string;
  /** Removes it. @returns why it is left, as part of a sentence; null: it is gone */
  readonly remove: () => Promise<string | null>;
}

/** What was found in one place. */
export interface Found {
  /** in the order in which it has to go */
  readonly items: readonly PruneItem[];
  /** loops that stay; `why` is part of a sentence that begins with the loop */
  readonly staying: readonly { readonly loopId: string; readonly why: string }[];
}
