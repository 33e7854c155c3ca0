import { NO_TESTS, type Runner, type RunnerReport, summaries, summed } from "./runner.ts";

const POINT = /^( *)(not )?ok \d{1,9}(?: -)?(?: (.*))?$/u;
const SUBTEST = /^( *)# Subtest: (.*)$/u;
const PLAN = /^1\.\.(\d{1,9})(?: |$)/u;
const DIRECTIVE = /(?:^| )# (?:skip|todo)/iu;
const NAME_END = / # (?:time=|skip|todo).*$|(?<! ) *\{$/iu;
/** What node:test and prove have counted themselves, below the points. */
const COUNTED = /^(?:# duration_ms \d|Files=\d{1,9}, Tests=)/u;
const NO_FILES = "No test files found";
const STEP = 4; // what each level of subtests is indented by

/** The Test Anything Protocol: what tap, tape and bats print. A point with points of its own only counts through them. */
export const tap: Runner = {
  name: "TAP",
  marks: ["1..", NO_FILES],

  read({ lines, cut }) {
    if (cut || lines.some((line) => COUNTED.test(line))) return null;
    const documents: RunnerReport[] = [];
    let document = new Document();
    for (const line of lines) {
      if (line === NO_FILES) documents.push(NO_TESTS);
      if (line.startsWith("TAP version ")) document = new Document();
      document.take(line);
      if (!document.isWhole) continue;
      documents.push(document.report);
      document = new Document();
    }
    return summed(documents);
  },
};

class Document {
  #planned = -1;
  #ended = 0;
  /** of each level, the points since the last one above it: whether one failed */
  readonly #below = new Map<number, boolean>();
  /** of each level, the subtest that is open below it */
  readonly #open = new Map<number, string>();
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #failing: string[] = [];

  get isWhole(): boolean {
    return this.#ended === this.#planned;
  }

  get report(): RunnerReport {
    return { ...NO_TESTS, ...this.#counts, failing: this.#failing };
  }

  take(line: string): void {
    const planned = line.startsWith("1..") ? PLAN.exec(line)?.[1] : undefined;
    if (planned !== undefined) this.#planned = Number(planned);
    const [, margin, title = ""] = line.includes("# Subtest: ") ? (SUBTEST.exec(line) ?? []) : [];
    if (margin !== undefined) this.#open.set(margin.length / STEP, title);
    const [, indent, not, name = ""] = line.includes("ok ") ? (POINT.exec(line) ?? []) : [];
    if (indent !== undefined) this.#point(indent.length / STEP, not !== undefined, name);
  }

  #point(level: number, failed: boolean, name: string): void {
    if (level === 0) this.#ended++;
    const within = this.#below.get(level + 1);
    this.#below.delete(level + 1);
    const later = DIRECTIVE.test(name);
    this.#below.set(level, this.#below.get(level) === true || (failed && !later));
    if (within !== undefined && (within || !failed)) return;
    this.#counts[later ? "skipped" : failed ? "failed" : "passed"]++;
    if (!failed || later) return;
    const above = Array.from({ length: level }, (_, each) => this.#open.get(each) ?? "").filter(
      (title) => title !== "",
    );
    this.#failing.push([...above, name.replace(NAME_END, "")].join(" > "));
  }
}

const FILES = /^Files=\d{1,9}, Tests=(\d{1,9}), /u;
const RESULT = /^Result: (PASS|FAIL|NOTESTS)$/u;
/** `t/a.t (Wstat: 256 (exited 1) Tests: 3 Failed: 1)` */
const SCRIPT = /^(\S+) +\(Wstat: .{1,60} Tests: \d{1,9} Failed: (\d{1,9})\)$/u;

/** Perl's prove, which reads TAP and prints its sums. */
export const prove: Runner = {
  name: "prove",
  marks: ["Result: "],

  read({ lines }) {
    let begin = 0;
    return summaries(lines, (line, at) => {
      const tests = line.startsWith("Files=") ? FILES.exec(line)?.[1] : undefined;
      const result = tests === undefined ? undefined : RESULT.exec(lines[at + 1] ?? "")?.[1];
      if (tests === undefined || result === undefined) return undefined;
      const red = lines.slice(begin, at).flatMap((each) => (each.endsWith(")") ? [SCRIPT.exec(each) ?? []] : []));
      begin = at + 1;
      const scripts = red.flatMap(([, script, amount]) =>
        script === undefined ? [] : [{ script, amount: Number(amount) }],
      );
      const failed = scripts.reduce((sum, { amount }) => sum + amount, 0);
      // A script can also fail by its exit code, or by a plan that it does not keep.
      const whole = scripts.filter(({ amount }) => amount === 0).length;
      const failing = scripts.map(({ script }) => script);
      const passed = Math.max(0, Number(tests) - failed);
      return { ...NO_TESTS, passed, failed: failed + whole, failing, exact: false, early: whole > 0 };
    });
  },
};
