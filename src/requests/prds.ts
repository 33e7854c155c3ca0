import { PRDS_FOLDER } from "../core/names.ts";
import { z } from "zod";
import { done, failed, type Result } from "../core/result.ts";
import { storyDigest } from "../core/story/stories.ts";
import { isPrdName, isStoryId } from "../core/story/story.ts";
import type { Github } from "../github/client.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { sha256 } from "../os/digest.ts";
import { readDocument } from "../prd/document.ts";
import { LIMITS } from "../prd/shape.ts";
import { fileAt } from "./find-loop.ts";

const Listing = z.array(z.object({ type: z.string(), name: z.string() }));

/**
 * The names of the PRDs on the default branch, in the order of the alphabet (`contents: read`). A file is none, nor is a folder
 * whose name cannot be one. Never throws.
 */
export async function listPrds(github: Github): Promise<Result<readonly string[], Refused>> {
  const listed = await ask("contents: read", async () => {
    const { data } = await github.rest.repos.getContent({ path: PRDS_FOLDER });
    return Listing.catch([]).parse(data);
  });
  if (!listed.ok) return listed.trouble.kind === "absent" ? done([]) : listed;
  const names = listed.value.filter(({ type, name }) => type === "dir" && isPrdName(name)).map(({ name }) => name);
  return done(names.toSorted());
}

const StoryOnBranch = z.object({
  id: z.string().refine(isStoryId),
  title: z.string().catch(""),
  priority: z.number().catch(Number.MAX_SAFE_INTEGER),
  passes: z.boolean().catch(false),
  dependsOn: z.array(z.string()).catch([]),
});

/** A story as the file on the default branch has it: to be shown, never to be worked on. */
export interface StoryOnBranch extends Readonly<z.output<typeof StoryOnBranch>> {
  /** of what it says, see `storyDigest`; null: the file is not as it has to be */
  readonly digest: string | null;
}

const Document = z.object({ userStories: z.array(z.unknown()) });

/**
 * The stories that a PRD has on the default branch, as far as they can be read (`contents: read`); null: the file is missing, no
 * PRD or too large. Whether it holds is for who works on it to say. Never throws.
 */
export async function readStories(
  github: Github,
  name: string,
): Promise<Result<readonly StoryOnBranch[] | null, Refused>> {
  const path = `${PRDS_FOLDER}/${name}/prd.json`;
  const read = await ask("contents: read", () => fileAt(github, null, path));
  if (!read.ok) return read.trouble.kind === "absent" ? done(null) : read;
  return done(Buffer.byteLength(read.value) > LIMITS.bytes ? null : storiesIn(read.value, name));
}

/** The stories in the text of a `prd.json`; of two with one id, the first. */
export function storiesIn(text: string, name: string): readonly StoryOnBranch[] | null {
  const document = Document.safeParse(jsonIn(text), { jitless: true }).data;
  if (document === undefined) return null;
  const whole = readDocument(text, { name, folder: `${PRDS_FOLDER}/${name}` }).document?.prd.stories ?? [];
  const digests = new Map(whole.map((story) => [story.id, storyDigest(story, sha256)]));
  const stories = new Map<string, StoryOnBranch>();
  for (const entry of document.userStories.slice(0, LIMITS.stories)) {
    const story = StoryOnBranch.safeParse(entry, { jitless: true }).data;
    if (story === undefined || stories.has(story.id)) continue;
    stories.set(story.id, { ...story, digest: digests.get(story.id) ?? null });
  }
  return [...stories.values()];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names that are shown in one sentence. */
const MOST_NAMES = 20;

/**
 * Which PRD is meant: the one that is named, or the only one that there is.
 *
 * @param name null: left out
 * @returns or two sentences for who asked: why none is, and what to do
 */
export function choosePrd(
  name: string | null,
  names: readonly string[],
  branch: string,
): Result<string, { readonly because: string; readonly next: string }> {
  const [first] = names;
  if (first === undefined) {
    return failed({
      because: `There is no PRD on ${branch}.`,
      next: `Merge one into ${branch}, as ${PRDS_FOLDER}/NAME/prd.json.`,
    });
  }
  const known = `${names.slice(0, MOST_NAMES).join(", ")}${names.length > MOST_NAMES ? " …" : ""}`;
  if (name === null) {
    if (names.length === 1) return done(first);
    return failed({
      because: `There are several PRDs on ${branch}: ${known}.`,
      next: "Say which one: /smithers prd NAME.",
    });
  }
  if (names.includes(name)) return done(name);
  return failed({
    because: `There is no PRD ${name} on ${branch}; there is ${known}.`,
    next: `Merge it into ${branch} first.`,
  });
}
