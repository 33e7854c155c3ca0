import { entryOf, landed, type Ledger, sentBack, type Wave } from "../../core/story/ledger.ts";
import { loopsOfTake } from "../../core/story/wave-names.ts";
import { landedComment, notLandedComment } from "../../views/github/landing-report.ts";
import type { Closing } from "./closing.ts";
import { landedBefore, tipOfBranch } from "./prd-branch.ts";
import { pullOfStory, tellPull } from "./story-pulls.ts";

/**
 * Sees to a story of the wave that the PRD has no more: nothing more of it lands, its pull requests are closed, and the ledger
 * says that nobody is at work on it. Its branches are kept. Safe to repeat.
 */
export async function giveUpStory(closing: Closing, take: Wave["stories"][number]): Promise<void> {
  const { ledger, prd, teller } = closing;
  const id = take.story;
  const loops = loopsOfTake(prd.name, take);
  const there = await landedBefore(closing, { story: { id }, loops }, await tipOfBranch(closing));
  const given = (now: Ledger): Ledger =>
    there === undefined
      ? sentBack(now, id, { ...GONE, attempts: 0, most: 1, paths: [] })
      : landed(now, id, there.commit);
  const text =
    there === undefined
      ? notLandedComment(id, "", NEXT)
      : landedComment(id, there.commit, { branch: closing.branch, passed: "proved" });
  teller.notice(`${id} is not in the PRD any more, so nothing more of it lands. Its branches are kept.`);
  for (const loop of loops) await tellPull(closing, pullOfStory(closing, loop), { text, closes: true });
  await ledger.change((now) => {
    const { take: at, state } = entryOf(now, id);
    return at === take.take && state !== "passed" ? given(now) : now;
  });
}

/** For its next attempt, should it come back. */
const GONE = { feedback: "It was taken out of the PRD while it was worked on." };
const NEXT = "It is not in the PRD any more. Its branch is kept as evidence.";
