import { type Config, isSaidNow, type Sources } from "../config/config.ts";
import type { ProviderName } from "../config/settings/agent.ts";
import { UsageError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { recordsById } from "../core/story/stories.ts";
import type { Handed, Task } from "../core/task.ts";
import type { PrdDocument, PrdIssue } from "../prd/document.ts";
import type { Documents } from "../prd/folder.ts";
import { consentToPrd, type ConsentMode } from "./consent.ts";
import type { Location } from "./locate.ts";
import type { CommittedFiles, Shell } from "./shell.ts";

/** The documents of a PRD, as they were when the run began. */
export interface PrdInUse {
  readonly document: PrdDocument;
  /** undefined: there is no `prd.md` */
  readonly markdown: string | undefined;
  /** for the job of one story of a wave (decision 0035); absent: this is none */
  readonly ofWave?: { readonly handed: Handed; readonly asFound: Documents };
  /** who takes the turns of the stories that are left, see `withAgents`; absent: the settings' own */
  readonly agents?: readonly ProviderName[];
}

const SHOWN = 20;

/**
 * The PRD that the settings name; null: they name none. A person has to agree to its commands.
 *
 * @param sources of its settings; absent: what is said now outranks nothing of it
 * @param root where the person agrees @param work where the PRD is read: the same, or a work tree of that
 * @throws UsageError with everything that is wrong with it, or `CONSENT_MISSING`
 */
export async function prdInUse(
  { config, sources }: { readonly config: Named; readonly sources?: Pick<Sources, "provider"> },
  { root, work }: Pick<Location, "root"> & { readonly work: string },
  shell: Shell,
  mode: ConsentMode,
): Promise<PrdInUse | null> {
  const found = await readPrdOf(config, { root: work });
  if (found === null) return null;
  const { prd } = found.document;
  // It is not asked about what does not count.
  const said = new Set(sources !== undefined && isSaidNow(sources.provider) ? ["provider"] : []);
  await consentToPrd(prd, { root, file: `${prd.folder}/prd.json`, said }, shell, mode);
  return found;
}

/**
 * The same for a job: texts and commands as of the commit that may tell it anything (T8), and which stories have passed
 * as the checkout says, which holds their work.
 *
 * @param handed by the plan of a wave, whose one story begins whatever it depends on and whatever its file says; the
 * documents stay as they are checked out, because only the closing job marks them. Null: this job is no story's
 * @throws UsageError with everything that is wrong with it
 */
export async function prdOfJob(
  config: Named,
  location: { readonly root: string; readonly committed: CommittedFiles },
  handed: Handed | null = null,
): Promise<PrdInUse | null> {
  const found = await readPrdOf(config, location);
  if (found === null) return null;
  const { document } = found;
  const { name } = document.prd;
  const passed = await passedIn(location.root, name);
  const stories = document.prd.stories.map((story) => {
    if (handed !== null && story.id === config.story) return { ...story, ...OF_A_WAVE };
    return { ...story, passes: passed.has(story.id) };
  });
  const here = { ...found, document: { ...document, prd: { ...document.prd, stories } } };
  if (handed === null) return here;
  const { readDocuments } = await import("../prd/folder.ts");
  return { ...here, ofWave: { handed, asFound: await readDocuments(location.root, name) } };
}

/** Plan and closing job see to the order of the stories, and to the pauses between them. */
const OF_A_WAVE = { passes: false, dependsOn: [], pauseAfter: false } as const;

/** What the checkout's document calls passed; a document that cannot be read calls nothing so. */
async function passedIn(root: string, name: string): Promise<ReadonlySet<string>> {
  const { readPrd } = await import("../prd/folder.ts");
  const here = await readPrd(root, name).catch(() => undefined);
  const stories = here?.document?.prd.stories ?? [];
  return new Set(stories.filter(({ passes }) => passes).map(({ id }) => id));
}

type Named = Pick<Config, "backlog" | "prd" | "story">;

async function readPrdOf(
  { backlog, prd: name, story }: Named,
  { root, committed }: { readonly root: string; readonly committed?: CommittedFiles },
): Promise<PrdInUse | null> {
  if (backlog !== "prd" || name === null) return null;
  // Most loops have none.
  const { readPrd } = await import("../prd/folder.ts");
  const { document, markdown, issues } = await readPrd(root, name, committed);
  if (document === undefined) throw invalid(name, issues);
  const ids = document.prd.stories.map(({ id }) => id);
  if (story === null || ids.includes(story)) return { document, markdown };
  throw new UsageError({
    code: "STORY_UNKNOWN",
    what: `The PRD ${name} has no story ${story}.`,
    next: `Name one of its stories: ${ids.slice(0, SHOWN).join(", ")}${ids.length > SHOWN ? " …" : ""}.`,
  });
}

function invalid(name: string, issues: readonly PrdIssue[]): UsageError {
  const errors = issues.filter(({ severity }) => severity === "error");
  const lines = errors.slice(0, SHOWN).map(({ file, line, path, reason, cure }) => {
    const where = [line === null ? file : `${file}:${line}`, path].filter((part) => part !== "").join(" ");
    return `  ${where}: ${reason} ${cure}`;
  });
  const more = errors.length > SHOWN ? [`  … and ${errors.length - SHOWN} more`] : [];
  return new UsageError({
    code: "PRD_INVALID",
    what: [`The PRD ${name} cannot be worked on:`, ...lines, ...more].join("\n"),
    next: `Correct it; smithers prd validate ${name} tells all that is left.`,
  });
}

/** What a run is to do of a PRD, as its settings say. */
export function prdTaskOf({ document, ofWave }: PrdInUse, config: Config): NonNullable<Task["prd"]> {
  const { story, maxStories, storyAttempts, onBlockedStory } = config;
  const task = { ...document.prd, only: story, maxStories, storyAttempts, onBlocked: onBlockedStory };
  if (ofWave === undefined) return task;
  const { handed } = ofWave;
  return { ...task, storyAttempts: Math.max(1, storyAttempts - handed.attempts), handed };
}

/**
 * Iterations that the open stories may take, where nobody has said how many (section 4.1, PRE 8). What the file calls
 * passed is so, unless the loop was about to pass it: it writes the file first.
 */
export function iterationsFor(
  { stories, only, storyAttempts }: NonNullable<Task["prd"]>,
  known: LoopState["stories"],
): number {
  const records = recordsById(known ?? { records: [] });
  const open = stories.filter(
    ({ id, passes }) => (!passes || records.get(id)?.state === "in_progress") && (only === null || id === only),
  );
  return Math.max(1, open.length * storyAttempts);
}
