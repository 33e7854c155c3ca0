/** A program that is shipped: `src/<source>.ts` becomes the folder `dist/<folder>` with its `index.js`. */
export interface Entry {
  readonly source: string;
  readonly folder: string;
  /**
   * Whether source maps lie beside the scripts. They are for stack traces of our own code: a program that is a foreign
   * package with a few lines around it does without, as its map would be four times the program.
   */
  readonly maps: boolean;
}

/** Every bundle of `dist/`. The one place to add an entry. */
export const ENTRIES: readonly Entry[] = [
  { source: "cli", folder: "cli", maps: true },
  { source: "action", folder: "action", maps: true },
  { source: "post", folder: "post", maps: true },
  { source: "carry/cache-program", folder: "cache", maps: false },
  { source: "carry/artifact-program", folder: "artifact", maps: false },
];
