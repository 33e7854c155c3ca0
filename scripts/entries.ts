import { FIRST_LINE } from "../src/job/run-stage.ts";

/** Programs that share their code: each script of it is there once. */
export interface Family {
  /** the folder in `dist/` where the code lies */
  readonly folder: string;
  /** each program's name, which is the folder of its `index.js`, with its file in `src/` */
  readonly programs: Readonly<Record<string, string>>;
  /** the programs that close their process before they load anything, see `goOnClosed`, with what they say first */
  readonly closed: Readonly<Record<string, string | null>>;
  /** those of them that look at the family's files before they load them, with the file in `src/` that does it */
  readonly guards: Readonly<Record<string, string>>;
}

/** A program that is shipped with all its code in its own folder: `src/<source>.ts` becomes `dist/<folder>/index.js`. */
export interface Alone {
  readonly folder: string;
  readonly source: string;
}

/**
 * Every bundle of `dist/`. The one place to add a program.
 *
 * The command line has its code for itself and most of it in one file, because it starts faster so.
 */
export const BUNDLES: readonly (Alone | Family)[] = [
  { folder: "cli", source: "cli" },
  {
    folder: "job",
    programs: {
      action: "action",
      post: "post",
      cache: "carry/cache-program",
      artifact: "carry/artifact-program",
    },
    closed: { action: FIRST_LINE, post: null },
    guards: { post: "job/post-guard" },
  },
];
