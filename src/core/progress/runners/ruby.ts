import { NO_TESTS, type Runner, type RunnerReport, summaries } from "./runner.ts";

const RSPEC_SUMMARY =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/u;
/** `rspec ./spec/cart_spec.rb:2 # cart sums`, with an id in brackets where several examples are in that line. */
const RSPEC_FAILED = /^rspec '?(?:\.\/)?([^'#]+?)(?::\d+|\[[\d:]+\])?'? # (.+)$/u;

/** RSpec with every formatter that ends in its summary. What several processes add up below is the same again. */
export const rspec: Runner = {
  name: "rspec",
  marks: [" example"],

  read({ lines }) {
    const counts = summaries(lines, (line, at) =>
      lines[at - 1]?.startsWith("Finished in ") === true ? rspecSummary(line) : undefined,
    );
    const failing = lines.flatMap((line) => {
      const [, file, name] = line.startsWith("rspec ") ? (RSPEC_FAILED.exec(line) ?? []) : [];
      return file === undefined ? [] : [`${file} > ${name}`];
    });
    return counts && { ...counts, failing };
  },
};

/** A file that could not be loaded keeps all others from running. */
function rspecSummary(line: string): RunnerReport | undefined {
  const numbers = RSPEC_SUMMARY.exec(line)
    ?.slice(1)
    .map((each) => Number(each ?? 0));
  if (numbers === undefined) return undefined;
  const [examples = 0, failures = 0, skipped = 0, outside = 0] = numbers;
  const passed = Math.max(0, examples - failures - skipped);
  return { ...NO_TESTS, passed, failed: failures + outside, skipped, early: outside > 0 };
}

/** Those of test-unit and of other reporters say `tests`, and count some more. */
const MINITEST_SUMMARY =
  /^(\d{1,9}) (?:run|test)s, \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors, (?:(\d{1,9}) skips|(\d{1,9}) pendings, (\d{1,9}) omissions, \d{1,9} notifications)$/u;
const MINITEST_KIND = /^(?: {2,}\d{1,9}\) )?(?:Failure|Error):$/u;
const TEST_UNIT_FAILED = /^(?:Failure|Error): (\w+)\(([\w:]+)\)/u;

export const minitest: Runner = {
  name: "minitest",
  marks: [" assertions, "],

  read({ lines }) {
    const counts = summaries(lines, (line) => {
      const numbers = MINITEST_SUMMARY.exec(line)
        ?.slice(1)
        .map((each) => Number(each ?? 0));
      if (numbers === undefined) return undefined;
      const [tests = 0, failures = 0, errors = 0, ...kept] = numbers;
      const skipped = kept.reduce((sum, each) => sum + each, 0);
      const failed = failures + errors;
      return { ...NO_TESTS, passed: Math.max(0, tests - failed - skipped), failed, skipped };
    });
    return counts && { ...counts, failing: lines.flatMap((line, at) => minitestFailing(line, lines[at + 1]) ?? []) };
  },
};

/** `CartTest#test_sums [cart_test.rb:3]:` below its kind. */
function minitestFailing(line: string, next = ""): string | undefined {
  const [, name, group] = TEST_UNIT_FAILED.exec(line) ?? [];
  if (name !== undefined) return `${group}#${name}`;
  return MINITEST_KIND.test(line) && next.endsWith(":") ? next.replace(/(?: \[[^[\]]*\])?:$/u, "") : undefined;
}
