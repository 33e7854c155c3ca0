import { OperationalError } from "../../core/errors.ts";
import { isLockfile } from "../../core/progress/check-scripts.ts";
import type { LoopState } from "../../core/state.ts";
import {
  bestFirst,
  type Candidate,
  claimOf,
  isGenerated,
  type StoryClaim,
  type Unclaimed,
} from "../../core/story/landing.ts";
import { recordOf, type StoryRecord } from "../../core/story/stories.ts";
import { changeRules } from "../../config/settle.ts";
import { decoded } from "../../git/diff.ts";
import type { CandidateRules, CandidateWork } from "../../git/landing/candidate.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import { readRecord } from "../../requests/find-loop.ts";
import { type Closing, type TakenStory, WITHIN } from "./closing.ts";
import { branchOfLoop } from "./story-pulls.ts";

/** A candidate whose job says that the story has passed. */
export interface ClaimedWork extends Candidate {
  readonly loop: string;
  readonly attempts: number;
  /** whether its proof says little */
  readonly isWeak: boolean;
  readonly rules: CandidateRules;
  /** what it said of the story's commands before it began; data of a stranger, for people to see */
  readonly before: StoryRecord["before"];
  /** null: it may not be landed, as `why` says */
  readonly work: CandidateWork | null;
  /** part of a sentence; "" where there is work */
  readonly why: string;
}

/** What has become of a take, as its loops say, and as far as that was found out. */
export interface FoundTake {
  /** the best first */
  readonly claimed: readonly ClaimedWork[];
  readonly others: readonly Unclaimed[];
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
  const others: Unclaimed[] = [];
  const learned: string[] = [];
  for (const [at, loop] of taken.loops.entries()) {
    const found = await stateOf(closing, loop);
    learned.push(...(found.state?.learned ?? []));
    const claim: StoryClaim =
      found.damaged === null ? claimOf(found.state, taken.story.id) : damagedClaim(found.damaged);
    if (claim.kind === "claimed")
      claimed.push(await lookAt(closing, taken, { loop, number: at + 1, claim }, found.state));
    else others.push(claim);
  }
  // Those that prove little, or hold nothing, come after the others.
  const groups = [0, 1, 2].map((rank) => bestFirst(claimed.filter((one) => rankOf(one) === rank)));
  const noted = [...new Set(learned)].slice(0, MOST_LEARNED);
  return { claimed: groups.flat(), others, learned: noted.map((one) => textWithoutSecrets(one, closing.config)) };
}

type Found = { readonly state: LoopState | null; readonly damaged: string | null };

function damagedClaim(why: string): Unclaimed {
  return { kind: "ended", attempts: 1, why: `What its loop has left cannot be read: ${why}.` };
}

async function stateOf({ github, prd }: Closing, loop: string): Promise<Found> {
  const read = await readRecord(await github.within(WITHIN.ask), loop);
  if (!read.ok && read.trouble.kind === "unreachable") throw unknown(loop, read.trouble.because);
  if (!read.ok) return { state: null, damaged: read.trouble.because };
  const state = read.value?.record.state ?? null;
  const named = state?.stories?.prd ?? prd.name;
  return named === prd.name ? { state, damaged: null } : { state: null, damaged: "it is of another PRD" };
}

function rankOf({ work, isWeak, lines }: ClaimedWork): number {
  return work === null ? 2 : isWeak || lines === 0 ? 1 : 0;
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
  const { config, place, prd, base, wave, git } = closing;
  const { story } = taken;
  const { prefix } = base.repository;
  const rules: CandidateRules = {
    ...changeRules(config, place.root),
    trailers: { loop, story: story.id, prd: prd.name },
    folder: `${prefix}${prd.folder}`,
  };
  const { attempts, tokens, isWeak } = claim;
  const known = state?.stories ?? null;
  const before = known === null ? null : (recordOf(known, story.id)?.before ?? null);
  const common = { loop, number, attempts, tokens, isWeak, rules, before };
  const ref = `refs/heads/${branchOfLoop(loop)}`;
  const listed = await git.list(ref, WITHIN.git);
  if (!listed.ok) throw unknown(loop, listed.trouble.because);
  const tip = listed.value.get(ref);
  if (tip === undefined || tip === wave.commit) {
    // Without a change, a story passes when each of its criteria names a command (C27).
    const named = new Set(story.checks.map(({ criterion }) => criterion));
    const isShown = story.criteria.every((_, at) => named.has(at));
    const nothing: CandidateWork = { commit: wave.commit, parent: wave.commit, changes: [] };
    const why = "it has changed nothing, and not every criterion names a command that could show it";
    return { ...common, lines: 0, work: isShown ? nothing : null, why: isShown ? "" : why };
  }
  const looked = await git.take(tip, wave.commit, rules, WITHIN.git);
  if (!looked.ok && looked.trouble.kind === "unreachable") throw unknown(loop, looked.trouble.because);
  if (!looked.ok) return { ...common, lines: 0, work: null, why: looked.trouble.because };
  // Alone, it is the best one.
  if (taken.loops.length === 1) return { ...common, lines: looked.value.changes.length, work: looked.value, why: "" };
  const lines = await git.lines(looked.value, WITHIN.git);
  if (!lines.ok) throw unknown(loop, lines.trouble.because);
  const counted = lines.value.filter(({ path, isGenerated: isMarked }) => {
    const name = decoded(path);
    return !isMarked && !isGenerated(name) && !isLockfile(name);
  });
  return {
    ...common,
    lines: counted.reduce((sum, file) => sum + file.lines, 0),
    work: looked.value,
    why: "",
  };
}

function unknown(loop: string, because: string): OperationalError {
  return new OperationalError({
    code: "RECORD_UNKNOWN",
    what: `What loop ${loop} has done is not known: ${because}. Its story was left as it is, and the wave stays open.`,
    next: "Run the closing job again when GitHub answers: it goes on where this one has stopped.",
  });
}
