import { entryOf, storiesBefore } from "../../core/story/ledger.ts";
import { CommitFiles } from "../../git/commit-files.ts";
import { type PrdDocument, readDocument } from "../../prd/document.ts";
import { JSON_FILE } from "../../prd/folder.ts";
import { LIMITS } from "../../prd/shape.ts";
import { marksOf } from "../../store/place.ts";
import type { Closing } from "./closing.ts";

/**
 * The text of `prd.json` for a commit on the PRD's branch, with one more story passed: what the branch has there, with the
 * stories that the base has got since. What the branch calls passed stays so, also of a story that the base has no more,
 * until a person lets it be tried again; all else stays byte for byte. Where the branch's cannot be read, the base's takes
 * its place.
 *
 * @param id of the story
 * @param tip where the branch is
 */
export async function markedDocument(closing: Closing, id: string, tip: string): Promise<string> {
  const { context, config, place, prd, base, ledger } = closing;
  const { serverUrl, repository: remote } = context;
  const url = `${serverUrl}/${remote.owner}/${remote.name}`;
  const { repository } = base;
  const use = { repository, folder: place.scratch("tip"), url, token: config.githubToken, mark: marksOf(place).tools };
  const files = await CommitFiles.open(use, tip);
  const name = `${repository.prefix}${prd.folder}/${JSON_FILE}`;
  const read = (text: string | undefined): PrdDocument | undefined =>
    text === undefined ? undefined : readDocument(text, prd).document;
  const theirs = read(await base.text(name, LIMITS.bytes));
  if (theirs === undefined) throw new Error("the base's document is gone");
  const here = read(await files.text(name, LIMITS.bytes).catch(() => undefined));
  const document = (here && read(here.withStoriesOf(theirs))) ?? theirs;
  const before = storiesBefore(ledger.now, prd);
  const marks = document.prd.stories.map((story) => {
    const stays = story.passes && !entryOf(ledger.now, story.id).reopened;
    const passes = story.id === id || stays || before.get(story.id)?.state === "passed";
    return [story.id, { passes, inProgress: false }] as const;
  });
  return document.render(new Map(marks));
}
