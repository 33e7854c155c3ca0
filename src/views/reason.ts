import { refusalWords } from "../core/boundary.ts";
import type { StopReason } from "../core/outcome.ts";
import { weaknessWords } from "../core/progress/strength.ts";
import { CAUSES } from "../core/repair/repair.ts";
import { objectionTexts } from "../core/review/review.ts";
import { counted, duration, grouped } from "./amounts.ts";
import { oneLine, sentence } from "./plain-text.ts";

type HeadMoved = StopReason & { readonly kind: "head_moved" };

/** Where HEAD was and is, and how to put it back. */
export function headMovedText({ from, to }: HeadMoved): string {
  const there = `It was ${headText(from)}, and is ${headText(to)}.`;
  const isSwitched = from.branch !== undefined && from.branch !== to.branch;
  if (isSwitched) {
    const back = from.branch === null ? `--detach ${short(from.head)}` : oneLine(from.branch);
    return `${there} \`git switch ${back}\` goes back.`;
  }
  if (from.head === null) return `${there} \`git update-ref -d HEAD\` puts it back and keeps the files.`;
  const [was, is] = [short(from.head), short(to.head)];
  const undone = `If \`git log ${is}..${was}\` names commits, they were undone, and the files that they brought are missing: \`git checkout ${was} -- FILE\` brings them back, else the story's commit deletes them.`;
  return `${there} \`git reset --soft ${was}\` puts it back and keeps the files; what came is still ${is} then. Your own commit can stay: the loop builds on it. ${undone}`;
}

function headText({ head, branch }: HeadMoved["from"]): string {
  const at = head === null ? "before the first commit" : `at ${short(head)}`;
  return branch === undefined ? at : `${branch === null ? "on no branch" : `on ${oneLine(branch)}`}, ${at}`;
}

function short(commit: string | null): string {
  return String(commit).slice(0, 12);
}

function notReproducedText({ why, run, job, cause }: StopReason & { readonly kind: "not_reproduced" }): string {
  const what =
    why === "green_here"
      ? "The checks here are green before anything was changed"
      : "The checks are green although nothing was changed";
  return `Job ${oneLine(job)} of ${oneLine(run)} was red. ${what}. Cause, as far as it shows: ${CAUSES[cause]}.`;
}

/**
 * What an ending's own data add to its sentence; "" when there is nothing to add.
 *
 * @param word words the advice among it, see `RunView`
 */
// oxlint-disable-next-line max-lines-per-function -- one case for each ending
export function reasonDetail(reason: StopReason, word: (advice: string) => string): string {
  switch (reason.kind) {
    case "promise":
    case "done_token":
    case "dual_gate":
    case "exit_signal":
      return reason.verified ? "" : "No check is configured, so nobody but the agent says so.";
    case "plan_complete":
      return reason.verified ? "" : "No check is configured, so nothing but the plan says so.";
    case "success_command":
    case "already_green":
      return `Command: ${oneLine(reason.command)}`;
    case "stories_passed":
      return `${grouped(reason.passed)} of the PRD's ${grouped(reason.total)} stories have passed.`;
    case "story_review":
      return `${reason.story} ${oneLine(reason.title)}${reason.commit === null ? "" : `: commit ${reason.commit}`}`;
    case "story_blocked":
      return `${reason.story}: ${oneLine(reason.why)}`;
    case "stories_blocked": {
      const waiting = reason.waiting === 0 ? [] : [`${reason.waiting} more wait for these.`];
      return [...reason.stories.map(({ id, why }) => `${id}: ${oneLine(why)}`), ...waiting].join(" ");
    }
    case "hard_stop":
      return reason.hits
        .map(({ line, text, vanished }) => `${vanished === true ? "gone" : `line ${line}`}: ${oneLine(text)}`)
        .join("; ");
    case "paused":
    case "stopped":
    case "canceled":
      return `Asked for by: ${oneLine(reason.by)}`;
    case "superseded":
      return `The other run: ${oneLine(reason.by)}`;
    case "carriers_unreachable":
      return reason.unanswered.map(({ carrier, why }) => `${carrier}: ${oneLine(why)}`).join(" ");
    case "time_budget":
      return "";
    case "max_iterations":
      return counted(reason.max, "iteration");
    case "tokens":
      return `${grouped(reason.spent)} of ${grouped(reason.max)} tokens`;
    case "total_time":
      return `${duration(reason.spent)} of ${duration(reason.max)}`;
    case "agent_blocked":
      return oneLine(reason.why);
    case "permission_denied":
      return reason.denied.map(({ what, allow }) => `${oneLine(what)}: ${oneLine(word(allow))}`).join(" ");
    case "question":
      return oneLine(reason.question);
    case "unfinished":
      return `It says: "${oneLine(reason.said)}"`;
    case "proof_accepted":
      return sentence(
        `By ${oneLine(reason.by)}, ${reason.at}. ${oneLine(weaknessWords(reason.weaknesses).join("; "))}`,
      );
    case "weak_proof":
      return sentence(oneLine(weaknessWords(reason.weaknesses).join("; ")));
    case "reviewer_vetoes":
      return sentence(oneLine(objectionTexts(reason.objections).join("; ")));
    case "protected_paths":
    case "too_large":
      return sentence(oneLine(refusalWords(reason)));
    case "flaky":
      return `${oneLine(reason.command)} was ${reason.other === undefined ? "red and green" : "red for different tests"} on the same files${reason.tests.length === 0 ? "" : `: ${oneLine(reason.tests.join(", "))}`}.`;
    case "not_reproduced":
      return notReproducedText(reason);
    case "head_moved":
      return headMovedText(reason);
    case "no_progress":
    case "same_error":
    case "test_loops":
    case "missing_status":
      return counted(reason.count, "iteration");
    case "rate_limit":
    case "usage_limit":
      return `Until ${reason.until}: ${oneLine(reason.message)}`;
    case "tokens_per_day":
      return `Until ${reason.until}: ${grouped(reason.max)} tokens a day`;
    case "calls_per_hour":
      return `Until ${reason.until}: ${counted(reason.max, "call")} an hour`;
    case "auth":
    case "config":
    case "sandbox_broken":
    case "provider": {
      const { kind, message, next } = reason.failure;
      return `${kind}: ${oneLine(message)}${next === undefined ? "" : ` ${oneLine(word(next))}`}`;
    }
    case "gate_unrunnable":
    case "commit_refused":
      return `${oneLine(reason.problem.what)} ${oneLine(word(reason.problem.next))}`;
  }
}
