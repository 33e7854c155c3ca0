import { seenOnOneLine } from "../text.ts";
import type { Bend, TextChange } from "./bend.ts";
import { difference, type Fact, type Loss, unmoved } from "./rules/fact.ts";
import { decidesAbout, type FileFacts, fileFacts } from "./rules/file-facts.ts";
import { SHELL_FILE } from "./rules/shell-texts.ts";
import { countsInNewFile, isCalled, type Together, together } from "./rules/together.ts";

const MOST_TEXT = 524_288; // of one file, in UTF-16 units; what is beyond is not read
const MOST_FILES = 2_000;
const MOST_OF_ONE_FILE = 20;
const MOST_BENDS = 200;
const SHOWN = 160;

/**
 * Ways to a green check that configuration, scripts and rules beside the code have taken: what judges less than it did.
 * What was moved from one of these files to another is none, nor is what was made stricter. Pure, and linear in the texts.
 *
 * @param changes whatever changed, code as well; what judges nothing is passed over
 * @returns at most 200, and at most 20 of one file, in the order of the changes
 */
export function ruleBends(changes: readonly TextChange[]): readonly Bend[] {
  const all = changes.slice(0, MOST_FILES).map((change) => bounded(change));
  const known = together(all);
  const files = all.map((change) => compared(change, all, known));
  const losses = unmoved(
    files.flatMap((file) => file.losses),
    files.flatMap((file) => file.gains),
  );
  const byFile = new Map<TextChange, PlacedLoss[]>(all.map((change) => [change, []]));
  for (const loss of losses) byFile.get(loss.change)?.push(loss);
  return [...byFile].flatMap(([change, own]) => bendsOf(change, own, all)).slice(0, MOST_BENDS);
}

function bounded(change: TextChange): TextChange {
  const { before, after } = change;
  return { ...change, before: before?.slice(0, MOST_TEXT) ?? null, after: after?.slice(0, MOST_TEXT) ?? null };
}

interface PlacedLoss extends Loss {
  readonly change: TextChange;
}

function compared(
  change: TextChange,
  all: readonly TextChange[],
  known: Together,
): { readonly losses: readonly PlacedLoss[]; readonly gains: readonly Fact[] } {
  const { path, from = path, before, after } = change;
  const old = fileFacts(from, before);
  const current = fileFacts(path, after);
  const { losses, gains } = difference(old.facts, current.facts);
  const counts = (loss: Loss): boolean => {
    if (loss.was === null) return loss.now !== null && isNewBend(loss.now, { change, old, known });
    return loss.now !== null || isMissed(loss.was, { change, current, gains, all });
  };
  return { gains, losses: losses.filter((loss) => counts(loss)).map((loss) => ({ ...loss, change })) };
}

/** Whether what now takes away from a check counts as news. */
function isNewBend(
  fact: Fact,
  { change, old, known }: { readonly change: TextChange; readonly old: FileFacts; readonly known: Together },
): boolean {
  if (change.before === null) return countsInNewFile(fact, change.path, known);
  const { scope = "" } = fact;
  return scope === "" || old.scopes.has(scope) || isCalled(scope, known);
}

interface After {
  readonly change: TextChange;
  readonly current: FileFacts;
  readonly gains: readonly Fact[];
  readonly all: readonly TextChange[];
}

/** Whether what judged, and is gone, is missed: nothing else in its place says as much. */
function isMissed(was: Fact, { change, current, gains, all }: After): boolean {
  const { scope } = was;
  // Whoever calls a script that is gone fails.
  if (scope === "" && change.after === null && SHELL_FILE.test(change.path)) return false;
  if (scope !== undefined && !current.scopes.has(scope) && !(scope === "" && change.after === null))
    return scope === "";
  const hasPreset = gains.some(({ about, level }) => level > 0 && /^(?:preset|included) /u.test(about));
  if (hasPreset && was.kind === "rule_off") return false;
  return !(was.about.startsWith("runs ") && isHandedOn(scope, { change, gains, all }));
}

/** Whether a script now runs another one that nobody has changed. */
function isHandedOn(
  scope: string | undefined,
  { change, gains, all }: Pick<After, "change" | "gains" | "all">,
): boolean {
  const other = gains.find((gain) => gain.about === "runs other" && gain.scope === scope);
  if (other === undefined) return false;
  const text = lineOf(change.after, other.line);
  return !all.some(({ path, after }) => after !== null && text.includes(path.slice(path.lastIndexOf("/") + 1)));
}

function bendsOf(change: TextChange, losses: readonly PlacedLoss[], all: readonly TextChange[]): readonly Bend[] {
  if (change.after === null) return wholeFile(change, losses, all);
  const seen = new Set<string>();
  const bends: Bend[] = [];
  for (const { was, now } of losses) {
    const fact = now ?? was;
    if (fact === null || bends.length === MOST_OF_ONE_FILE) break;
    const place = `${fact.kind} ${now === null} ${fact.line}`;
    if (!seen.has(place)) bends.push(bendOf(change, { was, now }, fact));
    seen.add(place);
  }
  return bends;
}

function bendOf({ path, before, after }: TextChange, { was, now }: Loss, { kind, line }: Fact): Bend {
  const old = lineOf(before, was?.line);
  const current = lineOf(after, now?.line);
  return {
    ...{ kind, path, line },
    was: shown(was === null ? replacedLine(before, after, current) : old),
    now: shown(now === null ? replacedLine(after, before, old) : current),
  };
}

/** One for each kind: a file that is gone has no places. Where another of its kind has come, that is what is used now. */
function wholeFile(change: TextChange, losses: readonly PlacedLoss[], all: readonly TextChange[]): readonly Bend[] {
  const isReplaced = (kind: Fact["kind"]): boolean =>
    all.some(({ path, before, after }) => before === null && after !== null && decidesAbout(path, kind));
  const bends = new Map<Fact["kind"], Bend>();
  for (const { was } of losses) {
    if (was === null || bends.has(was.kind) || isReplaced(was.kind)) continue;
    const { kind, line } = was;
    bends.set(kind, { kind, path: change.path, line: null, was: shown(lineOf(change.before, line)), now: null });
  }
  return [...bends.values()];
}

function lineOf(text: string | null, line: number | undefined): string {
  if (text === null || line === undefined) return "";
  return text
    .split("\n", line)
    .slice(line - 1)
    .join("");
}

/** null: there is none, or it is empty */
function shown(line: string): string | null {
  const seen = seenOnOneLine(line, SHOWN);
  return seen === "" ? null : seen;
}

const SHARED = 6; // of the beginning; less is by chance
const LINES = 5_000;

/**
 * The line that another has most likely taken the place of: of those that are only in `text`, the one that begins most like
 * it; "" when there is none.
 *
 * @param line of `other`
 */
function replacedLine(text: string | null, other: string | null, line: string): string {
  if (text === null || other === null) return "";
  const kept = new Set(other.split("\n"));
  let best = { line: "", shared: SHARED - 1 };
  for (const candidate of text.split("\n", LINES)) {
    if (kept.has(candidate)) continue;
    const shared = sharedStart(candidate.trimStart(), line.trimStart());
    if (shared > best.shared) best = { line: candidate, shared };
  }
  return best.line;
}

function sharedStart(left: string, right: string): number {
  const end = Math.min(left.length, right.length, 200);
  let at = 0;
  while (at < end && left[at] === right[at]) at += 1;
  return at;
}
