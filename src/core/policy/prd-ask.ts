import { done, failed, type Result } from "../result.ts";
import { isPrdName, isStoryId } from "../story/story.ts";

/** What can be asked of a PRD. */
export const PRD_VERBS = ["run", "status", "retry", "accept"] as const;
export type PrdVerb = (typeof PRD_VERBS)[number];

/** What somebody asks of a PRD, as they wrote it. */
export interface PrdAsk {
  /** null: left out, which names the only one that there is */
  readonly name: string | null;
  readonly verb: PrdVerb;
  /** which story; null for `run` and `status` */
  readonly story: string | null;
  /** guidance for the story's next attempt; "" without. Somebody's words: data */
  readonly words: string;
}

/** The right form, as it is shown to people. */
export const PRD_FORM = "/smithers prd NAME [run | status | retry US-001 [words] | accept US-001]";

/**
 * Reads what follows `/smithers prd`. Without a verb it is `status`, which harms nothing: a name alone, or a comment
 * that was sent too early, spends no money. A verb is never a name, so it may come first.
 *
 * @param text without hidden characters and trimmed; words of `retry` may go on in the following lines
 * @returns or a sentence for its author
 */
export function readPrdAsk(text: string): Result<PrdAsk> {
  const [line, below] = cutAt("\n", text);
  const [first, others] = wordOf(line);
  const name = isPrdName(first) ? first : null;
  const [word, after] = name === null ? [first, others] : wordOf(others);
  const verb = word === "" ? "status" : PRD_VERBS.find((known) => known === word);
  if (verb === undefined) {
    return malformed(
      name === null ? "That is neither the name of a PRD nor a verb." : "The name is followed by a verb.",
    );
  }
  const takesStory = verb === "retry" || verb === "accept";
  const [story, last] = takesStory ? wordOf(after) : [null, after];
  if (story !== null && !isStoryId(story)) return malformed(`${verb} is followed by the id of a story.`);
  const words = [last, below].join("\n").trim();
  if (verb !== "retry" && words !== "")
    return malformed(`Nothing may follow ${verb}${story === null ? "" : ` ${story}`}.`);
  return done({ name, verb, story, words });
}

/** The first word and what is behind it. */
function wordOf(line: string): readonly [word: string, rest: string] {
  const [word, rest] = cutAt(" ", line);
  return [word, rest.trim()];
}

function cutAt(mark: string, text: string): readonly [before: string, after: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function malformed(what: string): Result<never> {
  return failed({ because: `${what} A PRD is asked with ${PRD_FORM}; NAME may be left out where there is one PRD.` });
}
