import { withoutAnsi } from "../text.ts";

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

/**
 * What differs from run to run although the failure is the same, and its replacement. The order counts: a later pattern
 * may match part of an earlier one. Repetitions are bounded, because strangers wrote the text.
 */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  // Dates and times.
  [/\b\d{4}-\d\d-\d\d[T_ ]\d\d[:_-]\d\d[:_-]\d\d(?:[.,_]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/gu, "<time>"],
  [/\b\d{4}[-/]\d\d[-/]\d\d\b/gu, "<date>"],
  // Since the epoch, in seconds to nanoseconds.
  [/\b1[5-9]\d{8}(?:\d{3}|\d{6}|\d{9})?(?:\.\d{1,9})?\b/gu, "<time>"],
  [
    new RegExp(`\\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\\d{1,2} )?${MONTH} \\d{1,4}(?:,? \\d{4})?\\b`, "gu"),
    "<date>",
  ],
  // Ids and addresses.
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/giu, "<uuid>"],
  [/\b0x[\da-f]{1,32}\b/giu, "<address>"],
  [/\b(?=[\da-f]{0,127}\d)[\da-f]{16,128}\b/giu, "<hash>"],
  [/\b(localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1\]?):\d{2,5}\b/gu, "$1:<port>"],
  [/\b(port)([ :=]{1,3})\d{2,5}\b/giu, "$1$2<port>"],
  [/\b(p?pid|tid|process|thread|goroutine|worker|gw|seed)([ :=#]{0,3})\d{1,20}\b/giu, "$1$2<n>"],
  [/(\bthread '[^'\n]{0,100}') \(\d{1,20}\)/gu, "$1"],
  [/==\d{1,10}==/gu, "==<n>=="],
  // Places in files. A shell names the process that it lost behind the line: `x.sh: line 3: 4711 Aborted`.
  [/\b(lines?|col|column|ln) \d{1,7}(?:: {1,9}\d{2,10}(?= ))?/giu, "$1 <n>"],
  [/(\.[A-Za-z]\w{0,9})\(\d{1,7},\d{1,7}\)/gu, "$1"],
  [/(\.[A-Za-z]\w{0,9}|>|file):\d{1,7}(?::\d{1,7})?\b/gu, "$1"],
  [/^ {0,20}\d{1,7}:\d{1,7}(?= )/gmu, ""],
  // A time of day is not `resolve:27:11`, which is a place once more.
  [/(?<![:\w])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[AP]M)?\b/gu, "<time>"],
  [/:\d{1,7}:\d{1,7}\b/gu, ""],
  // Durations and progress.
  [/\b\d{1,9}(?:\.\d{1,9})? ?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|hours?)\b/gu, "<duration>"],
  [/\b\d{1,9}m ?<duration>/gu, "<duration>"],
  [/\b\d{1,3}(?:\.\d{1,9})? ?%/gu, "<percent>"],
  [/\[ {0,9}\d{1,9} ?(?:\/|of) ?\d{1,9} {0,9}\]/gu, "<progress>"],
];

const TEMP_PATH =
  /(?:(?:\/private)?\/var\/folders\/[^/\s]{1,9}\/[^/\s]{1,64}\/T|(?:\/private)?\/(?:var\/)?tmp|[A-Za-z]:\\[\w\\.~-]{1,99}\\Temp|\/[\w/.-]{1,99}\/_temp)[\\/][^\s"'`)\]:,;]{1,500}/gu;
/** The number that an excerpt of source code has before a line: ` > 12 | code`. */
const GUTTER = /^(?:> ?)?\d{1,7} ?(?=[|│┃])/u;
const RULE = /([^\w\s])\1{3,}/gu; // a bar or a rule is as wide as the terminal
/** The text was cut off at its beginning, a few characters sooner or later each time: only so much of the end counts. */
const TAIL_LENGTH = 6_000;

/**
 * The end of what a failing check says, without what changes from run to run and from machine to machine: ANSI codes,
 * times, dates, durations, addresses, ids of processes, ports, temporary and absolute paths, places in files, progress
 * and white space (section 4.4).
 *
 * @param root the workspace; "" when it is not known
 */
export function errorTail(tail: string, root: string): string {
  const own = relativePaths(withoutAnsi(tail), root).replaceAll(TEMP_PATH, withoutTempFolder);
  const stable = VOLATILE.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), own);
  const lines = withoutFolders(stable).split("\n").map(foldedLine);
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.filter((line) => line !== "").toReversed()) {
    length += line.length;
    if (length > TAIL_LENGTH) break;
    kept.push(line);
  }
  return kept.toReversed().join("\n");
}

/** Folders have random names, files usually not. */
function withoutTempFolder(path: string): string {
  const name = lastPart(path);
  return /^[A-Za-z_-]+\.[A-Za-z.]+$/u.test(name) ? `<temp>/${name}` : "<temp>";
}

function foldedLine(line: string): string {
  return line.replaceAll(/\s+/gu, " ").trim().replace(GUTTER, "").replaceAll(RULE, "$1$1$1");
}

/** An absolute path in a text; not the path of an address like `https://a/b`. */
const ABSOLUTE = /(?<![\w.~\\/-])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]{1,255}){2,}/gu;

/**
 * Makes the paths in a text the same on every machine: those in the workspace become relative, of others only the last
 * part stays.
 *
 * @param root the workspace; "" when not known
 */
export function portablePaths(text: string, root: string): string {
  return withoutFolders(relativePaths(text, root));
}

function relativePaths(text: string, root: string): string {
  const plain = text.replaceAll("file://", "");
  return root === "" ? plain : plain.replaceAll(`${root}/`, "");
}

function withoutFolders(text: string): string {
  return text.replaceAll(ABSOLUTE, lastPart);
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
