import { changeRules } from "../../config/settle.ts";
import { OperationalError } from "../../core/errors.ts";
import { type Candidate, claimOfLoop, type NoClaim, strongestFirst } from "../../core/story/landing.ts";
import type { LoopState } from "../../core/state.ts";
import type { CandidateRules, CandidateWork } from "../../git/landing/candidate.ts";
import { publishPullRequest } from "../../github/own-pull-request.ts";
import { probePullRequests } from "../../github/probes.ts";
import { findOpen, known, type PullRequest } from "../../github/pulls.ts";
import { ask } from "../../github/refusal.ts";
import { stickyComment } from "../../github/sticky-comment.ts";
import type { RunnerLog } from "../../os/runner-log.ts";
import { writeJobSummary } from "../../reporters/job-files.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import {
  type CandidateFate,
  choicePullRequest,
  type ChoiceReport,
  choiceSummary,
  chosenComment,
  notChosenComment,
} from "../../views/github/candidates.ts";
import { landingMarker, pullRequestMarker } from "../../views/github/markers.ts";
import { hardStopPending } from "../../views/run-view.ts";
import { tellRights } from "../github-preflight.ts";
import type { Host } from "../run-stage.ts";
import { recordAt, workAt } from "./candidates.ts";
import { type Landing, WITHIN } from "./closing.ts";
import { type Prove, proving, redWords } from "./prove.ts";
import { tellPull } from "./story-pulls.ts";
import type { WholeLoop } from "./whole-loop.ts";

/** A candidate, as far as it was looked at; all of it is what strangers say, but for `work`, which was looked through. */
interface Found extends Candidate {
  readonly loop: string;
  readonly is: "claimed" | NoClaim["kind"];
  readonly isWeak: boolean;
  readonly work: CandidateWork | null;
  /** why it cannot be chosen, as sentences; "": nothing is known against it */
  readonly why: string;
  /** undefined: it has none */
  readonly pull: PullRequest | undefined;
  /** the number of its own one as its record says; null: it knows none */
  readonly own: number | null;
}

/** What the closing job knows of a whole task. */
interface Choosing extends WholeLoop {
  readonly landing: Landing;
  readonly rules: CandidateRules;
}

/**
 * The part of job land for a whole task that several loops have tried (decision 0036): chooses the best one that is
 * proved once more, makes its pull request ready and closes those of the others. It keeps nothing, and everything it does
 * looks first whether it was done: run again, it comes to the same.
 *
 * @returns the exit code: 1 when none was chosen, or the chosen one has no pull request
 * @throws OperationalError when something is not known that is no candidate's fault: nothing was changed then
 */
export async function landLoop(landing: Landing, whole: WholeLoop, host: Host, log: RunnerLog): Promise<number> {
  const { context, config, place, teller } = landing;
  await preflight(landing);
  if (config.ciWorkflow !== null) teller.notice(NO_CI);
  const choosing = { ...whole, landing, rules: { ...changeRules(config, place.root), story: null } };
  const found: Found[] = [];
  for (const [at, loop] of whole.loops.entries()) found.push(await lookAt(choosing, loop, at + 1));
  // What an earlier run of this job has brought up stays, whatever has come to its end since.
  const claimed = strongestFirst(found.filter(({ is }) => is === "claimed")).toSorted((a, b) => rankOf(a) - rankOf(b));
  const { chosen, red } = claimed.some(({ work }) => work !== null)
    ? await proving({ host, context, place, config, log, teller }, (prove) => choose(choosing, claimed, prove))
    : { chosen: undefined, red: new Map<string, string>() };
  const fates = found.map((one) => fateOf(choosing, one, chosen, red));
  const mayGoOn = found.some(({ is }) => is === "cut_off");
  const { next, isFailed } = chosen === undefined ? nobody(choosing, mayGoOn) : await bringUp(choosing, chosen, fates);
  const report: ChoiceReport = { fates, next };
  writeJobSummary(log.secrets.hiddenInWords(choiceSummary(report)));
  for (const { number, loop, why } of fates) teller.line(`candidate ${number} (${loop}): ${firstOf(why)}`);
  return isFailed ? 1 : 0;
}

