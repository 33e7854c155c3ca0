import type { Config } from "../../config/config.ts";
import type { Prd, Story } from "../../core/story/story.ts";
import type { Wave } from "../../core/story/ledger.ts";
import type { CommitFiles } from "../../git/commit-files.ts";
import type { LandingGit } from "../../git/landing/landing-git.ts";
import type { ProvingGround } from "../../git/landing/stand-at.ts";
import type { GithubAccess } from "../../github/access.ts";
import type { GithubContext } from "../../github/context.ts";
import type { Teller } from "../../os/teller.ts";
import { type Branches, createBranches } from "../../publish/publish-branch.ts";
import type { JobPlace } from "../../store/place.ts";
import type { KeptLedger } from "./kept-ledger.ts";

/** What a closing job works with. */
export interface Landing {
  readonly context: GithubContext;
  readonly config: Config;
  readonly place: JobPlace;
  readonly github: GithubAccess;
  readonly teller: Teller;
  /** the files of the base */
  readonly base: CommitFiles;
  readonly git: LandingGit;
  readonly ground: ProvingGround;
}

/** What that of a wave works with. */
export interface Closing extends Landing {
  /** as of the base: its texts and commands are the ones that count */
  readonly prd: Prd;
  /** the PRD's branch, without `refs/heads/` */
  readonly branch: string;
  readonly wave: Wave;
  readonly ledger: KeptLedger;
}

/** One story of a wave, with its take. */
export interface TakenStory {
  readonly story: Story;
  readonly take: Wave["stories"][number];
  /** the ids of its loops, in the order of its candidates */
  readonly loops: readonly string[];
}

/** The branches of the job's repository, to be pushed to whatever the loops of this workflow do with their work. */
export function branchesOf({ context, place, config, github, teller }: Closing): Branches {
  const pushing = { ...config, commit: "story", pullRequest: "draft" } as const;
  return createBranches({ context, place, config: pushing, github, notice: teller.notice });
}

/** Milliseconds that one question or write may take. */
export const WITHIN = { ask: 30_000, git: 120_000, push: 60_000 } as const;
