import { type Command, readReview as commandIn } from "../core/policy/command.ts";
import { type ReviewedPlace, reviewGuidance } from "../core/prompt/review-words.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { ReviewOrder } from "../core/task.ts";
import type { Github } from "../github/client.ts";
import type { Account } from "../github/event-payload.ts";
import { readReview, readThreads, type Thread } from "../github/orders/review.ts";

/** What somebody asks for by a review, as GitHub has it now. Whether they may is not looked at. */
interface Reviewed {
  /** null: the account is gone */
  readonly actor: Account | null;
  readonly command: Command | undefined;
  /** their words: those of the review, and of its own threads with file and lines; "" without */
  readonly text: string;
  /** whether any of these words were changed after the review was submitted */
  readonly edited: boolean;
  /** milliseconds since the epoch */
  readonly at: number;
  readonly review: ReviewOrder;
}

/** `because` is a sentence: it does not exist, GitHub does not say, or it cannot be taken. */
interface Unread extends Trouble {
  readonly kind: "absent" | "unknown" | "refused";
}

/**
 * Reads a review and what belongs to it (C109): its own threads alone, and in them its author's own words. What others have
 * said there is neither an order nor guidance. Never throws.
 */
export async function readReviewed(github: Github, number: number, id: number): Promise<Result<Reviewed, Unread>> {
  const [read, listed] = await Promise.all([readReview(github, number, id), readThreads(github, number)]);
  if (!read.ok) {
    const isAbsent = read.trouble.kind === "absent";
    return failed(
      isAbsent ? { kind: "absent", because: "There is no such review." } : { ...read.trouble, kind: "unknown" },
    );
  }
  if (!listed.ok) return failed({ ...listed.trouble, kind: "unknown" });
  const { author: actor, state, body, commit, submittedAt: at, editedAt } = read.value;
  if (state === "dismissed") return failed({ kind: "refused", because: "The review was dismissed." });
  if (commit === null) return failed({ kind: "refused", because: "The commit that was reviewed is gone." });
  const said = commandIn(body, state === "changes_requested");
  const command = said.kind === "command" && said.command !== "prd" ? said : undefined;
  const threads = listed.value.flatMap((thread) => threadOf(thread, id)).toReversed();
  const guidance = reviewGuidance({ commit, body: command?.text ?? "", threads });
  if (!guidance.ok) return failed({ kind: "refused", because: guidance.trouble.because });
  const since = Math.floor(at / 1_000) * 1_000;
  const edits = [editedAt, ...threads.flatMap(({ edits: later }) => later)];
  const places = threads.map(({ thread: { id: of, path, lines } }) => ({ id: of, path, lines }));
  return done({
    ...{ actor, command: command?.command, text: guidance.value ?? "", at },
    edited: edits.some((moment) => moment !== null && moment > since),
    review: { id, commit, threads: places },
  });
}

/** What a review says in a thread; nothing, where none of its comments are. */
function threadOf(thread: Thread, review: number): readonly (ReviewedPlace & OfReview)[] {
  const own = thread.comments.filter((comment) => comment.review === review);
  if (own.length === 0) return [];
  const { path, lines } = thread;
  return [
    { path, lines, words: own.map(({ body }) => body).join("\n\n"), edits: own.map((one) => one.editedAt), thread },
  ];
}

interface OfReview {
  readonly words: string;
  readonly edits: readonly (number | null)[];
  readonly thread: Thread;
}