/** Asks before anything is proved; nothing is pushed here. */
async function preflight({ github, config, teller }: Landing): Promise<void> {
  const pulls = await probePullRequests(await github.within(WITHIN.ask));
  const rights = { push: null, pullRequests: pulls.right, creation: null, dispatch: null, ci: null, labels: null };
  tellRights({ ...rights, aheadMs: pulls.aheadMs }, config.preflight === "warn", teller);
}

function rankOf({ pull }: Found): number {
  if (pull === undefined) return 1;
  if (pull.state === "closed") return pull.merged ? 0 : 2;
  return pull.draft ? 1 : 0;
}

/** The pull request of a loop. @param number as its record says; null: it knows none */
async function pullOf({ landing: { github }, branchOf, base }: Choosing, loop: string, number: number | null) {
  const access = await github.within(WITHIN.ask);
  const branch = branchOf(loop);
  const found = await ask("pull-requests: read", async () => {
    const own = number === null ? undefined : await known(access, number, branch);
    return own ?? (await findOpen(access, { branch, base }));
  });
  if (found.ok) return found.value;
  throw notKnown(loop, found.trouble.because);
}

async function lookAt(choosing: Choosing, loop: string, number: number): Promise<Found> {
  const { landing, rules, branchOf } = choosing;
  const { state, damaged } = await recordAt(landing.github, loop);
  const own = state?.github?.pull_request?.number ?? null;
  const pull = await pullOf(choosing, loop, own);
  const none = { loop, number, lines: 0, tokens: 0, is: "ended", isWeak: false, work: null, pull, own } as const;
  if (damaged !== null) return { ...none, why: `What its loop has left cannot be read: ${damaged}.` };
  const claim = claimOfLoop(state);
  if (!claim.ok) return { ...none, is: claim.trouble.kind, why: claim.trouble.because };
  if (isPastStop(state)) return { ...none, why: "It went past a HARD STOP that nobody has confirmed." };
  const { tokens, isWeak } = claim.value;
  const at = { loop, branch: branchOf(loop), from: landing.base.commit, isAlone: false };
  const found = await workAt(landing.git, at, rules);
  const nothing = found === "missing" ? "its branch is missing" : "it has changed nothing";
  const { why, work, lines } = typeof found === "string" ? { why: nothing, work: null, lines: 0 } : found;
  const said = why === "" ? "" : `Its work is not taken: ${why}.`;
  return { ...none, is: "claimed", tokens, isWeak, work, lines, why: said };
}

function isPastStop(state: LoopState | null): boolean {
  return state !== null && hardStopPending(state).length > 0;
}

/** Proves one after the other, the best first, until one is green. */
async function choose({ landing, rules, branchOf }: Choosing, claimed: readonly Found[], prove: Prove) {
  const { git, ground, base, config } = landing;
  const red = new Map<string, string>();
  for (const one of claimed) {
    if (one.work === null) continue;
    const on = { tip: base.commit, files: new Map<string, string>(), message: one.loop, author: await ground.author() };
    const placed = await git.place(one.work, on, rules, WITHIN.git);
    if (!placed.ok && placed.trouble.kind === "unreachable") throw notKnown(one.loop, placed.trouble.because);
    if (!placed.ok) {
      red.set(one.loop, `Its work is not taken: ${placed.trouble.because}.`);
      continue;
    }
    await ground.give(placed.value.pack);
    await ground.standAt(placed.value.commit);
    const verdict = await prove.gates(one.loop);
    if (verdict.result !== "passed") {
      const what = verdict.result === "failed" ? "its checks are red" : "a check cannot be run";
      red.set(one.loop, textWithoutSecrets(`Proved once more, ${what}.\n${redWords(verdict)}`, config));
      continue;
    }
    const ref = `refs/heads/${branchOf(one.loop)}`;
    const listed = await git.list(ref, WITHIN.git);
    if (!listed.ok) throw notKnown(one.loop, listed.trouble.because);
    if (listed.value.get(ref) !== one.work.commit) throw notKnown(one.loop, "its branch was moved while it was proved");
    return { chosen: one, red };
  }
  return { chosen: undefined, red };
}

