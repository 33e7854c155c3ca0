import { NO_USAGE, type TurnCompleted, type TurnFailed, type Usage } from "../../src/core/agent.ts";
import type { Reviewer } from "../../src/core/ports.ts";

/** What a reviewer says: its last message, or how it ends, or what makes it. */
export type FakeReview =
  | string
  | TurnCompleted
  | TurnFailed
  | ((request: Parameters<Reviewer["ask"]>[0], signal: AbortSignal) => TurnCompleted | TurnFailed);

/** A review that ended as it should. */
export function reviewSaying(lastMessage: string, usage: Usage = NO_USAGE): TurnCompleted {
  return { type: "turn.completed", exitCode: 0, lastMessage, usage, sessionUsage: null };
}

/** An answer in its form. */
export function clearAnswer(): string {
  return '<review>{"verdict": "clear", "objections": []}</review>';
}

/** A veto in its form. */
export function vetoAnswer(why = "It returns 42 whatever it gets.", where: string | null = "src/total.ts:12"): string {
  const objections = [{ about: "by_heart", where, why }];
  return `I have looked.\n<review>${JSON.stringify({ verdict: "veto", objections })}</review>\n`;
}

export function fakeReviewer(reviews: readonly FakeReview[]): Reviewer {
  let asked = 0;
  return {
    async ask(request, signal) {
      const review = reviews[asked++];
      if (review === undefined) throw new Error(`The reviewer is asked a time too many: ${asked}.`);
      if (typeof review === "function") return review(request, signal);
      return typeof review === "string" ? reviewSaying(review) : review;
    },
  };
}
