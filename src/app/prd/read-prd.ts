import { type Config, isSaidNow, type Sources } from "../../config/config.ts";
import type { ProviderName } from "../../config/settings/agent.ts";
import { UsageError } from "../../core/errors.ts";
import type { LoopState } from "../../core/state.ts";
import type { Handed } from "../../core/task.ts";
import type { PrdDocument, PrdIssue } from "../../prd/document.ts";
import type { Documents } from "../../prd/folder.ts";
import type { LoopPlace } from "../../store/place.ts";
import { consentToPrd, type ConsentMode } from "../consent.ts";
import type { Location } from "../locate.ts";
import type { CommittedFiles, Shell } from "../shell.ts";

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

/** Where a PRD is read, and for whom. */
interface Reading extends Pick<Location, "root"> {
  /** the root, where the person agrees, or a work tree of that */
  readonly work: string;
  /** the loop that works on it; absent: the documents are read as they lie there */
  readonly loop?: { readonly place: LoopPlace; readonly stored: LoopState | undefined };
}

/**
 * The PRD that the settings name; null: they name none. A person has to agree to its commands.
 *
 * @param sources of its settings; absent: what is said now outranks nothing of it
 * @throws UsageError with everything that is wrong with it, or `CONSENT_MISSING`
 */
export async function prdInUse(
  { config, sources }: { readonly config: Named; readonly sources?: Pick<Sources, "provider"> },
  { root, work, loop }: Reading,
  shell: Shell,
  mode: ConsentMode,
): Promise<PrdInUse | null> {
  const killed = loop?.stored?.status === "running" ? loop.place : undefined;
  const found = await readPrdOf(config, { root: work, killed });
  if (found === null) return null;
  const { prd } = found.document;
  // It is not asked about what does not count.
  const said = new Set(sources !== undefined && isSaidNow(sources.provider) ? ["provider"] : []);
  await consentToPrd(prd, { root, file: `${prd.folder}/prd.json`, said }, shell, mode);
  return found;
}

/** The settings that say what of which PRD is meant. */
export type Named = Pick<Config, "backlog" | "prd" | "story">;

interface Where {
  readonly root: string;
  readonly committed?: CommittedFiles;
  /** of a loop whose last run has not said that it ended; absent: there is none */
  readonly killed?: LoopPlace | undefined;
}

/** The PRD that the settings name, without asking anybody; null: they name none. @throws UsageError as `prdInUse` */
export async function readPrdOf(
  { backlog, prd: name, story }: Named,
  { root, committed, killed }: Where,
): Promise<PrdInUse | null> {
  if (backlog !== "prd" || name === null) return null;
  // Most loops have none.
  const [{ readPrd }, { documentsOfKilled }] = await Promise.all([
    import("../../prd/folder.ts"),
    import("../../prd/kept-documents.ts"),
  ]);
  const before = killed && (await documentsOfKilled(killed, root, name));
  const { document, markdown, issues } = await readPrd(root, name, before ?? committed);
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
