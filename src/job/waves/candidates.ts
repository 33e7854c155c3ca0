import { OperationalError } from "../../core/errors.ts";
import { isLockfile } from "../../core/progress/check-scripts.ts";
import type { LoopState } from "../../core/state.ts";
import {
  type Candidate,
  claimOf,
  isGenerated,
  strongestFirst,
  type StoryClaim,
  type Unclaimed,
} from "../../core/story/landing.ts";
import { recordOf } from "../../core/story/stories.ts";
import { changeRules } from "../../config/settle.ts";
import { decoded } from "../../git/diff.ts";
import type { CandidateRules, CandidateWork } from "../../git/landing/candidate.ts";
import type { LandingGit } from "../../git/landing/landing-git.ts";
import type { GithubAccess } from "../../github/access.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import { readRecord } from "../../requests/find-loop.ts";
import { type Closing, type TakenStory, WITHIN } from "./closing.ts";
import { branchOfLoop } from "../../core/story/wave-names.ts";

/** A candidate whose job says that the story has passed. */
export interface ClaimedWork extends Candidate {
  readonly loop: string;
  readonly attempts: number;
  /** whether its proof says little */
  readonly isWeak: boolean;
  readonly rules: CandidateRules;
  /** how many of the story's criteria it says are proved; a stranger's word, for people to see */
  readonly proved: number;
  /** null: it may not be landed, as `why` says */
  readonly work: CandidateWork | null;
  /** part of a sentence; "" where there is work */
  readonly why: string;
}

/** A candidate that claims nothing. */
interface OtherClaim {
  readonly number: number;
  readonly claim: Unclaimed;
}

/** What has become of a take, as its loops say, and as far as that was found out. */
export interface FoundTake {
  /** the best first */
  readonly claimed: readonly ClaimedWork[];
  readonly others: readonly OtherClaim[];
  /** what its agents have noted for those to come; words of others, a few */
  readonly learned: readonly string[];
}

const MOST_LEARNED = 10;

/**
 * Reads what the loops of a take have left on their refs, and looks through the work of those that claim the story.
 *
 * @throws OperationalError `RECORD_UNKNOWN` when GitHub cannot be asked: the wave stays open then
 */
export async function findTake(closing: Closing, taken: TakenStory): Promise<FoundTake> {
  const claimed: ClaimedWork[] = [];
  const others: OtherClaim[] = [];
  const learned: string[] = [];
  for (const [at, loop] of taken.loops.entries()) {
    const found = await claimedBy(closing, loop);
    learned.push(...(found.state?.learned ?? []));
    const claim: StoryClaim =
      found.damaged === null ? claimOf(found.state, taken.story.id) : damagedClaim(found.damaged);
    if (claim.kind === "claimed")
      claimed.push(await lookAt(closing, taken, { loop, number: at + 1, claim }, found.state));
    else others.push({ number: at + 1, claim });
  }
  const noted = [...new Set(learned)].slice(0, MOST_LEARNED);
  return {
    claimed: strongestFirst(claimed),
    others,
    learned: noted.map((one) => textWithoutSecrets(one, closing.config)),
  };
}

/**
 * Looks through what the branch of a candidate holds, whatever its record says of it.
 *
 * @throws OperationalError as `findTake`
 */
export async function workOf(closing: Closing, taken: TakenStory, number: number): Promise<ClaimedWork> {
  const claim = { kind: "claimed", attempts: 0, tokens: 0, isWeak: false } as const;
  return lookAt(closing, taken, { loop: taken.loops[number - 1] ?? "", number, claim }, null);
}

/** What the record on a loop's ref says; `damaged`: why it does not count, as part of a sentence. */
interface FoundRecord {
  readonly state: LoopState | null;
  readonly damaged: string | null;
}

function damagedClaim(why: string): Unclaimed {
  return { kind: "ended", attempts: 1, why: `What its loop has left cannot be read: ${why}.` };
}

async function claimedBy({ github, prd }: Closing, loop: string): Promise<FoundRecord> {
  const found = await recordAt(github, loop);
  const named = found.state?.stories?.prd ?? prd.name;
  return named === prd.name ? found : { state: null, damaged: "it is of another PRD" };
}

