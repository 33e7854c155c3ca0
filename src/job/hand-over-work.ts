import { stat } from "node:fs/promises";
import path from "node:path";
import { saveLoop } from "../carry/save.ts";
import { shareReserve } from "../core/carry.ts";
import { COMMITS_FILE } from "../core/names.ts";
import type { LoopState } from "../core/state.ts";
import { bundleCommits, HANDED_LIMITS } from "../git/handed-commits.ts";
import { findRepository } from "../git/repository.ts";
import { publishedHead } from "../publish/publication-facts.ts";
import { sha256 } from "../os/digest.ts";
import type { PublishBranch } from "../publish/publish-branch.ts";
import type { PublisherOptions } from "../publish/publisher.ts";
import { marksOf } from "../store/place.ts";
import { type HandedPublication, writePublication } from "../store/publication-file.ts";
import { withoutSecrets } from "../store/redaction.ts";
import type { Finish, Finished } from "./finish.ts";

const LOOK_MS = 20_000;

/**
 * Ends a job that may not write: what publishing begins from is in the loop's artifact then, with the commits as a
 * bundle (decision 0030). Work with a secret, or with a change of what is protected, is not handed over as commits.
 *
 * @param reserveMs the time for all of it
 */
export async function handOverWork(
  ended: LoopState,
  { carriers, note, report, publishing, follows }: Finish,
  reserveMs: number,
): Promise<Finished> {
  const { teller } = publishing;
  const shares = shareReserve(reserveMs);
  const publication = await prepare(ended, publishing, shares.publish);
  const saved = await saveLoop(ended, { ...carriers, cache: undefined, checkpoints: undefined, follows, shares });
  for (const { name, saved: isSaved, detail } of saved.fates) {
    if (isSaved) teller.line(`handed over to the job that publishes, by ${name}: ${detail}`);
    else teller.notice(detail);
  }
  const isWhole = publication.withheld !== "unmade" || carriers.keepsTree;
  const isLost = saved.artifact === null || !isWhole;
  if (isLost) teller.error(saved.artifact === null ? NOT_HANDED_OVER : COMMITS_LOST);
  await report.summarize(ended, saved);
  await note({ follows, seen: true, sent: [], carried: ended.revision });
  return { state: ended, saved, isLost };
}

const NOT_HANDED_OVER =
  "What this run did is lost with this machine: the artifact that the job publish begins from could not be uploaded. What was published before is unharmed. Run the workflow again when GitHub answers.";
const COMMITS_LOST =
  "The commits of this run are lost with this machine: they could not be handed over, and unfinished work is not kept here without a state-key. What was published before is unharmed. Put right what the other messages name, then run the workflow again.";

/** Writes the publication and its commits into the loop's folder, from where they travel. */
async function prepare(ended: LoopState, publishing: PublisherOptions, withinMs: number): Promise<HandedPublication> {
  const { place, branch, context, config } = publishing;
  const state = sha256(JSON.stringify(withoutSecrets(ended, config)));
  const commit = branch === undefined ? null : await publishedHead(ended, place.root);
  const known = { tip: branch?.tip ?? null, head: branch?.head ?? null };
  const made = { schema: 1, run: context.runId, state, ...known, commit, withheld: null } as const;
  const isNew = branch !== undefined && commit !== null && commit !== known.tip && commit !== known.head;
  // Before the bundle: what an earlier run has left is gone then.
  await writePublication(place.folder, made);
  if (!isNew) return made;
  const withheld = await bundle(publishing, branch, commit, withinMs);
  if (withheld === null) return made;
  const none = { ...made, commit: known.head ?? known.tip, withheld };
  await writePublication(place.folder, none);
  return none;
}

/** @returns why the commits are not handed over, which a person is told; null: they are */
async function bundle(
  { context, place, config, teller }: PublisherOptions,
  branch: PublishBranch,
  commit: string,
  withinMs: number,
): Promise<HandedPublication["withheld"]> {
  const lookMs = Math.min(LOOK_MS, withinMs / 4);
  const secret = await branch.secretIn(commit, lookMs);
  if (secret !== null) {
    teller.notice(`The commits are not handed over: ${secret}`);
    return "secret";
  }
  const forbidden = await branch.protectedIn(commit, lookMs);
  if (forbidden !== null) {
    teller.notice(`The commits are not handed over: ${forbidden}`);
    return "protected";
  }
  const repository = await findRepository(place.root);
  if (repository === undefined) return "unmade";
  const { owner, name } = context.repository;
  const remote = { url: `${context.serverUrl}/${owner}/${name}`, token: config.githubToken };
  const git = { ...remote, folder: place.gitFolder("hand-over"), mark: marksOf(place).tools };
  const known = [branch.here, branch.head].filter((id) => id !== null);
  const file = path.join(place.folder, COMMITS_FILE);
  const made = await bundleCommits(git, repository, { commit, known }, file, withinMs / 2);
  const bytes = made.ok ? (await stat(file)).size : 0;
  if (made.ok && bytes <= HANDED_LIMITS.file) return null;
  const why = made.ok ? `they take ${bytes} bytes, more than ${HANDED_LIMITS.file}` : made.trouble.because;
  teller.notice(`The commits are not handed over: ${why}.`);
  return "unmade";
}
