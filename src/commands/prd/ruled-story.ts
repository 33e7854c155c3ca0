import type { Shell } from "../../app/shell.ts";
import { suggest } from "../../config/suggest.ts";
import { UsageError } from "../../core/errors.ts";
import type { StoryRuled } from "../../core/events.ts";
import { TEXT_LIMIT } from "../../core/policy/command.ts";
import { whyNotRuled } from "../../core/story/ruling.ts";
import type { Stories } from "../../core/story/stories.ts";
import { isStoryId, type Story } from "../../core/story/story.ts";
import { sha256 } from "../../os/digest.ts";
import type { PrdDocument } from "../../prd/document.ts";
import { prdFolder, readPrd } from "../../prd/folder.ts";
import { invalidPrd } from "./issues.ts";
import { prdProgramOf } from "./place.ts";

/** What a person says about a story. */
export interface Asked {
  readonly kind: StoryRuled["ruling"];
  /** the PRD; "": it was not named */
  readonly given: string;
  readonly id: string;
  /** null: none */
  readonly words: string | null;
}

/**
 * Reads `[NAME] US-003 [words]`; no name of a PRD is what a story is called by.
 *
 * @throws UsageError `STORY_UNNAMED`, `WORDS_REFUSED`
 */
export function askedFor(kind: Asked["kind"], operand: string, shell: Shell): Asked {
  const [first = "", second = "", ...more] = operand.trim().split(/\s+/u);
  const isNamed = !isStoryId(first);
  const [given, id, rest] = isNamed
    ? [first, second, more]
    : ["", first, [...(second === "" ? [] : [second]), ...more]];
  const usage = `${prdProgramOf(shell)} ${kind} NAME US-003${kind === "retry" ? ' "what to do otherwise"' : ""}`;
  if (!isStoryId(id)) {
    const what = `${kind} was not told which story is meant: ${JSON.stringify(id)} is no story's id.`;
    throw new UsageError({ code: "STORY_UNNAMED", what, next: `Name it: ${usage}` });
  }
  const words = rest.length === 0 ? null : rest.join(" ");
  if (words !== null && (kind === "accept" || words.length > TEXT_LIMIT)) {
    const what = kind === "accept" ? "accept takes no words." : `The words have more than ${TEXT_LIMIT} characters.`;
    throw new UsageError({ code: "WORDS_REFUSED", what: `${what} Nothing was changed.`, next: `Give: ${usage}` });
  }
  return { kind, given, id, words };
}

/**
 * The story as the document says it now.
 *
 * @param known what the loop remembers; null: nothing yet
 * @throws UsageError when there is no such story, or a person's word about it would be none
 */
export async function storyIn(
  {
    kind,
    id,
    name,
    work: { root },
  }: Pick<Asked, "kind" | "id"> & { readonly name: string; readonly work: { readonly root: string } },
  known: Stories | null,
  shell: Shell,
): Promise<{ readonly story: Story; readonly document: PrdDocument }> {
  const { document, issues } = await readPrd(root, name);
  if (document === undefined) throw invalidPrd(prdFolder(name), issues);
  const { stories } = document.prd;
  const story = stories.find((one) => one.id === id);
  const why = whyNotRuled(document.prd, known, { id, ruling: kind }, sha256);
  if (story !== undefined && why === null) return { story, document };
  const ids = stories.map((one) => one.id);
  const meant = story === undefined ? suggest(id, ids) : undefined;
  throw new UsageError({
    code: story === undefined ? "STORY_UNKNOWN" : "STORY_NOT_RULED",
    what: `${why ?? `The PRD ${name} has no story ${id}.`} Nothing was changed.`,
    next:
      meant === undefined
        ? `See how the stories are: ${prdProgramOf(shell)} status ${name}`
        : `Did you mean ${prdProgramOf(shell)} ${kind} ${name} ${meant}?`,
  });
}