/** @throws OperationalError `RECORD_UNKNOWN` when GitHub cannot be asked */
export async function recordAt(github: GithubAccess, loop: string): Promise<FoundRecord> {
  const read = await readRecord(await github.within(WITHIN.ask), loop);
  if (read.ok) return { state: read.value?.record.state ?? null, damaged: null };
  const { kind, because } = read.trouble;
  if (kind === "unreachable") throw unknown(loop, because);
  return { state: null, damaged: because };
}

interface Claimed {
  readonly loop: string;
  readonly number: number;
  readonly claim: Extract<StoryClaim, { kind: "claimed" }>;
}

async function lookAt(
  closing: Closing,
  taken: TakenStory,
  { loop, number, claim }: Claimed,
  state: LoopState | null,
): Promise<ClaimedWork> {
  const { config, place, prd, base, wave } = closing;
  const { story } = taken;
  const { prefix } = base.repository;
  const rules: CandidateRules = {
    ...changeRules(config, place.root),
    story: { trailers: { loop, story: story.id, prd: prd.name }, folder: `${prefix}${prd.folder}` },
  };
  const { attempts, tokens, isWeak } = claim;
  const known = state?.stories ?? null;
  const proved = known === null ? 0 : (recordOf(known, story.id)?.passing?.proved ?? 0);
  const common = { loop, number, attempts, tokens, isWeak, rules, proved };
  const at = { loop, branch: branchOfLoop(loop), from: wave.commit, isAlone: taken.loops.length === 1 };
  const found = await workAt(closing.git, at, rules);
  if (typeof found === "string") {
    const record = known === null ? undefined : recordOf(known, story.id);
    if ((record?.passing?.commit ?? null) !== null) {
      const gone = found === "missing" ? "its branch is missing" : "its branch does not hold the commit any more";
      return { ...common, lines: 0, work: null, why: `it says that it has changed something, and ${gone}` };
    }
    // Without a change, a story passes when each of its criteria names a command (C27).
    const named = new Set(story.checks.map(({ criterion }) => criterion));
    const isShown = story.criteria.every((_, at) => named.has(at));
    const nothing: CandidateWork = { commit: wave.commit, parent: wave.commit, changes: [] };
    const why = "it has changed nothing, and not every criterion names a command that could show it";
    return { ...common, lines: 0, work: isShown ? nothing : null, why: isShown ? "" : why };
  }
  return { ...common, ...found };
}

/** Where a candidate's work is looked for. */
interface Whereabouts {
  readonly loop: string;
  /** without `refs/heads/` */
  readonly branch: string;
  /** the commit that it began from */
  readonly from: string;
  /** whether it has nothing to be compared with: then its lines are not counted */
  readonly isAlone: boolean;
}

/**
 * Looks through what a candidate's branch holds.
 *
 * @returns `missing`: it is not there; `unchanged`: nothing that the commit which it began from lacks
 * @throws OperationalError `RECORD_UNKNOWN` when GitHub cannot be asked
 */
export async function workAt(
  git: LandingGit,
  { loop, branch, from, isAlone }: Whereabouts,
  rules: CandidateRules,
): Promise<Pick<ClaimedWork, "lines" | "work" | "why"> | "missing" | "unchanged"> {
  const ref = `refs/heads/${branch}`;
  const listed = await git.list(ref, WITHIN.git);
  if (!listed.ok) throw unknown(loop, listed.trouble.because);
  const tip = listed.value.get(ref);
  if (tip === undefined) return "missing";
  if (tip === from) return "unchanged";
  const looked = await git.take(tip, from, rules, WITHIN.git);
  if (!looked.ok && looked.trouble.kind === "unreachable") throw unknown(loop, looked.trouble.because);
  if (!looked.ok) return { lines: 0, work: null, why: looked.trouble.because };
  if (isAlone) return { lines: looked.value.changes.length, work: looked.value, why: "" };
  const lines = await git.lines(looked.value, WITHIN.git);
  if (!lines.ok) throw unknown(loop, lines.trouble.because);
  const counted = lines.value.filter(({ path, isGenerated: isMarked }) => {
    const name = decoded(path);
    return !isMarked && !isGenerated(name) && !isLockfile(name);
  });
  return { lines: counted.reduce((sum, file) => sum + file.lines, 0), work: looked.value, why: "" };
}

function unknown(loop: string, because: string): OperationalError {
  return new OperationalError({
    code: "RECORD_UNKNOWN",
    what: `What loop ${loop} has done is not known: ${because}. Nothing of it was landed or closed.`,
    next: "Run the closing job again when GitHub answers: it goes on where this one has stopped.",
  });
}
