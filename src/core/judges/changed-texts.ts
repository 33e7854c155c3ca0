import { isCiFile, isLockfile } from "../progress/check-scripts.ts";
import { roleOf } from "../progress/test-files.ts";
import { holdsTests, isInstalled } from "../progress/test-paths.ts";
import type { TextChange } from "./bend.ts";

/** What a loop has changed since it began, as texts. */
export interface ChangedTexts {
  /** what judges the work first; what was moved is one change */
  readonly changes: readonly TextChange[];
  /** paths of files that changed and are not among them: not text, too large or too many */
  readonly unread: readonly string[];
}

export const NOTHING_CHANGED: ChangedTexts = { changes: [], unread: [] };

/** What a program is told by a file beside the code: rules, thresholds, which tests are run. */
const CONFIGURATION =
  /(?:^|\/)(?:\.[\w.-]*rc(?:\.\w+)?|[\w.-]*(?:config|conf|settings)\.\w+|[\w.-]*\.(?:toml|ini|cfg|props|targets|csproj|fsproj|vbproj|runsettings|gradle|kts|editorconfig)|(?:package|tsconfig[\w.-]*|biome|nx|turbo|deno|composer|phpstan[\w.-]*|psalm|phpunit[\w.-]*)\.(?:jsonc?|xml|neon|dist)|pom\.xml|CMakeLists\.txt|Makefile|makefile|GNUmakefile|[Jj]ustfile|Rakefile|Taskfile\.ya?ml|\.?golangci\.ya?ml|\.rubocop\.yml|\.rspec|\.coveragerc|tox\.ini|codecov\.ya?ml|\.codecov\.ya?ml|noxfile\.py|conftest\.py)$/u;

/** Whether a file judges the work: a test, what tests are made from, what runs the checks, or what tells these what to do. */
export function isJudge(path: string, scripts: ReadonlySet<string>): boolean {
  const role = roleOf(path, scripts);
  return (role !== null && role !== "mixed") || isCiFile(path) || CONFIGURATION.test(path);
}

/** Whether a file takes part at all: not what others have written, nor what follows from something else. */
export function takesPart(path: string): boolean {
  return !isInstalled(path) && !isLockfile(path);
}

/** What is read first where not all can be read: small numbers. */
export function rankOf(path: string, scripts: ReadonlySet<string>): number {
  const role = roleOf(path, scripts);
  if (role === "test" || role === "script" || isCiFile(path)) return 0;
  if (CONFIGURATION.test(path)) return 1;
  return role === "support" ? 2 : 3;
}

const ALIKE = 0.5; // what git takes for a rename
const NAMESAKE = 0.3;
const TRANSLATED = 0; // of a test with the same name in another language

type Gone = TextChange & { readonly before: string };
type Come = TextChange & { readonly after: string };

/** Joins what is gone with what has come where most of its lines are the same: it was moved. */
export function withMoves(changes: readonly TextChange[]): readonly TextChange[] {
  const gone = changes.filter((change): change is Gone => change.after === null && change.before !== null);
  const come = changes.filter((change): change is Come => change.before === null && change.after !== null);
  if (gone.length === 0 || come.length === 0) return changes;
  const pairs = gone.flatMap((old) => come.map((now) => ({ old, now })).filter(isPossible));
  const lines = new Map<TextChange, Lines>([
    ...gone.map((change) => [change, linesOf(change.before)] as const),
    ...come.map((change) => [change, linesOf(change.after)] as const),
  ]);
  const rated = pairs.map((pair) => ({ ...pair, share: shareOf(lines.get(pair.old), lines.get(pair.now)) }));
  const fitting = rated.filter(({ old, now, share }) => share >= leastShare(old, now));
  const from = new Map<TextChange, Gone>();
  const taken = new Set<TextChange>();
  for (const { old, now } of fitting.toSorted((a, b) => b.share - a.share)) {
    if (from.has(now) || taken.has(old)) continue;
    from.set(now, old);
    taken.add(old);
  }
  return changes.flatMap((change): readonly TextChange[] => {
    const old = from.get(change);
    if (old !== undefined) return [{ path: change.path, from: old.path, before: old.before, after: change.after }];
    return taken.has(change) ? [] : [change];
  });
}

function isPossible({ old, now }: { readonly old: Gone; readonly now: Come }): boolean {
  const [less, more] = [Math.min(old.before.length, now.after.length), Math.max(old.before.length, now.after.length)];
  return (endingOf(old.path) === endingOf(now.path) || isNamesake(old, now)) && less * 4 >= more;
}

function leastShare(old: TextChange, now: TextChange): number {
  if (!isNamesake(old, now)) return ALIKE;
  const isTranslated = endingOf(old.path) !== endingOf(now.path) && holdsTests(old.path) && holdsTests(now.path);
  return isTranslated ? TRANSLATED : NAMESAKE;
}

function isNamesake(old: TextChange, now: TextChange): boolean {
  return stemOf(old.path) === stemOf(now.path);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function endingOf(path: string): string {
  const name = nameOf(path);
  return name.slice(name.lastIndexOf(".") + 1);
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\.[^.]*$/u, "");
}

interface Lines {
  readonly count: number;
  readonly times: ReadonlyMap<string, number>;
}

function linesOf(text: string): Lines {
  const times = new Map<string, number>();
  const kept = text.split("\n").filter((line) => line.trim() !== "");
  for (const line of kept) times.set(line, (times.get(line) ?? 0) + 1);
  return { count: kept.length, times };
}

const NO_LINES: Lines = { count: 0, times: new Map() };

/** The share of lines that both have. */
function shareOf(a: Lines = NO_LINES, b: Lines = NO_LINES): number {
  let same = 0;
  for (const [line, times] of a.times) same += Math.min(times, b.times.get(line) ?? 0);
  const most = Math.max(a.count, b.count);
  return most === 0 ? 1 : same / most;
}
