import { bestFirst } from "../../core/story/landing.ts";
import {
  acceptedInVain,
  acceptedLanded,
  entryOf,
  type Ledger,
  nextWave,
  unlandedAccepted,
} from "../../core/story/ledger.ts";
import type { Story } from "../../core/story/story.ts";
import { loopsOfTake } from "../../core/story/wave-names.ts";
import { MOST_JOBS } from "../../core/story/waves.ts";
import { textWithoutSecrets } from "../../store/redaction.ts";
import { notLandedComment } from "../../views/github/landing-report.ts";
import { oneLine } from "../../views/plain-text.ts";
import { type ClaimedWork, workOf } from "./candidates.ts";
import type { Closing, TakenStory } from "./closing.ts";
import type { Closed } from "./land-story.ts";
import { landedBefore, tipOfBranch } from "./prd-branch.ts";
import { putOnBranch } from "./put-on-branch.ts";
import { tidyLanded, WAITS } from "./report-wave.ts";
import { isPullOpen, pullOfStory, tellPull } from "./story-pulls.ts";

/**
 * Lands what people have accepted, as it is: of each such story the best work that an open pull request of it shows. Their
 * word stands in for the checks, and for nothing else. A story without such a pull request passes without a commit; one
 * whose work does not fit, or may not land, waits for a person again. Safe to repeat.
 *
 * @throws OperationalError when something is not known or refused that is not the story's fault: it stays accepted
 */
export async function landAccepted(closing: Closing): Promise<readonly (readonly [TakenStory, Closed])[]> {
  const fates: [TakenStory, Closed][] = [];
  for (const story of unlandedAccepted(closing.ledger.now, closing.prd)) fates.push(await landOne(closing, story));
  return fates;
}

async function landOne(closing: Closing, story: Story): Promise<[TakenStory, Closed]> {
  const { ledger, config, teller } = closing;
  const { take, accepted_by: by = null } = entryOf(ledger.now, story.id);
  const who = by ?? "A person";
  const tip = await tipOfBranch(closing);
  // One that is not at work has begun its next take already.
  for (const taken of [take, take - 1].filter((at) => at > 0).map((at) => takenAt(closing, story, at))) {
    const works = await shownWorks(closing, taken);
    const there = await landedBefore(closing, taken, tip);
    const [best] = works;
    if (there === undefined && best === undefined) continue;
    const trailers = by === null ? [] : [`Smithers-Accepted-By: ${oneLine(by)}`];
    const judge = () => Promise.resolve({ proved: null });
    const put = there ?? (best && (await putOnBranch(closing, taken, best, { trailers, judge })));
    if (put !== undefined && "commit" in put) {
      await tidyLanded(closing, taken, { commit: put.commit, passed: "accepted", winner: put.loop });
      await settle(closing, (now) => acceptedLanded(now, story.id, put.commit));
      return [
        taken,
        { fate: { fate: "landed", ...put }, learned: [], kept: works.filter(({ loop }) => loop !== put.loop) },
      ];
    }
    const why = textWithoutSecrets(`${who} has accepted it, and its work cannot land. ${put?.why}`, config);
    teller.notice(`${story.id}: ${oneLine(why)}`);
    for (const loop of taken.loops) {
      await tellPull(closing, pullOfStory(closing, loop), {
        text: notLandedComment(story.id, why, WAITS),
        closes: false,
      });
    }
    await settle(closing, (now) => acceptedInVain(now, story.id, taken.take.take, why));
    return [taken, { fate: { fate: "back", why }, learned: [], kept: works }];
  }
  teller.notice(`${story.id} was accepted, and no open pull request shows work of it: it passes without a commit.`);
  await settle(closing, (now) => acceptedLanded(now, story.id, null));
  return [takenAt(closing, story, take), { fate: { fate: "known" }, learned: [], kept: [] }];
}

/** Where no wave is open, what depends on the story begins now. */
async function settle({ ledger }: Closing, change: (now: Ledger) => Ledger): Promise<void> {
  await ledger.change((now) => {
    const changed = change(now);
    return changed === now || now.wave?.is_open === true ? changed : nextWave(changed, "due");
  });
}

function takenAt({ prd, wave }: Closing, story: Story, at: number): TakenStory {
  const known = wave.stories.find((one) => one.story === story.id && one.take === at);
  const take = known ?? { story: story.id, take: at, candidates: Math.min(story.attempts, MOST_JOBS) };
  return { story, take, loops: loopsOfTake(prd.name, take) };
}

/** The best first; those that may not land come last. */
async function shownWorks(closing: Closing, taken: TakenStory): Promise<readonly ClaimedWork[]> {
  const works: ClaimedWork[] = [];
  for (const [at, loop] of taken.loops.entries()) {
    if (await isPullOpen(closing, loop)) works.push(await workOf(closing, taken, at + 1));
  }
  const [taking, refused] = [true, false].map((is) => works.filter(({ work }) => (work !== null) === is));
  return [...bestFirst(taking ?? []), ...(refused ?? [])];
}
