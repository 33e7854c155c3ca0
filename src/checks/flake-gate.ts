import type { Gate } from "../core/ports.ts";
import type { CheckResult, Evidence, Flake, Verdict } from "../core/verdict.ts";

/** How checks are asked again. */
interface AskingAgain {
  /** how often; not 0 */
  readonly times: number;
  /** the identity of the work tree as it is, see `Snapshot.tree`; null: not known */
  readonly tree: () => Promise<string | null>;
  /** tells a person */
  readonly notice: (text: string) => void;
}

/**
 * Asks a gate's checks again, all of them, to find those that are red and green on one tree (C103): before the first turn
 * when they are red, and where work is to be proved when they are green. A green between two reds, or a red behind a green,
 * is a flake: the verdict is red then, and says so. Where a check changes the tree itself nothing can be told.
 */
export function askingAgain(gate: Gate, asking: AskingAgain): Gate {
  return {
    async judge(evidence, signal) {
      const isAsked = isFirst(evidence) || evidence.occasion === "turn" || evidence.occasion === "claim";
      const begun = isAsked ? await asking.tree() : null;
      const verdict = await gate.judge(evidence, signal);
      if (!isAsked || verdict.result !== (isFirst(evidence) ? "failed" : "passed")) return verdict;
      return compare(gate, { evidence, verdict, begun }, asking, signal);
    },
  };
}

function isFirst({ occasion }: Evidence): boolean {
  return occasion === "first";
}

interface Judged {
  readonly evidence: Evidence;
  readonly verdict: Verdict;
  /** the tree before it */
  readonly begun: string | null;
}

async function compare(
  gate: Gate,
  { evidence, verdict, begun }: Judged,
  { times, tree, notice }: AskingAgain,
  signal: AbortSignal,
): Promise<Verdict> {
  for (let tries = 1; tries <= times; tries += 1) {
    if (signal.aborted) return isFirst(evidence) ? verdict : { result: "cut_off", checks: [] };
    const now = await tree();
    if (begun === null || now !== begun) {
      notice(begun === null ? NO_TREE : OTHER_TREE);
      return verdict;
    }
    notice(`Asking the checks again, the whole of them, to see whether they are flaky (${tries} of ${times})`);
    const again = await gate.judge(evidence, signal);
    if (again.result === verdict.result) continue;
    // What began as red stays so: only what was to be proved is open.
    if (again.result !== "passed" && again.result !== "failed") return isFirst(evidence) ? verdict : again;
    return flaky(verdict, again, tries);
  }
  return verdict.result === "passed" ? { ...verdict, repeated: times } : verdict;
}

/** One is red and the other green: the red one, with both outputs. */
function flaky(one: Verdict, other: Verdict, tries: number): Verdict {
  const [red, green] = one.result === "failed" ? [one, other] : [other, one];
  const check = red.checks.find(({ exitCode }) => exitCode !== 0);
  const same = green.checks.find(({ command }) => command === check?.command);
  const flake: Flake = {
    command: check?.command ?? "",
    tests: (check?.tests?.failing ?? []).slice(0, TESTS),
    red: endOf(check),
    green: endOf(same),
    tries,
  };
  return { ...red, flake };
}

const NO_TREE =
  "Which files the checks look at is not known, so asking them again could be another question: whether they are flaky is not known";
const OTHER_TREE =
  "The checks change files of the work tree themselves, so asking them again would be another question: whether they are flaky is not known";
const TESTS = 20;
/** UTF-16 units of each output. */
const SHOWN = 1_500;

function endOf(check: CheckResult | undefined): string {
  return (check?.tail ?? "").slice(-SHOWN);
}
