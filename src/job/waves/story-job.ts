import type { Settings } from "../../app/read-settings.ts";
import type { Config } from "../../config/config.ts";
import { UsageError } from "../../core/errors.ts";
import { entryOf, type Wave } from "../../core/story/ledger.ts";
import { branchOfLoop, loopsOfTake, runOfCandidate, storyOfLoop } from "../../core/story/wave-names.ts";
import type { Handed } from "../../core/task.ts";
import type { GithubContext } from "../../github/context.ts";
import type { JobPlace } from "../../store/place.ts";
import { KeptLedger } from "./kept-ledger.ts";

/** Whether a job works on the one story that a plan has given it (decision 0035): its loop's id is made of it. */
export function isStoryJob({ prd, story }: Pick<Config, "prd" | "story">, loopId: string): boolean {
  const named = storyOfLoop(loopId);
  return named !== null && named.prd === prd && named.story === story;
}

/**
 * The settings of a job that a plan of this run has given its loop: of a story, or of a candidate for a whole task. The
 * loop does not go on by itself; the pull request is the closing job's to close or to make ready, from the branch where
 * that looks; and its text says all that a status comment would, unless one is asked for.
 *
 * @throws UsageError `STORY_NOT_PUBLISHED`
 */
export function settingsInPlan<Of extends Pick<Settings, "config" | "sources">>(
  settings: Of,
  loopId: string,
  { runId }: Pick<GithubContext, "runId">,
): Of {
  const { config, sources } = settings;
  const isStory = isStoryJob(config, loopId);
  if (!isStory && runOfCandidate(loopId) !== runId) return settings;
  if (isStory && config.pullRequest === "never") throw notPublished(sources.pullRequest.where);
  const branch = isStory ? branchOfLoop("<loop-id>") : config.branch;
  const pullRequest = config.pullRequest === "never" ? "never" : "draft";
  const statusComment = sources.statusComment.from !== "default" && config.statusComment;
  return { ...settings, config: { ...config, branch, selfContinue: "never", pullRequest, statusComment } };
}

/**
 * What is known of a job's story from the waves before; null: the job is no story's. Without a token nothing is known.
 *
 * @throws UsageError `WAVE_OVER` when this run is not the one in which the story's turn has come
 * @throws OperationalError `LEDGER_UNKNOWN`
 */
export async function handedToStory({
  context,
  place,
  config,
}: {
  readonly context: GithubContext;
  readonly place: JobPlace;
  readonly config: Config;
}): Promise<Handed | null> {
  const { prd, story, githubToken } = config;
  if (prd === null || story === null || !isStoryJob(config, place.loopId)) return null;
  if (githubToken === null) return { attempts: 0, words: null, feedback: null, notes: "", proved: [] };
  const { now: ledger, notes } = await KeptLedger.ofJob({ context, config, place }, prd);
  if (!isTurnOf(ledger.wave, { prd, loopId: place.loopId, run: context.runId })) throw waveOver(story, prd);
  const { attempts, words, feedback } = entryOf(ledger, story);
  const proved = Object.keys(ledger.stories).filter((id) => entryOf(ledger, id).passed === "proved");
  return { attempts, words, feedback, notes, proved };
}

/** Whether the wave that is open was begun by this run, and has the loop. */
function isTurnOf(
  wave: Wave | null,
  { prd, loopId, run }: { readonly prd: string; readonly loopId: string; readonly run: number },
): boolean {
  if (wave === null || !wave.is_open || wave.run !== run) return false;
  return wave.stories.some((take) => loopsOfTake(prd, take).includes(loopId));
}

function notPublished(where: string): UsageError {
  return new UsageError({
    code: "STORY_NOT_PUBLISHED",
    what: `${where}: pull-request is never, so the closing job of the wave would find nothing of this story. Nothing was done.`,
    next: "Leave pull-request out: a story's is always a draft, and the closing job closes it.",
  });
}

function waveOver(story: string, prd: string): UsageError {
  return new UsageError({
    code: "WAVE_OVER",
    what: `The wave in which it was the turn of ${story} is over, or another run's. Nothing was done.`,
    next: `Start the next wave with /smithers prd ${prd} run; what is left of this story is gone on with there.`,
  });
}
