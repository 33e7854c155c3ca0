import type { Gate } from "../core/ports.ts";
import {
  type CheckResult,
  checkLabel,
  type Evidence,
  type Flake,
  type TestReport,
  type Verdict,
} from "../core/verdict.ts";

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
 * is a flake: the verdict is red then, and says so. So are tests that failed at one time and not at another (C166); where
 * only such tests fail later, the checks are asked again as well. Where a check changes the tree itself nothing can be told.
 */
export function askingAgain(gate: Gate, asking: AskingAgain): Gate {
  const known = new Set<string>();
  return {
    async judge(evidence, signal) {
      const { occasion } = evidence;
      const isFirst = occasion === "first";
      const isAsked = isFirst || occasion === "turn" || occasion === "claim";
      const begun = isAsked ? await asking.tree() : null;
      const verdict = await gate.judge(evidence, signal);
      const isOpen = isFirst ? verdict.result === "failed" : verdict.result === "passed" || failsOnly(verdict, known);
      if (!isAsked || !isOpen) return verdict;
      const told = await compare(gate, { evidence, verdict, begun }, asking, signal);
      for (const name of told.flake?.tests ?? []) known.add(name);
      return told;
    },
  };
}

/** Whether all that is red are these tests. */
function failsOnly({ result, checks }: Verdict, names: ReadonlySet<string>): boolean {
  const reports = checks.flatMap(({ exitCode, tests }) => (exitCode === 0 ? [] : [tests]));
  return (
    result === "failed" && reports.every((tests) => isWhole(tests) && tests.failing.every((name) => names.has(name)))
  );
}

/** Whether a report names all that failed. */
function isWhole(tests: TestReport | null): tests is TestReport {
  return tests !== null && !tests.early && tests.failed > 0 && tests.failing.length === tests.failed;
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
  const reds = [verdict];
  const isRed = verdict.result === "failed";
  let flake: Flake | undefined;
  for (let tries = 1; tries <= times; tries += 1) {
    if (signal.aborted) return isRed ? verdict : { result: "cut_off", checks: [] };
    const now = await tree();
    if (begun === null || now !== begun) {
      notice(begun === null ? NO_TREE : OTHER_TREE);
      return verdict;
    }
    notice(`Asking the checks again, the whole of them, to see whether they are flaky (${tries} of ${times})`);
    const again = await gate.judge(evidence, signal);
    // What began as red stays so: only what was to be proved is open.
    if (again.result !== "passed" && again.result !== "failed") return isRed ? verdict : again;
    if (again.result !== verdict.result) return flaky(verdict, again, tries);
    if (!isRed) continue;
    reds.push(again);
    flake = unsteady(reds);
    // Nothing was red every time: no more need be asked.
    if (flake !== undefined && flake.stable === undefined) break;
  }
  if (!isRed) return { ...verdict, repeated: times };
  return flake === undefined ? verdict : { ...verdict, flake };
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

/** What was red at one time and not at another, of verdicts that are all red; undefined: nothing that is known. */
function unsteady(reds: readonly Verdict[]): Flake | undefined {
  const all = reds.flatMap(({ checks }) => checks);
  const first = all.filter((check, at) => all.findIndex((other) => isSame(check, other)) === at);
  const seen = first.map((check) =>
    seenOf(
      all.filter((other) => isSame(check, other)),
      reds.length,
    ),
  );
  const found = seen.find(({ tests }) => tests !== null);
  if (found === undefined) return undefined;
  const { asked, tests } = found;
  const [name] = tests ?? [];
  const hasIt = (check: CheckResult) => check.exitCode !== 0 && (name === undefined || isFailing(check, name));
  const [red, other] = [asked.find(hasIt), asked.find((check) => !hasIt(check))];
  const stable = seen.flatMap((one) => one.stable).slice(0, TESTS);
  return {
    ...{ command: red?.command ?? "", tests: (tests ?? []).slice(0, TESTS), red: endOf(red), tries: reds.length - 1 },
    ...(other?.exitCode === 0 ? { green: endOf(other) } : { green: "", other: endOf(other) }),
    ...(stable.length === 0 ? {} : { stable }),
  };
}

/** What one check was, each time that it was asked. */
interface Seen {
  readonly asked: readonly CheckResult[];
  /** the tests that failed at one time only; []: the check as a whole; null: nothing that is known */
  readonly tests: readonly string[] | null;
  /** what failed every time */
  readonly stable: readonly string[];
}

/** @param times how often all checks were asked; one behind others that were red may have been asked fewer times */
function seenOf(asked: readonly CheckResult[], times: number): Seen {
  const reds = asked.filter(({ exitCode }) => exitCode !== 0);
  const names = [...new Set(reds.flatMap(({ tests }) => tests?.failing ?? []))].toSorted();
  if (reds.length < asked.length) return { asked, tests: reds.length === 0 ? null : names, stable: [] };
  const [one] = reds;
  if (one === undefined || asked.length < times || !areComparable(reds)) {
    return { asked, tests: null, stable: one === undefined ? [] : [checkLabel(one)] };
  }
  const stable = names.filter((name) => reds.every((check) => isFailing(check, name)));
  const others = names.filter((name) => !stable.includes(name));
  return { asked, tests: others.length === 0 ? null : others, stable };
}

/** Whether every report names all that failed, of the same tests: else what one does not name may not have been run. */
function areComparable(reds: readonly CheckResult[]): boolean {
  const reports = reds.map(({ tests }) => tests);
  const ran = new Set(reports.map((tests) => (tests?.exact === true ? tests.ran : null)));
  return ran.size === 1 && reports.every(isWhole);
}

function isFailing({ tests }: CheckResult, name: string): boolean {
  return tests?.failing.includes(name) === true;
}

function isSame(one: CheckResult, other: CheckResult): boolean {
  return one.role === other.role && one.story === other.story && one.command === other.command;
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
