import { isLockfile } from "../progress/check-scripts.ts";
import { holdsTests, isTestPath } from "../progress/test-paths.ts";
import type { Checks } from "../task.ts";
import type { NewSkip, Weakness } from "../verdict.ts";
import { type Asked, isAsked } from "./asked.ts";
import type { Bend, TextChange } from "./bend.ts";
import { type ChangedTexts, isJudge } from "./changed-texts.ts";
import { couldCome } from "./reach.ts";
import { ruleBends } from "./rule-bends.ts";
import { testBends } from "./test-bends.ts";

/** What a green verdict is held against. */
export interface Judging {
  readonly asked: Asked;
  readonly checks: Checks;
  /** shell texts that stories name */
  readonly stories: readonly string[];
  /** paths that count as scripts of the checks */
  readonly scripts: readonly string[];
  /** what the checks said before the first turn; null: not known */
  readonly began: "passed" | "failed" | null;
  /** what the last green verdict was told of */
  readonly known: readonly Bend[];
}

/**
 * The bends that a green verdict could have come from and that the task does not ask for (C40 to C42), at most 1,000, by
 * path and line.
 */
export function bendsIn({ changes, unread }: ChangedTexts, judging: Judging): readonly Bend[] {
  const { asked, checks, stories } = judging;
  const found = [...testBends(changes), ...ruleBends(changes)];
  const turned = turnedGreen(changes, unread, judging).filter(({ path }) =>
    found.every((other) => other.path !== path),
  );
  const wrong = [...found, ...turned].filter((one) => couldCome(checks, stories, one) && !isAsked(asked, one, changes));
  return distinct(wrong).slice(0, MOST);
}

const MOST = 1_000;

function distinct(bends: readonly Bend[]): readonly Bend[] {
  const seen = new Map(bends.map((one) => [`${one.path}\0${one.line}\0${one.kind}`, one] as const));
  return [...seen.values()].toSorted(
    (a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)) || Number(a.line) - Number(b.line),
  );
}

const PROSE = /\.(?:md|mdx|rst|adoc)$/iu;
/** They decide what the code is made of, so they are work as well. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|Cargo\.toml|pyproject\.toml|setup\.py|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.csproj)$/u;

/**
 * The plainest case: the checks were red when the loop began, nothing but what judges the work has changed since, and a
 * test that was there asks for something else than then. One that was only added to is not among them. What was found
 * stays found while the test is so, whatever changes beside it later.
 */
function turnedGreen(changes: readonly TextChange[], unread: readonly string[], judging: Judging): readonly Bend[] {
  if (judging.began !== "failed") return [];
  const scripts = new Set(judging.scripts);
  const isWork = (path: string): boolean =>
    MANIFEST.test(path) || !(isJudge(path, scripts) || PROSE.test(path) || isLockfile(path));
  const others = changes.flatMap((change) => changesOf(change));
  const paths = [...changes.flatMap(({ path, from = path }) => [path, from]), ...unread];
  if (!paths.some(isWork)) return others;
  return others.filter(({ path, was, now }) =>
    judging.known.some((one) => one.path === path && one.was === was && one.now === now),
  );
}

function changesOf({ path, before, after }: TextChange): readonly Bend[] {
  const other = before === null || !isTestPath(path) ? undefined : firstDifference(before, after ?? "");
  if (other === undefined) return [];
  return [{ kind: after === null && holdsTests(path) ? "tests_removed" : "expectation_replaced", path, ...other }];
}

const LINE = 160;

/** The first line that is gone, and what stands in its place; undefined: no line is gone. */
function firstDifference(before: string, after: string): Pick<Bend, "line" | "was" | "now"> | undefined {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const left = new Map<string, number>();
  for (const line of now) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const gone = [...old.entries()].find(([, line]) => {
    const times = left.get(line.trim()) ?? 0;
    left.set(line.trim(), times - 1);
    return line.trim() !== "" && times <= 0;
  });
  if (gone === undefined) return undefined;
  const known = new Set(old.map((line) => line.trim()));
  const here = [...now.entries()].find(([, line]) => line.trim() !== "" && !known.has(line.trim()));
  const was = shown(gone[1]);
  return here === undefined ? { line: gone[0] + 1, was, now: null } : { line: here[0] + 1, was, now: shown(here[1]) };
}

function shown(line: string): string {
  return line
    .trim()
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\uFFFD")
    .slice(0, LINE);
}

/** The weaknesses of tests that are gone or skipped, but for those that the task asks for (C42). */
export function withoutAsked(
  weaknesses: readonly Weakness[],
  { asked }: Pick<Judging, "asked">,
  { changes }: ChangedTexts,
): readonly Weakness[] {
  const isOf = (kind: Bend["kind"], path: string, now: string | null): boolean =>
    isAsked(asked, { kind, path, line: null, was: null, now }, changes);
  return weaknesses.filter((weakness) => {
    if (weakness.kind === "tests_deleted" || weakness.kind === "tests_emptied") {
      const { count, paths } = weakness;
      const isNamed = count > 0 && count === paths.length;
      return !(
        asked.kinds.has("tests_removed") ||
        (isNamed && paths.every((path) => isOf("tests_removed", path, null)))
      );
    }
    if (weakness.kind !== "newly_skipped") return true;
    const { count, skips } = weakness;
    const isNamed = count > 0 && count === skips.length;
    const isWanted = ({ path, marker }: NewSkip): boolean =>
      linesWith(changes, path, marker).some((line) => isOf("tests_excluded", path, line));
    return !(asked.kinds.has("tests_excluded") || (isNamed && skips.every(isWanted)));
  });
}

/** New lines of a file in which a text stands, each with the new line before it, which may be its condition. */
function linesWith(changes: readonly TextChange[], path: string, text: string): readonly string[] {
  const change = changes.find((one) => one.path === path);
  const before = new Set(change?.before?.split("\n"));
  const lines = change?.after?.split("\n") ?? [];
  return lines.flatMap((line, at) => {
    if (!line.includes(text) || before.has(line)) return [];
    const above = lines[at - 1] ?? "";
    return [before.has(above) ? line : `${above}\n${line}`];
  });
}

/** Bends at places that another weakness tells already are left out. */
export function notTold(bends: readonly Bend[], weaknesses: readonly Weakness[]): readonly Bend[] {
  const told = new Set(
    weaknesses.flatMap((weakness): readonly string[] => {
      if (weakness.kind === "tests_deleted" || weakness.kind === "tests_emptied")
        return weakness.paths.map((path) => `tests_removed\0${path}`);
      return weakness.kind === "newly_skipped" ? weakness.skips.map(({ path }) => `tests_excluded\0${path}`) : [];
    }),
  );
  return bends.filter(({ kind, path }) => !told.has(`${kind}\0${path}`));
}
