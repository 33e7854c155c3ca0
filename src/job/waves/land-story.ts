import { OperationalError } from "../../core/errors.ts";
import { storySubject } from "../../core/settle.ts";
import { provedCriteria } from "../../core/story/judge.ts";
import { type Unclaimed, together } from "../../core/story/landing.ts";
import { blocked, entryOf, landed, type Ledger, sentBack, storiesBefore } from "../../core/story/ledger.ts";
import { decoded } from "../../git/diff.ts";
import { CommitFiles } from "../../git/commit-files.ts";
import { trailersIn } from "../../git/commit.ts";
import type { PublishBranch } from "../../publish/publish-branch.ts";
import { readDocument } from "../../prd/document.ts";
import { JSON_FILE } from "../../prd/folder.ts";
import { LIMITS } from "../../prd/shape.ts";
import { marksOf } from "../../store/place.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import { oneLine } from "../../views/plain-text.ts";
import { type ClaimedWork, findTake } from "./candidates.ts";
import { branchesOf, type Closing, type TakenStory, WITHIN } from "./closing.ts";
import { type Prove, redWords } from "./prove.ts";

/** What has become of a story in this wave. */
export type StoryFate =
  /** `proved`: of its criteria, which commands show; null: it was landed by an earlier run of this job */
  | { readonly fate: "landed"; readonly loop: string; readonly commit: string; readonly proved: number | null }
  /** it begins again, or waits for a person, which the ledger says; `why`: words of others */
  | { readonly fate: "back"; readonly why: string }
  /** its loop goes on in the next wave */
  | { readonly fate: "goes_on" }
  /** an earlier run of this job has seen to it */
  | { readonly fate: "known" };

/** That, and what its agents have learned, for people: words of others, bounded. */
export interface Closed {
  readonly fate: StoryFate;
  readonly learned: readonly string[];
}

/** So often the branch may be moved by others while a story is proved. */
const MOST_TRIES = 5;

/** Why a candidate has not landed. */
interface NotLanded {
  /** whole sentences, with words of others */
  readonly why: string;
  /** files that it changes, from the repository's top */
  readonly paths: readonly string[];
}

/**
 * Lands a story of the wave, or sends it back; the ledger says so when this is done. Safe to repeat.
 *
 * @throws OperationalError when something is not known or refused that is not the story's fault: the wave stays open
 */
export async function landStory(closing: Closing, taken: TakenStory, prove: Prove): Promise<Closed> {
  const { ledger } = closing;
  const { story, take } = taken;
  const entry = entryOf(ledger.now, story.id);
  if (entry.take !== take.take || entry.state === "passed") return { fate: { fate: "known" }, learned: [] };
  const there = await landedBefore(closing, taken);
  if (there !== undefined) {
    await ledger.change((now) => ifOpen(now, taken, () => landed(now, story.id, there.commit)));
    return { fate: { fate: "landed", proved: null, ...there }, learned: [] };
  }
  const { claimed, others, learned } = await findTake(closing, taken);
  const failures: NotLanded[] = [];
  for (const one of claimed) {
    const tried = await landOne(closing, taken, one, prove);
    if ("commit" in tried) {
      await ledger.change((now) =>
        ifOpen(now, taken, () => landed(now, story.id, tried.commit, { tokens: one.tokens, proved: tried.proved })),
      );
      return { fate: { fate: "landed", loop: one.loop, ...tried }, learned };
    }
    closing.teller.line(`${one.loop} has not landed: ${oneLine(tried.why).slice(0, 300)}`);
    failures.push(tried);
  }
  return { fate: await giveBack(closing, taken, { claimed, others, failures }), learned };
}

/** Repeated where somebody else was first: then nothing is left to do. */
function ifOpen(now: Ledger, { story, take }: TakenStory, change: () => Ledger): Ledger {
  const { take: at, state } = entryOf(now, story.id);
  return at === take.take && state !== "passed" ? change() : now;
}

