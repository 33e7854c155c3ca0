/** A program that is shipped: `src/<source>.ts` becomes the folder `dist/<folder>` with its `index.js`. */
export interface Entry {
  readonly source: string;
  readonly folder: string;
}

/** Every bundle of `dist/`. The one place to add an entry. */
export const ENTRIES: readonly Entry[] = [
  { source: "cli", folder: "cli" },
  { source: "action", folder: "action" },
  { source: "post", folder: "post" },
  { source: "carriers/cache-program", folder: "cache" },
  { source: "carriers/artifact-program", folder: "artifact" },
];
