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

const STORYS_LOOP = /^prd-(?<prd>.+)\.(?<story>us-\d{3,6})\.[1-9]\d*(?:-[1-9]\d*)?$/u;

/** The story that a loop works on in a wave, by its id alone; null: it is no story's loop. */
export function storyOfLoop(loopId: string): { readonly prd: string; readonly story: string } | null {
  const { prd, story } = STORYS_LOOP.exec(loopId)?.groups ?? {};
  return prd === undefined || story === undefined || !isPrdName(prd) ? null : { prd, story: story.toUpperCase() };
}
