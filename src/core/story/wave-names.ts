import { isPrdName, type Prd } from "./story.ts";

/** The branch of a PRD, onto which its stories land; without `refs/heads/`. */
export function branchOfPrd({ name, branchName }: Pick<Prd, "name" | "branchName">): string {
  return branchName ?? `smithers/prd-${name}`;
}

/** The ref of a PRD's ledger (decision 0035). */
export function ledgerRef(prd: string): string {
  return `refs/smithers-prd/${prd}`;
}

/** One beginning of a story from one commit. */
export interface Take {
  /** as in `US-001` */
  readonly story: string;
  /** from 1; a story that is sent back gets the next one */
  readonly take: number;
  /** how many loops try it side by side */
  readonly candidates: number;
}

/** The loop's id of each candidate of a take, in order. No two takes of a PRD, or of several, share one. */
export function loopsOfTake(prd: string, { story, take, candidates }: Take): readonly string[] {
  const loop = `prd-${prd}.${story.toLowerCase()}.${take}`;
  return candidates === 1 ? [loop] : Array.from({ length: candidates }, (_, at) => `${loop}-${at + 1}`);
}

/** The branch on which a story's loop works, without `refs/heads/`, whatever the setting says. */
export function branchOfLoop(loop: string): string {
  return `smithers/${loop}`;
}

/** The story that is worked on on a branch, by its name alone; null: none is. */
export function storyOfBranch(branch: string): ReturnType<typeof storyOfLoop> {
  const loop = branch.startsWith("smithers/") ? branch.slice("smithers/".length) : "";
  return storyOfLoop(loop);
}

/** A run of a workflow in which several loops try one whole task. */
export interface CandidateRun {
  /** letters, digits and `-`: tells two such tasks of one run apart */
  readonly name: string;
  /** the number of the workflow's run: another run begins afresh */
  readonly run: number;
  readonly candidates: number;
}

/** The loop's id of each candidate for a whole task, in order. Neither a story's loop nor one that nobody named has such an id. */
export function loopsOfRun({ name, run, candidates }: CandidateRun): readonly string[] {
  return Array.from({ length: candidates }, (_, at) => `best-${name}.${run}-${at + 1}`);
}

const CANDIDATES_LOOP = /^best-[A-Za-z0-9-]+\.(?<run>[1-9]\d*)-[1-9]\d*$/u;

/** The run in which a loop is one of several candidates for a whole task, by its id alone; null: it is none. */
export function runOfCandidate(loopId: string): number | null {
  const { run } = CANDIDATES_LOOP.exec(loopId)?.groups ?? {};
  return run === undefined ? null : Number(run);
}

const STORYS_LOOP = /^prd-(?<prd>.+)\.(?<story>us-\d{3,6})\.[1-9]\d*(?:-[1-9]\d*)?$/u;

/** The story that a loop works on in a wave, by its id alone; null: it is no story's loop. */
export function storyOfLoop(loopId: string): { readonly prd: string; readonly story: string } | null {
  const { prd, story } = STORYS_LOOP.exec(loopId)?.groups ?? {};
  return prd === undefined || story === undefined || !isPrdName(prd) ? null : { prd, story: story.toUpperCase() };
}
