import { NO_TESTS, type Runner, type RunnerReport, summed } from "./runner.ts";

const NONE = "No tests were found!!!";
const SUMMARY = /^\d{1,3}% tests passed(?:, (\d{1,9}) tests? failed)? out of (\d{1,9})$/u;
/** `3/8 Test #3: good ....   Passed    0.00 sec` */
const ENDED = /^ *\d{1,9}\/(\d{1,9}) Test +#\d/u;
const LISTED = /^\t *\d{1,9} - (.+?) \(([^()]+)\)(?: |$)/u;

/** CTest. Skipped tests are among those that passed; disabled ones are in neither number. */
export const ctest: Runner = {
  name: "ctest",
  marks: [NONE, "% tests passed"],

  read({ lines }) {
    const runs: Run[] = [];
    let empty = 0;
    let planned = 0;
    for (const line of lines) {
      if (line === NONE) empty++;
      planned = line.includes(" Test ") ? Number(ENDED.exec(line)?.[1] ?? planned) : planned;
      const [, failed = "0", total] = line.includes("% tests passed") ? (SUMMARY.exec(line) ?? []) : [];
      if (total === undefined) runs.at(-1)?.take(line);
      else {
        runs.push(new Run(Number(total), Number(failed), planned));
        planned = 0;
      }
    }
    return summed([...Array<RunnerReport>(empty).fill(NO_TESTS), ...runs.map((run) => run.report)]);
  },
};

/** A summary, and the two lists below it. */
class Run {
  readonly #total: number;
  readonly #failed: number;
  readonly #planned: number;
  readonly #failing: string[] = [];
  #skipped = 0;
  #disabled = 0;
  #list: "failed" | "left" | "over" = "left";

  /** @param planned how many tests there were to run; 0: not known */
  constructor(total: number, failed: number, planned: number) {
    this.#total = total;
    this.#failed = failed;
    this.#planned = planned;
  }

  take(line: string): void {
    if (line.startsWith("The following tests ")) this.#list = line.endsWith("FAILED:") ? "failed" : "left";
    else if (line === "Errors while running CTest" || line.startsWith("Test project ")) this.#list = "over";
    const [, name, why] = this.#list !== "over" && line.startsWith("\t") ? (LISTED.exec(line) ?? []) : [];
    if (name === undefined) return;
    if (this.#list === "failed") this.#failing.push(name);
    else if (why === "Disabled") this.#disabled++;
    else this.#skipped++;
  }

  get report(): RunnerReport {
    return {
      ...NO_TESTS,
      passed: Math.max(0, this.#total - this.#failed - this.#skipped),
      failed: this.#failed,
      skipped: this.#skipped + this.#disabled,
      failing: this.#failing,
      // With --stop-on-failure the others are not run.
      early: this.#planned > this.#total + this.#disabled,
    };
  }
}
