import { type Runner, type RunnerReport, summed } from "./runner.ts";

const RAN = /^Ran (\d{1,9}) tests? in \d+\.\d{3}s$/u;
/** `NO TESTS RAN` since Python 3.12; before, it was `OK`. */
const RESULT = /^(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z\d=, ]+)\))?$/u;
const RESULT_WITHIN = 3;

/** `test_a (test_cart.TestCart.test_a)`, before Python 3.11 without the second name; a subtest has its parameters behind it. */
const HEADLINE = /^(ERROR|FAIL|UNEXPECTED SUCCESS): (\S+) \(([\w.<>]+)\)(.*)$/u;
/** What fails outside of tests is not among those that ran. */
const OUTER = /^(?:setUp|tearDown)(?:Class|Module)$/u;
const BROKEN_FILE = "unittest.loader._FailedTest";
const PROGRESS = /^[.FEsxu]+$/u; // one letter a test

/** Python's unittest, and what is built on it: Django's runner, nose. */
export const unittest: Runner = {
  name: "unittest",
  marks: ["Ran "],

  read({ lines }) {
    const sessions: RunnerReport[] = [];
    let begin = 0;
    for (const [at, line] of lines.entries()) {
      const ran = line.startsWith("Ran ") ? RAN.exec(line)?.[1] : undefined;
      if (ran === undefined) continue;
      const ends = lines.slice(at + 1, at + 1 + RESULT_WITHIN).map((each) => RESULT.exec(each));
      const result = ends.find((each) => each !== null);
      if (result === undefined) continue;
      sessions.push(session(Number(ran), wordsIn(result[1]), lines.slice(begin, at)));
      begin = at + 1;
    }
    return summed(sessions);
  },
};

type Words = ReturnType<typeof wordsIn>;

/** `failures=4, errors=1`; what is not named is 0. */
function wordsIn(list = "") {
  const amounts = new Map(
    list.split(", ").map((part) => [part.replace(/=.*$/u, ""), Number(part.replace(/^.*=/u, ""))]),
  );
  const amount = (word: string): number => amounts.get(word) || 0;
  return {
    failures: amount("failures"),
    errors: amount("errors"),
    skipped: amount("skipped"),
    "expected failures": amount("expected failures"),
    "unexpected successes": amount("unexpected successes"),
  };
}

function session(ran: number, words: Words, above: readonly string[]): RunnerReport {
  const failures = above.flatMap((line) => failureIn(line) ?? []);
  const outer = new Set(failures.filter(({ isOuter }) => isOuter).map(({ name }) => name));
  // A test with several failing subtests is one test.
  const tests = new Set(failures.filter(({ isOuter }) => !isOuter).map(({ test }) => test));
  const unnamed = words.failures + words.errors + words["unexpected successes"] - failures.length;
  const failed = tests.size + Math.max(0, unnamed);
  const left = ran - failed - words.skipped - words["expected failures"];
  // Skipped classes and subtests are counted as skipped, and not among those that ran.
  const passed = Math.max(0, left, Math.min(seenToPass(above), ran - failed));
  return {
    passed,
    failed: failed + outer.size,
    skipped: words.skipped + words["expected failures"],
    failing: failures.map(({ name }) => name),
    exact: passed === left,
    early: outer.size > 0 || failures.some(({ isFile }) => isFile),
  };
}

function failureIn(line: string) {
  const [, , method = "", place = "", parameters = ""] = / \(/u.test(line) ? (HEADLINE.exec(line) ?? []) : [];
  if (method === "") return undefined;
  const isFile = place.startsWith(BROKEN_FILE);
  const whole = place.endsWith(`.${method}`) ? place : `${place}.${method}`;
  const test = isFile ? method : whole;
  return { test, name: `${test}${parameters}`, isOuter: OUTER.test(method), isFile };
}

function seenToPass(lines: readonly string[]): number {
  const letters = lines.filter((line) => PROGRESS.test(line)).join("");
  return letters.split(".").length - 1 + lines.filter((line) => line.endsWith(" ... ok")).length;
}
