import { readCommand, readReview } from "../core/policy/command.ts";
import { letsWork } from "../core/policy/may.ts";
import { done, type Result } from "../core/result.ts";
import { ownLogin, sameLogin } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { type CommentedOn, react, reply } from "../github/comments.ts";
import { markReview, readMarkedReviews } from "../github/orders/review.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { dispatchedSince, mayHaveBegun, type WorkflowRun } from "../github/runs.ts";
import { loopIdIn } from "../views/github/markers.ts";
import { type LostRequest, lostReply, tellsLoss } from "../views/github/relay-reply.ts";
import type { FoundLoop } from "./find-loop.ts";
import { commandOf, type Intent } from "./intent.ts";
import { labelsTaken } from "./issue-events.ts";
import { readPrdRecord } from "./prd-record.ts";
import { listPrds } from "./prds.ts";

/** At most this many comments since the loop was last saved are looked at. */
const MOST = 100;

/** So long a run that was just asked for may be missing in GitHub's lists of runs; milliseconds. */
const LISTS_LAG_MS = 60_000;

/** So far back it is looked; milliseconds. */
const BACK_MS = 7 * 24 * 3_600_000;

/** What somebody has asked for that a relay has handed on, and of which nothing came. */
interface Lost extends LostRequest {
  /** when it was asked for, and when it was handed on; milliseconds since the epoch */
  readonly at: number;
  readonly handedOn: number;
  /** of the workflow that was to do it */
  readonly file: string;
  /** whether a run of that may be doing it, or have done it */
  readonly isDone: (run: WorkflowRun) => boolean;
  /** Marks it as told. */
  readonly mark: () => Promise<unknown>;
}

/** The loop of a place. It is not looked for where something is asked for a PRD: only other orders for PRDs are told of then. */
export type LoopThere = Pick<FoundLoop, "state" | "running"> | "none" | "not looked for";

/** Where it is looked. */
export interface LostIn {
  readonly number: number;
  readonly on: CommentedOn;
  /** of the workflows that work on loops and on PRDs, as in `worker.yml` */
  readonly files: { readonly loop: string; readonly prd: string };
  readonly loop: LoopThere;
  /** what is being answered now, which is not lost */
  readonly asking: Pick<Intent, "request">;
  /** when that was asked, in milliseconds since the epoch; null: by a label, which GitHub does not date */
  readonly at: number | null;
}

/**
 * Tells of what people have asked for and nothing came of: its run was cancelled or refused after the relay that had
 * started it was gone (C88, C161). A run that begins writes the loop's record, so only what was asked since can be lost;
 * where there is no loop, what no comment of ours about one has followed. It is not lost while a run may still do it, nor
 * within a minute of being handed on, because lists of runs lag. An order for a PRD is lost only where its run never began, for
 * one that did has said what came of it. Each is told once: by the answer itself, after which 😕 marks
 * comments and reviews. Never throws.
 *
 * @returns what was told, a line each for the log
 */
export async function tellLost(github: Github, where: LostIn): Promise<Result<readonly string[], Refused>> {
  const { number, on, loop, at } = where;
  const found = typeof loop === "string" ? null : loop;
  if (found?.running === true) return done([]);
  const since = found === null ? Math.max((at ?? 0) - BACK_MS, 0) : Date.parse(found.state.updated_at);
  const asked = await ask(`${on}: read`, () => findHandedOn(github, where, since));
  if (!asked.ok) return asked;
  // An order by a label has no time: the relay has just taken that label off, which is the last that was handed on.
  const now = at ?? Math.max(...asked.value.map((one) => one.handedOn));
  const handedOn = asked.value.filter((one) => one.handedOn + LISTS_LAG_MS <= now && one.at >= now - BACK_MS);
  if (handedOn.length === 0) return done([]);
  const told: string[] = [];
  const runsOf = new Map<string, Awaited<ReturnType<typeof dispatchedSince>>>();
  for (const lost of handedOn) {
    // The oldest comes first.
    const runs = runsOf.get(lost.file) ?? (await dispatchedSince(github, lost.file, lost.at));
    runsOf.set(lost.file, runs);
    if (!runs.ok) return runs;
    // Its run was made between the two moments; the clocks may differ, and marks may be late.
    const [from, to] = [lost.at, lost.handedOn + LISTS_LAG_MS];
    const isDone = runs.value.some((run) => run.createdAt >= from && run.createdAt <= to && lost.isDone(run));
    if (isDone) continue;
    const written = await reply(github, number, lostReply(lost), on);
    // Marked before, it would be told to nobody where the answer cannot be written.
    if (!written.ok) return written;
    await lost.mark();
    const { what, url, command } = lost;
    told.push(
      `Told on #${number}: ${what}${url === null ? "" : ` ${url}`} asked for ${command}, and nothing came of it.`,
    );
  }
  return done(told);
}

