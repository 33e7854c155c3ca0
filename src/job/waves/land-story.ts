import { together, type Unclaimed, whyAfter } from "../../core/story/landing.ts";
import { blocked, entryOf, landed, type Ledger, sentBack, withLost } from "../../core/story/ledger.ts";
import { storyDigest } from "../../core/story/stories.ts";
import { sha256 } from "../../os/digest.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import { oneLine } from "../../views/plain-text.ts";
import { type ClaimedWork, findTake, type FoundTake } from "./candidates.ts";
import type { Closing, TakenStory } from "./closing.ts";
import { landCandidate } from "./land-candidate.ts";
import { type Landed, landedBefore, tipOfBranch } from "./prd-branch.ts";
import type { Prove } from "./prove.ts";
import type { NotLanded } from "./put-on-branch.ts";

/** What has become of a story in this wave. */
export type StoryFate =
  | ({ readonly fate: "landed" } & Landed)
  /** it begins again, or waits for a person, which the ledger says; `why`: words of others */
  | { readonly fate: "back"; readonly why: string }
  /** its loop goes on in the next wave */
  | { readonly fate: "goes_on" }
  /** an earlier run of this job has seen to it */
  | { readonly fate: "known" };

/** That, and what else is known of it for people: words of others, bounded. */
export interface Closed {
  readonly fate: StoryFate;
  /** what its agents have learned */
  readonly learned: readonly string[];
  /** work that claims the story and has not landed */
  readonly kept: readonly ClaimedWork[];
}

/**
 * Lands a story of the wave, or sends it back; the ledger says so when this is done. Safe to repeat.
 *
 * @throws OperationalError when something is not known or refused that is not the story's fault: the wave stays open
 */
export async function landStory(closing: Closing, taken: TakenStory, prove: Prove): Promise<Closed> {
  const { ledger } = closing;
  const { id } = taken.story;
  const { take, state } = entryOf(ledger.now, id);
  if (take !== taken.take.take || state === "passed") return { fate: { fate: "known" }, learned: [], kept: [] };
  const there = await landedBefore(closing, taken, await tipOfBranch(closing));
  const found = await findTake(closing, taken);
  const { claimed, learned } = found;
  const tried: Tried =
    there === undefined ? await landBest(closing, taken, claimed, prove) : { done: there, failures: new Map() };
  const { done } = tried;
  if (done === null) return { fate: await giveBack(closing, taken, found, tried), learned, kept: claimed };
  const tokens = claimed.find(({ loop }) => loop === done.loop)?.tokens ?? null;
  const seen = { tokens, proved: done.proved, digest: storyDigest(taken.story, sha256) };
  const lost = lostOf(closing, taken, found, tried);
  await ledger.change((now) => ifOpen(now, taken, () => withLost(landed(now, id, done.commit, seen), id, lost)));
  return { fate: { fate: "landed", ...done }, learned, kept: claimed.filter(({ loop }) => loop !== done.loop) };
}

/** How the candidates of a take fared on the branch. */
interface Tried {
  /** null: none has landed */
  readonly done: Landed | null;
  /** of those that were tried in vain, by their loops */
  readonly failures: ReadonlyMap<string, NotLanded>;
}

/** Lands the best candidate that can be landed. */
async function landBest(
  closing: Closing,
  taken: TakenStory,
  claimed: readonly ClaimedWork[],
  prove: Prove,
): Promise<Tried> {
  const failures = new Map<string, NotLanded>();
  for (const one of claimed) {
    const tried = await landCandidate(closing, taken, one, prove);
    if ("commit" in tried) return { done: tried, failures };
    closing.teller.line(`${one.loop} has not landed: ${oneLine(tried.why).slice(0, 300)}`);
    failures.set(one.loop, tried);
  }
  return { done: null, failures };
}

/** Which of several candidates have not landed, and why, in their order; none where only one tried it. */
function lostOf({ config }: Closing, { loops }: TakenStory, { claimed, others }: FoundTake, { done, failures }: Tried) {
  if (loops.length === 1) return [];
  const winner = claimed.find(({ loop }) => loop === done?.loop);
  const whyNot = (one: ClaimedWork): string =>
    failures.get(one.loop)?.why ?? (one.work === null || winner === undefined ? one.why : whyAfter(one, winner));
  const lost = [
    ...claimed.filter(({ loop }) => loop !== done?.loop).map((one) => ({ candidate: one.number, why: whyNot(one) })),
    ...others
      .filter(({ number }) => loops[number - 1] !== done?.loop)
      .map(({ number, claim }) => ({ candidate: number, why: whyUnclaimed(claim) })),
  ];
  return lost
    .map(({ candidate, why }) => ({ candidate, why: oneLine(textWithoutSecrets(why, config)) }))
    .toSorted((a, b) => a.candidate - b.candidate);
}

function whyUnclaimed(claim: Unclaimed): string {
  return claim.kind === "cut_off" ? "it was cut off before it was done" : `it does not claim the story: ${claim.why}`;
}

/** Repeated where somebody else was first: then nothing is left to do. */
function ifOpen(now: Ledger, { story, take }: TakenStory, change: () => Ledger): Ledger {
  const { take: at, state } = entryOf(now, story.id);
  return at === take.take && state !== "passed" ? change() : now;
}

/** While a candidate goes on, its take does: what the others have done is tried again beside it. */
async function giveBack(closing: Closing, taken: TakenStory, found: FoundTake, tried: Tried): Promise<StoryFate> {
  const { ledger, config } = closing;
  const { id } = taken.story;
  const { claimed } = found;
  const others = found.others.map(({ claim }) => claim);
  const lost = lostOf(closing, taken, found, tried);
  const give = async (why: string, change: (now: Ledger) => Ledger): Promise<StoryFate> => {
    await ledger.change((now) => ifOpen(now, taken, () => withLost(change(now), id, lost)));
    return { fate: "back", why };
  };
  const most = config.storyAttempts;
  const [first] = tried.failures.values();
  const going = others.some(({ kind }) => kind === "cut_off");
  if (first !== undefined && !going) {
    const counted = others.map((claim) => (claim.kind === "cut_off" ? 0 : claim.attempts));
    const attempts = Math.max(...counted, ...claimed.map((one) => one.attempts), 1);
    const feedback = textWithoutSecrets(first.why, config);
    return give(feedback, (now) => sentBack(now, id, { attempts, most, feedback, paths: first.paths }));
  }
  const claim = together(others);
  if (claim.kind === "cut_off") return { fate: "goes_on" };
  const { kind, attempts } = claim;
  const why = textWithoutSecrets(claim.why, config);
  return give(why, (now) =>
    kind === "blocked"
      ? blocked(now, id, attempts, why)
      : sentBack(now, id, { attempts, most, feedback: why, paths: [] }),
  );
}
