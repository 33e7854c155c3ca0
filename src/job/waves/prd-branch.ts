import { OperationalError } from "../../core/errors.ts";
import type { Story } from "../../core/story/story.ts";
import { trailersIn } from "../../git/commit.ts";
import { type Closing, WITHIN } from "./closing.ts";

/** A story that is on the PRD's branch. */
export interface Landed {
  readonly loop: string;
  readonly commit: string;
  /** of its criteria, how many commands show; null: this run has not asked */
  readonly proved: number | null;
}

/** Where the PRD's branch is; null: nowhere. */
export async function tipOfBranch({ git, branch }: Closing): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const listed = await git.list(ref, WITHIN.git);
  if (!listed.ok) throw branchUnknown(branch, listed.trouble.because);
  return listed.value.get(ref) ?? null;
}

/** The commit that another run, or an earlier one of this job, has landed the story with, by its trailers. @param tip where the branch is */
export async function landedBefore(
  { git, wave, prd, branch }: Closing,
  { story, loops }: { readonly story: Pick<Story, "id">; readonly loops: readonly string[] },
  tip: string | null,
): Promise<Landed | undefined> {
  const since = tip === null ? undefined : await git.since(wave.commit, tip, WITHIN.git);
  if (since?.ok === false) throw branchUnknown(branch, since.trouble.because);
  for (const { commit, message } of since?.value ?? []) {
    const said = trailersIn(message.trim()).split("\n");
    const isStorys = said.includes(`Smithers-Prd: ${prd.name}`) && said.includes(`Smithers-Story: ${story.id}`);
    const loop = loops.find((one) => said.includes(`Smithers-Loop: ${one}`));
    if (isStorys && loop !== undefined) return { commit, loop, proved: null };
  }
  return undefined;
}

export function branchUnknown(branch: string, because: string): OperationalError {
  return new OperationalError({
    code: "BRANCH_UNKNOWN",
    what: `What the branch ${branch} holds is not known: ${because}. What has landed stays, and the wave stays open.`,
    next: "Run the closing job again when GitHub answers: it goes on where this one has stopped.",
  });
}