function fateOf(
  { branchOf }: Choosing,
  one: Found,
  chosen: Found | undefined,
  red: ReadonlyMap<string, string>,
): CandidateFate {
  const { number, loop, is, work, lines, tokens } = one;
  const isChosen = one === chosen;
  const spare = `Candidate ${chosen?.number ?? 0} comes before it: the one with a strong proof, then the fewest changed lines, then the fewest tokens.`;
  const why = isChosen ? "It is the best one, and was proved once more." : one.why || (red.get(loop) ?? spare);
  const figures = { lines: work === null ? null : lines, tokens: is === "claimed" ? tokens : null };
  return { number, loop, branch: branchOf(loop), isChosen, why, ...figures };
}

function nobody({ landing: { teller } }: Choosing, mayGoOn: boolean) {
  const what = "None of the candidates was chosen; the summary says why for each. Their branches and records are kept.";
  const next = mayGoOn
    ? "Run the jobs of this run again: those that were cut off go on, and the others stay as they are."
    : "Look at what they have done; starting the workflow again begins new ones.";
  teller.error(`${what} ${next}`);
  return { next: `${what} ${next}`, isFailed: true };
}

/** Makes the chosen one's pull request ready, then closes the others. */
async function bringUp(choosing: Choosing, chosen: Found, fates: readonly CandidateFate[]) {
  const { landing, branchOf, base } = choosing;
  const { teller, config, github } = landing;
  const branch = branchOf(chosen.loop);
  const kept = "The others are kept as evidence: each has its branch, its record and its job's artifact.";
  const marker = pullRequestMarker(chosen.loop);
  const { title, body } = chosen.pull ?? {
    title: `smithers: candidate ${chosen.number} of ${fates.length}`,
    body: choicePullRequest({ fates, next: kept }, marker),
  };
  const draft = config.pullRequest !== "auto";
  const wish = { branch, base, title, body, draft, marker, known: chosen.own };
  const access = await github.within(WITHIN.ask);
  const published = await publishPullRequest(access, wish);
  if (!published.ok) {
    const { kind, because } = published.trouble;
    const next = `The work of candidate ${chosen.number} is on ${branch} and has no open pull request: ${because}.`;
    // A person has merged or closed it, or nobody but a person may open one.
    const isSettled = kind === "closed" || kind === "forbidden_by_setting";
    if (isSettled) await closeOthers(choosing, chosen, fates);
    teller[isSettled ? "notice" : "error"](isSettled ? next : `${next} Open one by hand, or run this job again.`);
    return { next, isFailed: !isSettled };
  }
  const { number, url, notes, own } = published.value;
  if (!own) teller.notice(`Pull request #${number} is not the loop's own, so it is left as it is.`);
  for (const note of notes) teller.notice(`${note}.`);
  teller.line(`candidate ${chosen.number} was chosen: ${url}`);
  const comment = stickyComment(access, { number, marker: landingMarker(chosen.loop) });
  const put = await comment.put(chosenComment({ fates, next: kept }));
  if (!put.ok) teller.notice(`The choice could not be told on pull request #${number}: ${put.trouble.because}.`);
  await closeOthers(choosing, chosen, fates);
  return { next: `Its pull request is #${number}. ${kept}`, isFailed: false };
}

async function closeOthers({ landing, base }: Choosing, chosen: Found, fates: readonly CandidateFate[]): Promise<void> {
  for (const fate of fates) {
    if (fate.isChosen) continue;
    const text = notChosenComment(fate, `Candidate ${chosen.number} was; this one's branch is kept as evidence.`);
    await tellPull(landing, { loop: fate.loop, branch: fate.branch, base }, { text, closes: true });
  }
}

function firstOf(why: string): string {
  return why.split("\n")[0] ?? "";
}

function notKnown(loop: string, because: string): OperationalError {
  return new OperationalError({
    code: "CANDIDATE_UNKNOWN",
    what: `What loop ${loop} has done is not known: ${because}. No candidate was chosen, and nothing was changed.`,
    next: "Run the closing job again: it starts over.",
  });
}

const NO_CI =
  "ci-workflow is asked by each candidate's own job, and not again when one is chosen: here the commands prove it, and CI runs on its pull request.";
