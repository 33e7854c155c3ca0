import type { Config } from "../../config/config.ts";
import { timestamp, readStories } from "../../core/open-loop.ts";
import type { Ports } from "../../core/ports.ts";
import type { LoopState } from "../../core/state.ts";
import { reconcile, recordsById, type StoryRecord } from "../../core/story/stories.ts";
import type { Task } from "../../core/task.ts";
import type { PrdInUse } from "./read-prd.ts";
import type { Settings } from "../read-settings.ts";

/** What a run is to do of a PRD, as its settings say. */
export function prdTaskOf({ document, ofWave }: PrdInUse, config: Config): NonNullable<Task["prd"]> {
  const { story, maxStories, storyAttempts, onBlockedStory } = config;
  const task = { ...document.prd, only: story, maxStories, storyAttempts, onBlocked: onBlockedStory };
  if (ofWave === undefined) return task;
  const { handed } = ofWave;
  return { ...task, storyAttempts: Math.max(1, storyAttempts - handed.attempts), handed };
}

/**
 * The settings with the cap that a PRD has where nobody has said one (section 4.1, PRE 8): what the loop has had, and the
 * iterations that its open stories may take.
 *
 * @param known what is known of its stories, reconciled with the document as far as that can be
 */
export function withIterations(
  settings: Settings,
  prd: PrdInUse | null,
  { iteration, stories }: Pick<LoopState, "iteration" | "stories">,
): Settings {
  const { config, sources } = settings;
  if (prd === null || sources.maxIterations.from !== "default") return settings;
  const maxIterations = iteration + iterationsFor(prdTaskOf(prd, config), stories?.records ?? []);
  return { ...settings, config: { ...config, maxIterations } };
}

/**
 * The same for a run that begins, which reads its stories as the loop is going to: now its cap is certain, and told.
 *
 * @param stored under the loop's lock; undefined: it begins
 */
export async function iterationsOfRun(
  settings: Settings,
  prd: PrdInUse | null,
  stored: LoopState | undefined,
  ports: Ports,
): Promise<Config> {
  if (prd === null || settings.sources.maxIterations.from !== "default") return settings.config;
  const task = prdTaskOf(prd, settings.config);
  const read = await readStories(task, stored, ports);
  const stories = reconcile(stored?.stories ?? null, read, timestamp(ports.clock.now()));
  const { config } = withIterations(settings, prd, { iteration: stored?.iteration ?? 0, stories });
  const text = `max-iterations is ${config.maxIterations}: what the loop has had, and the stories that have not passed, times ${task.storyAttempts} attempts (story-attempts)`;
  ports.reporter.observe({ type: "notice", text });
  return config;
}

/** Iterations that the open stories may take; of one without a record, the file says whether it has passed. */
export function iterationsFor(
  { stories, only, storyAttempts }: Pick<NonNullable<Task["prd"]>, "stories" | "only" | "storyAttempts">,
  records: readonly StoryRecord[],
): number {
  const known = recordsById({ records });
  const isOpen = (id: string, passes: boolean): boolean =>
    (known.get(id)?.state ?? (passes ? "passed" : "pending")) !== "passed" && (only === null || id === only);
  const open = stories.filter(({ id, passes }) => isOpen(id, passes));
  return Math.max(1, open.length * storyAttempts);
}
