import { isTestPath } from "../progress/test-paths.ts";
import type { Bend, TextChange } from "./bend.ts";
import { ecosystemOf } from "./ecosystems/ecosystems.ts";
import { lossesOf, type ReadPair } from "./tests/losses.ts";
import { type Reading, readingOf } from "./tests/reading.ts";
import { recordingBends } from "./tests/snapshots.ts";
import { type ChangedCode, silencedAssertions, silencedErrors } from "./tests/swallowed.ts";
import { timeoutBends } from "./tests/timeouts.ts";

/** UTF-16 units of a text; a longer one is not read */
const LONGEST_TEXT = 524_288;
const MOST_CHANGES = 500;
/** UTF-16 units of all texts together, before and after; what comes behind is not read */
const MOST_UNITS = 16_777_216;
const MOST_OF_A_FILE = 100;
const MOST_BENDS = 500;

/**
 * What tests do not ask for any more, what they compare with that was made again, and errors that are kept silent. Whole
 * files that are gone or emptied, and tests that are skipped, are told by `testChanges`. Names and words of the agent: what
 * looks like honest work is none, and what is not known is none.
 *
 * Pure, and linear in the length of the texts. At most 500 changes are read, of texts of at most 512 Ki UTF-16 units, all
 * together of at most 16 Mi; of a text at most 200,000 tokens, 2,000 tests and 5,000 assertions. What is beyond is not
 * known. At most 100 bends of a file and 500 of all, in the order of the changes.
 */
export function testBends(changes: readonly TextChange[]): readonly Bend[] {
  const read = withinLimits(changes);
  const code = read.flatMap(changedCode);
  const pairs = code.filter(({ path, ecosystem }) => isTestPath(path) || ecosystem.mixed).map(pairOf);
  return limited(read, [
    ...lossesOf(pairs, read.flatMap(arrivedTests)),
    ...pairs.flatMap(silencedAssertions),
    ...silencedErrors(code.filter(({ path }) => !isTestPath(path))),
    ...read.flatMap(recordingBends),
    ...read.flatMap((change) => timeoutBends(change)),
  ]);
}

function withinLimits(changes: readonly TextChange[]): readonly TextChange[] {
  let units = 0;
  return changes.slice(0, MOST_CHANGES).filter(({ before, after }) => {
    const [old, current] = [before?.length ?? 0, after?.length ?? 0];
    if (before === after || old > LONGEST_TEXT || current > LONGEST_TEXT) return false;
    units += old + current;
    return units <= MOST_UNITS;
  });
}

function limited(changes: readonly TextChange[], bends: readonly Bend[]): readonly Bend[] {
  const byPath = new Map<string, Bend[]>(changes.map(({ path }) => [path, []]));
  for (const bend of bends) byPath.get(bend.path)?.push(bend);
  return [...byPath.values()].flatMap((own) => own.slice(0, MOST_OF_A_FILE)).slice(0, MOST_BENDS);
}

function changedCode({ path, before, after }: TextChange): readonly ChangedCode[] {
  const ecosystem = ecosystemOf(path);
  return ecosystem === undefined || before === null || after === null ? [] : [{ path, ecosystem, before, after }];
}

function pairOf({ path, ecosystem, before, after }: ChangedCode): ReadPair {
  const { looseTruth } = ecosystem;
  return { path, ecosystem, looseTruth, before: readingOf(before, ecosystem), after: readingOf(after, ecosystem) };
}

/** The tests of a new file. */
function arrivedTests({ path, before, after }: TextChange): readonly Reading[] {
  const ecosystem = ecosystemOf(path);
  if (ecosystem === undefined || before !== null || after === null) return [];
  return isTestPath(path) || ecosystem.mixed ? [readingOf(after, ecosystem)] : [];
}
