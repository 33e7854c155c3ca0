import { type Runner, type RunnerReport, summed, withoutDuration } from "./runner.ts";

/** Eight lines, each behind `ℹ ` (spec reporter) or `# ` (TAP). */
const SUMMARY =
  /^[ℹ#] tests (?<tests>\d{1,9})\n[ℹ#] suites \d+\n[ℹ#] pass (?<pass>\d{1,9})\n[ℹ#] fail (?<fail>\d{1,9})\n[ℹ#] cancelled (?<cancelled>\d{1,9})\n[ℹ#] skipped (?<skipped>\d{1,9})\n[ℹ#] todo (?<todo>\d{1,9})\n[ℹ#] duration_ms [\d.]+$/u;
const SUMMARY_LINES = 8;

/** Between a file and what is in it. */
const BELOW = " > ";

/** node:test with the reporters spec and TAP. */
export const nodeTest: Runner = {
  name: "node:test",
  marks: ["ℹ tests ", "# tests "],

  read({ lines }) {
    const counts = summed(lines.flatMap((line, at) => (isFirst(line) ? (summaryAt(lines, at) ?? []) : [])));
    if (counts === null) return null;
    const failing = [...failingInSpec(lines), ...failingInTap(lines)];
    return { ...counts, failing, early: failing.some((name) => !name.includes(BELOW)) };
  },
};

function isFirst(line: string): boolean {
  return line.startsWith("ℹ tests ") || line.startsWith("# tests ");
}

function summaryAt(lines: readonly string[], at: number): RunnerReport | undefined {
  const numbers = SUMMARY.exec(lines.slice(at, at + SUMMARY_LINES).join("\n"))?.groups;
  if (numbers === undefined) return undefined;
  const passed = Number(numbers["pass"]);
  const failed = Number(numbers["fail"]) + Number(numbers["cancelled"]);
  const skipped = Number(numbers["skipped"]) + Number(numbers["todo"]);
  if (passed + failed + skipped !== Number(numbers["tests"])) return undefined;
  return { passed, failed, skipped, failing: [], exact: true, early: false };
}

/** The list behind the summary, which names each test that failed with its place. */
function failingInSpec(lines: readonly string[]): readonly string[] {
  const begin = lines.indexOf("✖ failing tests:");
  if (begin === -1) return [];
  return lines.slice(begin).flatMap((line, index, list) => {
    if (!line.startsWith("test at ")) return [];
    const name = list[index + 1];
    if (name?.startsWith("✖ ") !== true) return [];
    return [named(line.slice("test at ".length), withoutDuration(name.slice("✖ ".length)))];
  });
}

/** A point that failed, its YAML block being read. */
interface Point {
  /** what the keys of its block are indented by */
  readonly margin: string;
  readonly name: string;
  place: string;
  /** a suite, or a test which failed only because one inside it did */
  outer: boolean;
}

function failingInTap(lines: readonly string[]): readonly string[] {
  const failing: string[] = [];
  let point: Point | undefined;
  for (const line of lines) {
    const [, indent, name] = /^( *)not ok \d+ - (.*)$/u.exec(line) ?? [];
    if (indent !== undefined && name !== undefined) {
      point = / # (?:TODO|SKIP)/u.test(name) ? undefined : { margin: `${indent}  `, name, place: "", outer: false };
    } else if (point !== undefined && line.startsWith(point.margin)) {
      const key = line.slice(point.margin.length);
      if (key.startsWith("location: '")) point.place = key.slice("location: '".length, -1);
      else if (key === "failureType: 'subtestsFailed'") point.outer = true;
      else if (key === "...") {
        if (!point.outer) failing.push(named(point.place, point.name.replaceAll(/\\([#\\])/gu, "$1")));
        point = undefined;
      }
    }
  }
  return failing;
}

/** A test file that fails as a whole is a test by the file's name. */
function named(place: string, name: string): string {
  const file = place.replace(/:\d+:\d+$/u, "");
  return file.endsWith(name) || name.endsWith(file) ? file : `${file}${BELOW}${name}`;
}