/** @throws what GitHub says */
async function findHandedOn(github: Github, where: LostIn, since: number): Promise<readonly Lost[]> {
  const { number } = where;
  const asked = { issue_number: number, since: new Date(since).toISOString(), per_page: MOST };
  const { data } = await github.rest.issues.listComments(asked);
  const comments = data.map((row): Said => {
    const [createdAt, updatedAt] = [Date.parse(row.created_at), Date.parse(row.updated_at)];
    return { id: row.id, url: row.html_url, by: row.user?.login ?? "", body: row.body ?? "", createdAt, updatedAt };
  });
  // What is not on the first page may be the answer.
  if (typeof where.loop === "string" && comments.length === MOST) return [];
  const here: Heard = { ...where, us: whoWeAre(github), comments, since };
  const forLoop = where.loop === "not looked for" ? [] : [byComment, byLabel, byReview];
  const lost: Lost[] = [];
  for (const look of [...forLoop, forPrd]) lost.push(...(await look(github, here)));
  return lost.toSorted((a, b) => a.at - b.at);
}

/** Where it is looked, and what was said there. */
interface Heard extends LostIn {
  /** our own login, asked for once and only where somebody has ordered something */
  readonly us: () => Promise<string>;
  readonly comments: readonly Said[];
  /** milliseconds since the epoch */
  readonly since: number;
}

/** @throws what GitHub says, when it is asked */
function whoWeAre(github: Github): Heard["us"] {
  let known: Promise<string> | undefined;
  const ask = async () => {
    const us = await ownLogin(github);
    if (us.ok) return us.value;
    throw new Error(us.trouble.because);
  };
  return () => (known ??= ask());
}

