import type { Handed } from "../../core/task.ts";
import type { CommittedFiles } from "../shell.ts";
import { type Named, type PrdInUse, readPrdOf } from "./read-prd.ts";

/**
 * The PRD that the settings of a job name; null: they name none. It has texts and commands as of the commit that may tell it anything (T8), and which stories have passed
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
  const { readDocuments } = await import("../../prd/folder.ts");
  return { ...here, ofWave: { handed, asFound: await readDocuments(location.root, name) } };
}

/** Plan and closing job see to the order of the stories, and to the pauses between them. */
const OF_A_WAVE = { passes: false, dependsOn: [], pauseAfter: false } as const;

/** What the checkout's document calls passed; a document that cannot be read calls nothing so. */
async function passedIn(root: string, name: string): Promise<ReadonlySet<string>> {
  const { readPrd } = await import("../../prd/folder.ts");
  const here = await readPrd(root, name).catch(() => undefined);
  const stories = here?.document?.prd.stories ?? [];
  return new Set(stories.filter(({ passes }) => passes).map(({ id }) => id));
}
