import type { ProviderFailure, TurnCompleted, TurnFailed } from "../agent.ts";
import type { Reviewed } from "../events.ts";
import { timestamp } from "../open-loop.ts";
import type { Work } from "../settle.ts";
import { workUntil } from "../task.ts";
import { seenOnOneLine } from "../text.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { isClaimedAgain } from "./due.ts";
import { question } from "./question.ts";
import { workName } from "./standing.ts";
import { objectionTexts, type Review } from "./review.ts";

const MESSAGE_LENGTH = 400;

/**
 * Asks the reviewer about the work as it stands, and tells people what it says. Whatever keeps it from an answer is no veto:
 * the checks and the claim decide as they would without it (C50).
 *
 * @throws OperationalError what `Reviewer.ask` throws
 */
export async function holdReview(work: Work, signal: AbortSignal): Promise<Reviewed> {
  const { task, state, ports } = work;
  const iteration = state.last_turn?.iteration ?? state.iteration;
  const startedAt = ports.clock.now();
  const notice = (text: string): void => ports.reporter.observe({ type: "notice", text });
  if (isClaimedAgain(task, state)) {
    notice("The work is claimed again as the reviewer has vetoed it, so the veto counts again and nobody is asked.");
    const { answer, why, objections, of, tree } = state.review;
    const said = { answer, why, objections, of, tree };
    return { type: "reviewed", ...said, iteration, usage: null, duration_ms: 0, at: timestamp(startedAt) };
  }
  notice("Another session of an agent reviews the work before it counts as done; it may change nothing.");
  const end = await ask(work, iteration, signal);
  const snapshot = await ports.workspace.snapshot();
  const of = [...new Set([workName(state), workName({ ...state, snapshot: snapshot ?? state.snapshot })])];
  const said = signal.aborted && end.type === "turn.failed" ? CUT : answerOf(end);
  if (said.answer !== null) notice(told(said));
  const now = ports.clock.now();
  return {
    type: "reviewed",
    ...said,
    ...{ iteration, of, tree: snapshot?.tree ?? null, usage: end.usage },
    ...(end.cost === undefined ? {} : { cost: end.cost }),
    duration_ms: Math.max(0, now - startedAt),
    at: timestamp(now),
  };
}

async function ask({ task, state, ports }: Work, iteration: number, signal: AbortSignal) {
  const { begun } = state.boundary;
  const isKnown = begun !== null && state.snapshot !== null;
  const texts = isKnown ? await ports.tests.texts(begun, state.snapshot) : null;
  const { limits } = task;
  const now = ports.clock.now();
  const until = Math.min(now + limits.iterationTimeoutMs, workUntil(limits) ?? Infinity);
  const prompt = question(task, state, texts);
  return ports.reviewer.ask(
    { iteration, prompt, timeoutMs: Math.max(1, until - now), idleTimeoutMs: limits.idleTimeoutMs },
    signal,
  );
}

type Said = Pick<Review, "answer" | "why" | "objections">;

const CUT: Said = { answer: null, why: "", objections: [] };

function answerOf(end: TurnCompleted | TurnFailed): Said {
  if (end.type === "turn.failed") return { answer: "failed", why: failureWords(end.failure), objections: [] };
  const read: Answer = readAnswer(end.lastMessage);
  return { why: "", objections: [], ...read };
}

function failureWords({ kind, message }: ProviderFailure): string {
  return `${kind}: ${seenOnOneLine(message, MESSAGE_LENGTH)}`;
}

function told({ answer, why, objections }: Said): string {
  switch (answer) {
    case "clear":
      return "The reviewer holds nothing against the work.";
    case "veto":
      return `The reviewer vetoes: ${objectionTexts(objections).join("; ")}`;
    case "failed":
    case "unreadable":
    case null:
      return `The reviewer gave no answer that counts, so there is no veto: ${why}.`;
  }
}
