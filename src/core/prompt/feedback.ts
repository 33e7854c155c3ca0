import { isAllTicked } from "../checklist/tally.ts";
import type { Claim } from "../claim/claim.ts";
import { saysDone } from "../claim/standing.ts";
import { vetoOf } from "../claim/veto.ts";
import type { CheckResult, Verdict } from "../verdict.ts";
import { unanswered } from "./appeals.ts";
import { failingTests } from "./failing.ts";
import { unfinishedWork, weakProof } from "./doubts.ts";
import { headOf, tailOf } from "./bounded.ts";
import type { Brief } from "./brief.ts";

/** Part 4 is never longer than this (UTF-16 units). */
export const FEEDBACK_LIMIT = 6144;

const OUTPUT_LIMIT = 3072;
const SUMMARY_LIMIT = 1024;
const STAT_LIMIT = 1024;

/** Part 4: what the last iteration came to, as the engine knows it, not as the agent told it. "" when nothing is known. */
export function feedback({ task, state }: Brief): string {
  const turn = state.last_turn;
  const verdict = turn === null ? state.first_check : state.verdict;
  const parts = [
    turn?.failure ? `The last turn was cut: ${turn.failure.kind}: ${turn.failure.message}` : "",
    turn === null ? "" : rejected(saysDone(turn.claim, state.plan), state.verdict),
    turn === null ? "" : vetoed(turn.claim, state.plan),
    turn?.claim.hint ?? "",
    turn === null ? "" : unfinishedWork(turn.claim, task.identity.checks),
    weakProof(state),
    missingBlock(state),
    unanswered(state),
    verdict === null ? "" : redChecks(verdict),
    failingTests(state),
    confirmedHardStops(state.todo),
    turn?.change ? changed(turn.change.files, turn.change.stat) : "",
    turn === null || turn.summary === "" ? "" : `Your last message ended with:\n${tailOf(turn.summary, SUMMARY_LIMIT)}`,
  ].filter((part) => part !== "");
  if (parts.length === 0) return "";
  return headOf(`## Last iteration\n${parts.join("\n\n")}`, FEEDBACK_LIMIT);
}

function rejected(claimed: boolean, verdict: Verdict | null): string {
  if (!claimed || verdict?.result !== "failed") return "";
  return "You claimed that the work is done. The checks disagree, so the claim was refused. Do not claim it again before they pass.";
}

/** Section 4.3: an agent that contradicts itself has to be told why it was not believed. */
function vetoed(claim: Claim, plan: Brief["state"]["plan"]): string {
  const veto = vetoOf(claim);
  if (veto === null) return "";
  if (claim.done || claim.token_done) {
    return `You claimed that the work is done, but your status block says ${veto}, so the claim does not count. Say both only when both are true.`;
  }
  if (!isAllTicked(plan)) return "";
  return `Every item of the plan is ticked, but your status block says ${veto}, so the work is not taken as done. Untick what is not done; when all is done, say so in the block as well.`;
}

/** L-08: the block is what the loop learns from whether it goes on. */
function missingBlock({ status_block: asked, signals }: Brief["state"]): string {
  if (asked === "off" || signals.missing === 0) return "";
  return "Your last message held no status block. End every message with the block that is asked for under Output.";
}

function redChecks(verdict: Verdict): string {
  const red = verdict.checks.filter((check) => check.exitCode !== 0);
  const limit = Math.floor(OUTPUT_LIMIT / Math.max(1, red.length));
  return red.map((check) => redCheck(check, limit)).join("\n\n");
}

function redCheck(check: CheckResult, limit: number): string {
  const output = check.tail.trim() === "" ? "It printed nothing." : tailOf(check.tail.trimEnd(), limit);
  return `The check \`${check.command}\` ${ended(check)}. The end of its output:\n<output>\n${output}\n</output>`;
}

function ended({ timedOut, exitCode }: CheckResult): string {
  if (timedOut) return "timed out";
  return exitCode === null ? "was killed by a signal" : `failed with exit code ${exitCode}`;
}

function confirmedHardStops(todo: Brief["state"]["todo"]): string {
  if (todo === null || todo.acknowledged.length === 0) return "";
  const confirmed = new Set(todo.acknowledged);
  const lines = todo.seen.filter((hit) => confirmed.has(hit.id)).map((hit) => `- ${hit.text}`);
  return `A person has reviewed the work at these checkpoints; go on behind them:\n${lines.slice(0, 10).join("\n")}`;
}

function changed(files: number, stat: string): string {
  return files === 0 ? "The last iteration changed no file." : `It changed:\n${tailOf(stat, STAT_LIMIT)}`;
}
