import type { Bend, TextChange } from "../bend.ts";
import { bendAt } from "./found.ts";

/** Names and folders of what tests compare with. */
const RECORDED: readonly RegExp[] = [
  /\.(?:snap|snapshot|golden|approved|verified|expected|want|stdout|stderr|ambr)$/iu,
  /\.(?:approved|verified|expected|golden|snap)\.\w{1,12}$/iu,
  /(?:^|\/)(?:__snapshots__|snapshots|__file_snapshots__|goldens?|golden[_-]files|expected|cassettes|baselines?)\//iu,
  /(?:^|\/)(?:expected|golden)[^/]{0,80}$|[._-](?:expected|golden|want)\.\w{1,12}$/iu,
  /(?:^|\/)testdata\/(?!(?:.*\/)?(?:in|input|config|fixture|seed|source|src)[^/]*$)/iu,
];
const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|cs|rb|php|c|cc|cpp|h)$/u;
/** What is compared with, but is not in use yet. */
const RECEIVED = /\.(?:received|actual|new|rej|orig)(?:\.\w{1,12})?$/iu;

/** Recordings that tests compare with and that were made again, by the first line that was replaced. */
export function recordingBends({ path, before, after }: TextChange): readonly Bend[] {
  if (before === null || after === null || !isRecording(path)) return [];
  const line = replacedLine(before, after);
  if (line === null) return [];
  return [bendAt("snapshot_replaced", { path, ...line }, { before: before.split("\n"), after: after.split("\n") })];
}

/** Whether a file is a recording that tests compare with, by its name. */
function isRecording(path: string): boolean {
  return !CODE.test(path) && !RECEIVED.test(path) && RECORDED.some((form) => form.test(path));
}

interface OtherLine {
  readonly was: number | null;
  readonly now: number | null;
}

/**
 * The first line that a recording does not have any more; null where it only has more lines than before, or fewer whole
 * entries.
 */
function replacedLine(before: string, after: string): OtherLine | null {
  const [old, current] = [plainLines(before), plainLines(after)];
  let met = 0;
  for (const line of current) if (line === old[met]) met += 1;
  if (met === old.length) return null;
  const kept = new Set(old);
  const first = old.findIndex((line, index) => line !== current[index]);
  const other = current.findIndex((line, index) => index >= first && !kept.has(line));
  if (other === -1 && isEntries(before)) return null;
  return { was: first + 1, now: other === -1 ? null : other + 1 };
}

function plainLines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.trimEnd());
}

/** Entries of tests, of which one that goes with its test is no loss. */
function isEntries(text: string): boolean {
  return /^exports\[`/mu.test(text);
}