async function giveBack(
  { ledger, config }: Closing,
  taken: TakenStory,
  {
    claimed,
    others,
    failures,
  }: {
    readonly claimed: readonly ClaimedWork[];
    readonly others: readonly Unclaimed[];
    readonly failures: readonly NotLanded[];
  },
): Promise<StoryFate> {
  const { id } = taken.story;
  const most = config.storyAttempts;
  const [first] = failures;
  if (first !== undefined) {
    const counted = others.map((claim) => (claim.kind === "cut_off" ? 0 : claim.attempts));
    const attempts = Math.max(...counted, ...claimed.map((one) => one.attempts), 1);
    const feedback = textWithoutSecrets(first.why, config);
    await ledger.change((now) =>
      ifOpen(now, taken, () => sentBack(now, id, { attempts, most, feedback, paths: first.paths })),
    );
    return { fate: "back", why: feedback };
  }
  const claim = together(others);
  if (claim.kind === "cut_off") return { fate: "goes_on" };
  const why = textWithoutSecrets(claim.why, config);
  const change =
    claim.kind === "blocked"
      ? (now: Ledger) => blocked(now, id, claim.attempts, why)
      : (now: Ledger) => sentBack(now, id, { attempts: claim.attempts, most, feedback: why, paths: [] });
  await ledger.change((now) => ifOpen(now, taken, () => change(now)));
  return { fate: "back", why };
}

/** Where the PRD's branch is; null: nowhere. */
async function tipOf({ git, branch }: Closing): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const listed = await git.list(ref, WITHIN.git);
  if (!listed.ok) throw branchUnknown(branch, listed.trouble.because);
  return listed.value.get(ref) ?? null;
}

/** The commit that an earlier run of this job has landed the story with, by its trailers. */
async function landedBefore(closing: Closing, { story, loops }: TakenStory) {
  const { git, wave, prd, branch } = closing;
  const tip = await tipOf(closing);
  const since = tip === null ? undefined : await git.since(wave.commit, tip, WITHIN.git);
  if (since?.ok === false) throw branchUnknown(branch, since.trouble.because);
  for (const { commit, message } of since?.value ?? []) {
    const said = trailersIn(message.trim()).split("\n");
    const isStorys = said.includes(`Smithers-Prd: ${prd.name}`) && said.includes(`Smithers-Story: ${story.id}`);
    const loop = loops.find((one) => said.includes(`Smithers-Loop: ${one}`));
    if (isStorys && loop !== undefined) return { commit, loop };
  }
  return undefined;
}

/** Puts one candidate on the branch's tip, proves it there and pushes it; again where others have moved the branch. */
async function landOne(
  closing: Closing,
  taken: TakenStory,
  one: ClaimedWork,
  prove: Prove,
): Promise<NotLanded | { readonly commit: string; readonly proved: number }> {
  if (one.work === null) return { why: `Its work is not taken: ${one.why}.`, paths: [] };
  const { branch, ground } = closing;
  const paths = one.work.changes.map((change) => decoded(change.path));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const tip = await tipOf(closing);
    const at = tip ?? closing.wave.commit;
    const placed = await placeOn(closing, taken, { ...one, work: one.work }, at);
    if ("why" in placed) return { paths, ...placed };
    const { story } = taken;
    await ground.give(placed.pack);
    await ground.standAt(placed.commit);
    const verdict = await prove(story, passedBut(closing, story.id));
    if (verdict.result === "failed") return { why: `Upon ${branch}, its checks are red.\n${redWords(verdict)}`, paths };
    const pushing = await branchAt(closing, tip, at);
    const secret = await pushing.secretIn(placed.commit, WITHIN.push);
    if (secret !== null) return { why: `Nothing of it was pushed: ${secret}`, paths };
    const pushed = await pushing.push(placed.commit, WITHIN.push);
    if (pushed.ok) {
      const { proved } = provedCriteria(story, one, verdict);
      return { commit: pushed.value.head, proved };
    }
    if (pushed.trouble.kind !== "moved") throw notPushed(branch, pushed.trouble.because);
    closing.teller.line(`${branch} was moved meanwhile; ${story.id} is put upon it anew`);
  }
  throw notPushed(branch, "others move it all the time");
}