interface Said {
  readonly id: number;
  readonly url: string;
  /** login */
  readonly by: string;
  readonly body: string;
  /** milliseconds since the epoch */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Comments that a relay has handed on, by its 🚀, and that nobody has told of yet. @throws what GitHub says */
async function byComment(
  github: Github,
  { on, loop, asking, comments, since, files, ...heard }: Heard,
): Promise<readonly Lost[]> {
  const earlier = comments.filter(({ id, createdAt }) => id !== asking.request?.id && createdAt > since);
  const orders = earlier.flatMap((said) => {
    const read = readCommand(said.body);
    const isWork = read.kind === "command" && read.command !== "prd" && letsWork(read.command);
    return isWork ? [{ ...said, command: read.command }] : [];
  });
  if (orders.length === 0) return [];
  const us = await heard.us();
  const lost = orders.map(async ({ id, url, command, createdAt }): Promise<readonly Lost[]> => {
    const at = await handedOnAt(github, id, us);
    if (at === null) return [];
    // What a loop has said of itself since is an answer, also where its record is gone.
    const isAnswer = (said: Said) =>
      sameLogin(said.by, us) && said.updatedAt >= createdAt && loopIdIn(said.body) !== null;
    if (loop === "none" && comments.some(isAnswer)) return [];
    if (isTold(url, us, comments)) return [];
    const mark = () => react(github, id, "confused", on);
    const lost = { what: "The comment", url, command: `/smithers ${command}`, next: AGAIN };
    return [{ ...lost, at: createdAt, handedOn: at, file: files.loop, isDone: isUnended, mark }];
  });
  return (await Promise.all(lost)).flat();
}

/** A mark that could not be put is no reason to tell it once more. */
function isTold(url: string, us: string, comments: Heard["comments"]): boolean {
  return comments.some(({ by, body }) => sameLogin(by, us) && tellsLoss(body, url));
}

const AGAIN = "If you still want it, ask again with a new comment.";

/** When we have handed a comment on; null: we have not, or have told of it. @throws what GitHub says */
async function handedOnAt(github: Github, id: number, us: string): Promise<number | null> {
  const { data } = await github.rest.reactions.listForIssueComment({ comment_id: id, per_page: MOST });
  // What others' bots say is nothing of ours.
  const ours = data.filter(({ user }) => sameLogin(user?.login ?? "", us));
  const handedOn = ours.find(({ content }) => content === "rocket");
  return handedOn === undefined || ours.some(({ content }) => content === "confused")
    ? null
    : Date.parse(handedOn.created_at);
}

/** Labels that we have taken off, without a word of ours since. @throws what GitHub says */
async function byLabel(
  github: Github,
  { number, on, comments, since, files, ...heard }: Heard,
): Promise<readonly Lost[]> {
  const taken = await labelsTaken(github, number, on);
  if (!taken.ok) throw new Error(taken.trouble.because);
  const orders = taken.value.flatMap((one) => {
    const command = commandOf(one.label, on === "issues" ? "issue" : "pull request");
    return command !== undefined && letsWork(command) && one.at > since ? [{ ...one, command }] : [];
  });
  if (orders.length === 0) return [];
  const us = await heard.us();
  return orders.flatMap(({ label, command, by, takenBy, at, takenAt }): Lost[] => {
    const isAnswered = comments.some((said) => sameLogin(said.by, us) && said.updatedAt >= takenAt);
    if (!sameLogin(takenBy, us) || isAnswered) return [];
    const what = `The label ${label}, which ${by} had put on,`;
    const next = "If you still want it, put the label on again.";
    const lost = { what, url: null, command: `/smithers ${command}`, next };
    const mark = () => Promise.resolve();
    return [{ ...lost, at, handedOn: takenAt, file: files.loop, isDone: isUnended, mark }];
  });
}

/** Reviews with orders that a relay has handed on, by its 🚀, and that nobody has told of yet. @throws what GitHub says */
async function byReview(
  github: Github,
  { number, on, comments, since, files, ...heard }: Heard,
): Promise<readonly Lost[]> {
  if (on === "issues") return [];
  const marked = await readMarkedReviews(github, number);
  if (!marked.ok) throw new Error(marked.trouble.because);
  const orders = marked.value.flatMap((review) => {
    const read = readReview(review.body, review.state === "changes_requested");
    const isWork = read.kind === "command" && read.command !== "prd" && letsWork(read.command);
    return isWork && review.submittedAt > since ? [{ ...review, command: read.command }] : [];
  });
  if (orders.length === 0) return [];
  const us = await heard.us();
  return orders.flatMap(({ node, url, command, submittedAt: at, markedAt: handedOn }): Lost[] => {
    if (isTold(url, us, comments)) return [];
    const next = "If you still want it, submit another review, or write /smithers continue.";
    const mark = () => markReview(github, node, "confused");
    const lost = { what: "The review", url, command: `/smithers ${command}`, next };
    return [{ ...lost, at, handedOn, file: files.loop, isDone: isUnended, mark }];
  });
}

/** A loop's record says what has begun with it, so only a run that may still begin is asked about. */
function isUnended({ ended }: WorkflowRun): boolean {
  return !ended;
}

/** Orders for PRDs that a relay has handed on, and that neither the PRD's record nor anybody has told of. @throws what GitHub says */
async function forPrd(github: Github, { on, asking, comments, files, ...heard }: Heard): Promise<readonly Lost[]> {
  const orders = comments.flatMap((said) => {
    const read = readCommand(said.body);
    const isWork = read.kind === "command" && read.command === "prd" && letsWork(read.command, read.ask.verb);
    return isWork && said.id !== asking.request?.id ? [{ ...said, ask: read.ask }] : [];
  });
  if (orders.length === 0) return [];
  const us = await heard.us();
  const lost: Lost[] = [];
  for (const { id, url, createdAt: at, ask: asked } of orders) {
    const handedOn = await handedOnAt(github, id, us);
    if (handedOn === null || isTold(url, us, comments)) continue;
    const name = asked.name ?? (await onlyPrd(github));
    if (name === null || (await hasObeyed(github, name, { id, at }))) continue;
    const command = ["/smithers prd", name, asked.verb, asked.story].filter(Boolean).join(" ");
    const mark = () => react(github, id, "confused", on);
    lost.push({
      ...{ what: "The comment", url, command, next: AGAIN, at, handedOn },
      ...{ file: files.prd, isDone: mayHaveBegun, mark },
    });
  }
  return lost;
}

/** The PRD that is meant where none is named; null: none is, any more. @throws what GitHub says */
async function onlyPrd(github: Github): Promise<string | null> {
  const names = await listPrds(github);
  if (!names.ok) throw new Error(names.trouble.because);
  const [name = null] = names.value;
  return names.value.length === 1 ? name : null;
}

/** Whether a run has begun with a PRD since somebody ordered it. @throws what GitHub says */
async function hasObeyed(
  github: Github,
  name: string,
  { id, at }: { readonly id: number; readonly at: number },
): Promise<boolean> {
  const record = await readPrdRecord(github, name);
  if (!record.ok) throw new Error(record.trouble.because);
  return record.value !== null && (record.value.at >= at || record.value.obeyed === `comment:${id}`);
}
