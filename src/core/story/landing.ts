import { outcomeOf } from "../outcome.ts";
import { isOnlyFlagged } from "../progress/strength.ts";
import { done, failed, type Result } from "../result.ts";
import type { LoopState } from "../state.ts";
import { entryOf, type Ledger, storiesBefore, unlandedAccepted } from "./ledger.ts";
import { recordOf } from "./stories.ts";
import type { Prd } from "./story.ts";
import { planWave } from "./waves.ts";

/** What the record of one loop says of its story. Whoever may write refs can write a record: none of it is believed. */
export type StoryClaim =
  /** it has passed there */
  | { readonly kind: "claimed"; readonly attempts: number; readonly tokens: number; readonly isWeak: boolean }
  /** it waits for a person; `why` is somebody's words */
  | { readonly kind: "blocked"; readonly attempts: number; readonly why: string }
  /** the loop has ended of itself without it */
  | { readonly kind: "ended"; readonly attempts: number; readonly why: string }
  /** its next job goes on with the same loop */
  | { readonly kind: "cut_off" };

/** Claims with a higher number of attempts count as this one. */
const MOST_ATTEMPTS = 1_000;

/**
 * Reads a claim.
 *
 * @param state null: the loop has left none, because its job never came so far
 */
export function claimOf(state: LoopState | null, id: string): StoryClaim {
  if (state === null) return { kind: "cut_off" };
  const record = state.stories === null ? undefined : recordOf(state.stories, id);
  const attempts = Math.min(MOST_ATTEMPTS, Math.max(1, record?.attempts ?? 0));
  if (record?.state === "passed") {
    const isWeak = !isOnlyFlagged(state.strength.weaknesses);
    return { kind: "claimed", attempts, tokens: state.spent.tokens, isWeak };
  }
  const mark = record?.blocked ?? null;
  if (mark !== null) return { kind: "blocked", attempts, why: mark.why };
  const { stop_reason: reason } = state;
  if (reason === null) return { kind: "cut_off" };
  const { status, sentence } = outcomeOf(reason);
  if (status === "blocked" || status === "paused_hard_stop") return { kind: "blocked", attempts, why: sentence };
  return ENDED_OF_ITSELF.has(status) ? { kind: "ended", attempts, why: sentence } : { kind: "cut_off" };
}

/** Why a loop says nothing that could be chosen. */
export interface NoClaim {
  /** `cut_off`: its job, run again, goes on with it */
  readonly kind: "ended" | "cut_off";
  /** a sentence */
  readonly because: string;
}

/** Reads what the record of one of several loops says of the whole task, as `claimOf` does. */
export function claimOfLoop(
  state: LoopState | null,
): Result<{ readonly tokens: number; readonly isWeak: boolean }, NoClaim> {
  const reason = state?.stop_reason ?? null;
  if (state === null || reason === null) {
    return failed({ kind: "cut_off", because: "It was cut off before it had ended." });
  }
  const { status, sentence, resumableBy } = outcomeOf(reason);
  if (status !== "completed") {
    return failed({ kind: resumableBy === "anybody" ? "cut_off" : "ended", because: sentence });
  }
  return done({ tokens: state.spent.tokens, isWeak: !isOnlyFlagged(state.strength.weaknesses) });
}

/** Another job of the same loop would end there again. */
const ENDED_OF_ITSELF: ReadonlySet<string> = new Set([
  ...["completed", "canceled", "circuit_open", "stopped_max_iterations", "stopped_budget"],
]);

/** What became of a take in which nobody claims anything that could be landed. */
export type Unclaimed = Exclude<StoryClaim, { kind: "claimed" }>;

/** Candidates count together, as the one that counted most; one that goes on keeps the take. */
export function together(claims: readonly Unclaimed[]): Unclaimed {
  const ended = claims.filter((claim) => claim.kind !== "cut_off");
  if (ended.length < claims.length || ended[0] === undefined) return { kind: "cut_off" };
  const attempts = Math.max(...ended.map((claim) => claim.attempts));
  const shown = ended.find(({ kind }) => kind === "blocked") ?? ended[0];
  return { ...shown, attempts };
}

/** The work of one candidate, as it was found. */
export interface Candidate {
  /** from 1 */
  readonly number: number;
  /** changed lines, without those of lockfiles and of what is generated */
  readonly lines: number;
  readonly tokens: number;
}

