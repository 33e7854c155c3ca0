import { OperationalError } from "../../core/errors.ts";
import { storySubject } from "../../core/settle.ts";
import { decoded } from "../../git/diff.ts";
import type { PublishBranch } from "../../publish/publish-branch.ts";
import { JSON_FILE } from "../../prd/folder.ts";
import { oneLine } from "../../views/plain-text.ts";
import type { ClaimedWork } from "./candidates.ts";
import { branchesOf, type Closing, type TakenStory, WITHIN } from "./closing.ts";
import { markedDocument } from "./marked-document.ts";
import { branchUnknown, type Landed, landedBefore, tipOfBranch } from "./prd-branch.ts";

/** How often the branch may be moved by others while a story is proved. */
const MOST_TRIES = 5;

/** Why a candidate has not landed. */
export interface NotLanded {
  /** whole sentences, with words of others */
  readonly why: string;
  /** files that it changes, from the repository's top */
  readonly paths: readonly string[];
}

/** Says of a story on the branch whether it lands. */
interface Judge {
  /** more lines of its commit, in git's form */
  readonly trailers: readonly string[];
  /** @param placed the commit that would land, which is in the checkout's repository @param at what it is put on */
  readonly judge: (placed: string, at: string) => Promise<Pick<NotLanded, "why"> | Pick<Landed, "proved">>;
}

/**
 * Puts one candidate on the branch's tip and pushes it, if it is judged well there; again where others have moved the
 * branch. Where another run has landed the story meanwhile, that is what has landed.
 *
 * @throws OperationalError when something is not known or refused that is not the story's fault
 */
export async function putOnBranch(
  closing: Closing,
  taken: TakenStory,
  one: ClaimedWork,
  { trailers, judge }: Judge,
): Promise<NotLanded | Landed> {
  const { work } = one;
  if (work === null) return { why: `Its work is not taken: ${one.why}.`, paths: [] };
  const { branch, ground, wave, base } = closing;
  const paths = work.changes.map((change) => decoded(change.path));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const tip = await tipOfBranch(closing);
    const there = await landedBefore(closing, taken, tip);
    if (there !== undefined) return there;
    const at = tip ?? (wave.is_open ? wave.commit : base.commit);
    const placed = await placeOn(closing, taken, { ...one, work, trailers }, at);
    if ("why" in placed) return { paths, ...placed };
    await ground.give(placed.pack);
    const judged = await judge(placed.commit, at);
    if ("why" in judged) return { paths, ...judged };
    const pushing = await branchAt(closing, tip, at);
    const secret = await pushing.secretIn(placed.commit, WITHIN.push);
    if (secret !== null) return { why: `Nothing of it was pushed: ${secret}`, paths };
    const pushed = await pushing.push(placed.commit, WITHIN.push);
    if (pushed.ok) return { loop: one.loop, commit: pushed.value.head, ...judged };
    if (pushed.trouble.kind !== "moved") throw notPushed(branch, pushed.trouble.because);
    closing.teller.line(`${branch} was moved meanwhile; ${taken.story.id} is put on it again`);
  }
  throw notPushed(branch, "others move it all the time");
}

interface Placeable extends Pick<ClaimedWork, "loop" | "rules"> {
  readonly work: NonNullable<ClaimedWork["work"]>;
  readonly trailers: Judge["trailers"];
}

/** The story on a commit of the branch, as a commit that nothing names yet. */
async function placeOn(
  closing: Closing,
  { story }: TakenStory,
  { work, loop, rules, trailers: more }: Placeable,
  tip: string,
) {
  const { git, ground, prd, branch, base } = closing;
  const trailers = [`Smithers-Loop: ${loop}`, `Smithers-Story: ${story.id}`, `Smithers-Prd: ${prd.name}`, ...more];
  const name = `${base.repository.prefix}${prd.folder}/${JSON_FILE}`;
  const files = new Map([[name, await markedDocument(closing, story.id, tip)]]);
  const message = `${storySubject(story)}\n\n${trailers.join("\n")}\n`;
  const placed = await git.place(work, { tip, files, message, author: await ground.author() }, rules, WITHIN.git);
  if (placed.ok) return placed.value;
  const { kind, because, paths } = placed.trouble;
  if (kind === "unreachable") throw branchUnknown(branch, because);
  const where = paths.length === 0 ? "" : `: ${paths.slice(0, 20).map(oneLine).join(", ")}`;
  const what = kind === "conflict" ? `It does not fit on ${branch}: ${because}` : `It is not taken: ${because}`;
  return { why: `${what}${where}.` };
}

async function branchAt(closing: Closing, tip: string | null, head: string): Promise<PublishBranch> {
  const { branch: name } = closing;
  const found = await branchesOf(closing).reopen({ name, tip, head });
  if (found === undefined) throw notPushed(name, "it cannot be written from here");
  return found;
}

function notPushed(branch: string, because: string): OperationalError {
  return new OperationalError({
    code: "STORY_NOT_PUSHED",
    what: `A story could not be pushed to ${branch}: ${because}. It is on its own branch, and the wave stays open.`,
    next: "Put that right, such as a rule of the repository for that branch, then run the closing job again.",
  });
}