/** The story upon a commit of the branch, as a commit that nothing names yet. */
async function placeOn(
  closing: Closing,
  { story }: TakenStory,
  { work, loop, rules }: ClaimedWork & { readonly work: NonNullable<ClaimedWork["work"]> },
  tip: string,
) {
  const { git, ground, prd, branch } = closing;
  const trailers = [`Smithers-Loop: ${loop}`, `Smithers-Story: ${story.id}`, `Smithers-Prd: ${prd.name}`];
  const files = new Map([[`${rules.folder}/${JSON_FILE}`, await documentAt(closing, story.id, tip)]]);
  const message = `${storySubject(story)}\n\n${trailers.join("\n")}\n`;
  const placed = await git.place(work, { tip, files, message, author: await ground.author() }, rules, WITHIN.git);
  if (placed.ok) return placed.value;
  const { kind, because, paths } = placed.trouble;
  if (kind === "unreachable") throw branchUnknown(branch, because);
  const where = paths.length === 0 ? "" : `: ${paths.slice(0, 20).map(oneLine).join(", ")}`;
  const what = kind === "conflict" ? `It does not fit upon ${branch}: ${because}` : `It is not taken: ${because}`;
  return { why: `${what}${where}.` };
}

/**
 * The document upon the tip with this story passed as well. All else in it stays byte for byte; where it cannot be read
 * there, the base's takes its place.
 */
async function documentAt({ context, config, place, prd, base, ledger }: Closing, id: string, tip: string) {
  const { serverUrl, repository: remote } = context;
  const url = `${serverUrl}/${remote.owner}/${remote.name}`;
  const { repository } = base;
  const use = { repository, folder: place.scratch("tip"), url, token: config.githubToken, mark: marksOf(place).tools };
  const files = await CommitFiles.open(use, tip);
  const name = `${repository.prefix}${prd.folder}/${JSON_FILE}`;
  const here = await files.text(name, LIMITS.bytes).catch(() => undefined);
  const before = storiesBefore(ledger.now, prd, false);
  const marks = new Map(
    prd.stories.map((story) => {
      const passes = story.id === id || before.get(story.id)?.state === "passed";
      return [story.id, { passes, inProgress: false }] as const;
    }),
  );
  for (const text of [here, await base.text(name, LIMITS.bytes)]) {
    const { document } = text === undefined ? {} : readDocument(text, prd);
    if (document !== undefined) return document.render(marks);
  }
  throw new Error("the base's document is gone");
}

/** Stories whose commands have to stay green. */
function passedBut({ prd, ledger }: Closing, id: string) {
  const before = storiesBefore(ledger.now, prd, false);
  return prd.stories.filter((story) => story.id !== id && before.get(story.id)?.state === "passed");
}

async function branchAt(closing: Closing, tip: string | null, head: string): Promise<PublishBranch> {
  const { branch: name } = closing;
  const found = await branchesOf(closing).reopen({ name, tip, head });
  if (found === undefined) throw notPushed(name, "it cannot be written from here");
  return found;
}

function branchUnknown(branch: string, because: string): OperationalError {
  return new OperationalError({
    code: "BRANCH_UNKNOWN",
    what: `What the branch ${branch} holds is not known: ${because}. What has landed stays, and the wave stays open.`,
    next: "Run the closing job again when GitHub answers: it goes on where this one has stopped.",
  });
}

function notPushed(branch: string, because: string): OperationalError {
  return new OperationalError({
    code: "STORY_NOT_PUSHED",
    what: `A story that is proved could not be pushed to ${branch}: ${because}. It is on its own branch, and the wave stays open.`,
    next: "Put that right, such as a rule of the repository for that branch, then run the closing job again.",
  });
}