/**
 * Puts the best candidate first: the one with the fewest changed lines, then the fewest tokens, then the lowest number.
 * The next one has its turn when that cannot be landed.
 */
export function bestFirst<One extends Candidate>(candidates: readonly One[]): readonly One[] {
  return candidates.toSorted((a, b) => a.lines - b.lines || a.tokens - b.tokens || a.number - b.number);
}

/** Why a candidate comes after the one that has landed, as part of a sentence. */
export function whyAfter(one: Judged, winner: Judged): string {
  if (one.isWeak && !winner.isWeak) return "its proof says little";
  if (one.lines === 0 && winner.lines > 0) return "it changes nothing";
  if (one.lines !== winner.lines) return `it changes ${one.lines} lines, and the one that has landed ${winner.lines}`;
  if (one.tokens === winner.tokens) return "the one that has landed is as good, and has the lower number";
  return `it changes as many lines as the one that has landed, with ${one.tokens} tokens instead of ${winner.tokens}`;
}

/** A candidate, with whether its proof says little. */
interface Judged extends Candidate {
  readonly isWeak: boolean;
}

/** What is known of a claim once its branch was looked at; without `work` it may not be chosen. */
interface Looked extends Judged {
  readonly work: object | null;
}

/** The same for all that claim it: those that prove little, or hold nothing that counts, come after the others. */
export function strongestFirst<One extends Looked>(claimed: readonly One[]): readonly One[] {
  const rankOf = ({ work, isWeak, lines }: One): number => (work === null ? 2 : isWeak || lines === 0 ? 1 : 0);
  return [0, 1, 2].flatMap((rank) => bestFirst(claimed.filter((one) => rankOf(one) === rank)));
}

/** Names of what programs write; a repository says more with `linguist-generated` in its `.gitattributes`. */
const GENERATED =
  /(?:^|\/)(?:dist|build|out|vendor|node_modules|__snapshots__|__generated__)\/|\.(?:min\.(?:js|css|mjs)|map|snap|pb\.go|generated\.\w+)$|_pb2(?:_grpc)?\.py$/u;

/** Whether a path is usually that of a file which a program writes. */
export function isGenerated(path: string): boolean {
  return GENERATED.test(path);
}

/** What decides whether there is a next wave. */
export interface NextQuestion {
  /** with this wave closed */
  readonly ledger: Ledger;
  readonly prd: Prd;
  readonly waveSize: number;
  readonly onBlocked: "continue" | "stop";
  /** whether somebody has switched off what runs by itself */
  readonly isOff: boolean;
}

/** Waves in a row that neither landed nor counted anything, before a person has to look. */
const MOST_IDLE = 3;

/** Why no next wave is asked for, as a sentence; null: it is. */
export function whyNoNext({ ledger, prd, waveSize, onBlocked, isOff }: NextQuestion): string | null {
  const before = storiesBefore(ledger, prd);
  // What was accepted meanwhile lands in the next run.
  if (unlandedAccepted(ledger, prd).length > 0 && !isOff) return null;
  if (prd.stories.every(({ id }) => before.get(id)?.state === "passed")) return "Every story has passed.";
  const inWave = new Set((ledger.wave?.stories ?? []).map(({ story }) => story));
  const here = prd.stories.filter(({ id }) => inWave.has(id));
  // Who has accepted it has looked.
  const paused = here.find(({ id, pauseAfter }) => pauseAfter && entryOf(ledger, id).passed === "proved");
  if (paused !== undefined) return `${paused.id} has landed, and a person looks at it before the next one begins.`;
  const stuck = here.find(({ id }) => entryOf(ledger, id).blocked !== null);
  if (stuck !== undefined && onBlocked === "stop") return `${stuck.id} is blocked, and on-blocked-story is stop.`;
  if (isOff) return "SMITHERS_DISABLED is set.";
  if (ledger.idle_waves >= MOST_IDLE) {
    return `${ledger.idle_waves} waves in a row have neither landed nor counted anything.`;
  }
  const { stories } = planWave({ stories: prd.stories, before, waveSize, only: null });
  return stories.length > 0 ? null : "No story is left that could begin: each is blocked, or waits for one that is.";
}
