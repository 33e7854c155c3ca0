import { NO_TESTS, type Runner, type RunnerReport, summaries, summed } from "./runner.ts";

const BUN_RAN = /^Ran (\d{1,9}) tests? across \d{1,9} files?\./u;
const BUN_ROW = /^ (\d{1,9}) (pass|fail|skip|todo|errors?|filtered out)$/u;
const BUN_ROWS = 10;
const BUN_NONE = /^(?:No tests found!$|error: regex .* matched 0 tests\. Searched )/u;
const BUN_FILE = /^(?:::group::)?(\S.{0,300}\.[cm]?[jt]sx?):$/u;
const BUN_EVENT = /^\((pass|fail|skip|todo)\) (.+?)(?: \[[\d.]+m?s\])?$/u;

export const bun: Runner = {
  name: "bun test",
  marks: ["Ran ", "No tests found!", " matched 0 tests. "],

  read({ lines }) {
    const runs: RunnerReport[] = [];
    let events: Event[] = [];
    let file = "";
    for (const [at, line] of lines.entries()) {
      file = line.endsWith(":") ? (BUN_FILE.exec(line)?.[1] ?? file) : file;
      const [, kind = "", name = ""] = line.startsWith("(") ? (BUN_EVENT.exec(line) ?? []) : [];
      if (kind !== "") events.push({ kind, name: `${file} > ${name}` });
      if (BUN_NONE.test(line)) runs.push(NO_TESTS);
      if (!BUN_RAN.test(line)) continue;
      runs.push(
        bunRun(lines.slice(Math.max(0, at - BUN_ROWS), at), events, lines[at + 1]?.startsWith("Bailed out") === true),
      );
      events = [];
    }
    return summed(runs);
  },
};

interface Event {
  readonly kind: string;
  readonly name: string;
}

/** With `--bail` there are no rows above the last line. */
function bunRun(above: readonly string[], events: readonly Event[], bailed: boolean): RunnerReport {
  const rows = new Map<string, number>();
  for (const line of above) {
    const [, amount, word] = BUN_ROW.exec(line) ?? [];
    if (word !== undefined) rows.set(word, Number(amount));
  }
  const count = (kind: string): number =>
    rows.get(kind) ?? (bailed ? events.filter((each) => each.kind === kind).length : 0);
  return {
    passed: count("pass"),
    failed: count("fail"),
    skipped: count("skip") + count("todo") + count("filtered out"),
    failing: events.filter(({ kind }) => kind === "fail").map(({ name }) => name),
    exact: true,
    early: bailed || rows.has("error") || rows.has("errors"),
  };
}

const DENO_SUMMARY =
  /^(?:ok|FAILED) \| (\d{1,9}) passed(?: \([^()]*\))? \| (\d{1,9}) failed(?: \([^()]*\))?(?: \| (\d{1,9}) ignored(?: \([^()]*\))?)?(?: \| \d{1,9} measured)?(?: \| (\d{1,9}) filtered out)? \(\d[^()]*\)$/u;
const DENO_ANNOUNCED = /^running (\d{1,9}) tests? from /u;
const DENO_NONE = "error: No test modules found";
const DENO_FAILED = /^(\S.*) => (?:\.\/)?(\S+?):\d+:\d+$/u;

export const deno: Runner = {
  name: "deno test",
  marks: [" passed", DENO_NONE],

  read({ lines }) {
    let announced = 0;
    let begin = 0;
    return summaries(lines, (line, at) => {
      if (line === DENO_NONE) return NO_TESTS;
      announced += Number(DENO_ANNOUNCED.exec(line)?.[1] ?? 0);
      const numbers = line.includes(" | ")
        ? DENO_SUMMARY.exec(line)
            ?.slice(1)
            .map((each) => Number(each ?? 0))
        : undefined;
      if (numbers === undefined) return undefined;
      const [passed = 0, failed = 0, ignored = 0, filtered = 0] = numbers;
      const failing = denoFailing(lines.slice(begin, at));
      const early = announced > passed + failed + ignored;
      [announced, begin] = [0, at + 1];
      return { ...NO_TESTS, passed, failed, skipped: ignored + filtered, failing, early };
    });
  },
};

/** The list above the summary; a step is named below its test. */
function denoFailing(lines: readonly string[]): readonly string[] {
  const list = lines.slice(lines.lastIndexOf(" FAILURES") + 1);
  return list.length === lines.length
    ? []
    : list.flatMap((line) => {
        const [, name, file] = line.includes(" => ") ? (DENO_FAILED.exec(line) ?? []) : [];
        return name === undefined ? [] : [`${file} > ${name.replaceAll(" ... ", " > ")}`];
      });
}
