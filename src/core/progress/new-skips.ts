import { isTestPath } from "./test-paths.ts";

/** A line that keeps a test from running and was not there before. Plain data. */
export interface NewSkip {
  readonly path: string;
  /** as it stands there: `it.skip(`, `@pytest.mark.skip`, `#[ignore` */
  readonly marker: string;
}

interface Language {
  readonly files: RegExp;
  readonly marker: RegExp;
  /** tests stand among other code, not in files of their own */
  readonly anywhere?: true;
}

const LANGUAGES: readonly Language[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/u,
    // `only` keeps all others from running.
    marker:
      /\b(?:it|test|describe|suite|context|specify)(?:\.\w{1,20}){0,3}\.(?:skip|skipIf|todo|fixme|only)\b|\b[xf](?:it|test|describe|context|specify) ?\(|\b(?:t|ctx|context|this)\.(?:skip|todo)\(|[{,] ?(?:skip|todo): ?(?:true|["'`])/u,
  },
  {
    files: /\.py$/u,
    marker:
      /@(?:pytest\.mark\.(?:skip|skipif|xfail)|(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure))\b|\bpytest\.(?:skip|xfail|importorskip)\(|\bself\.skipTest\(|\braise (?:unittest\.)?SkipTest\b|\bpytestmark ?= ?pytest\.mark\.(?:skip|xfail)\b/u,
  },
  { files: /\.go$/u, marker: /\b[tbf]\.(?:Skip|Skipf|SkipNow)\(/u },
  { files: /\.rs$/u, marker: /#\[(?:ignore\b|cfg_attr\([^\]]{0,200}\bignore\b)/u, anywhere: true },
  { files: /\.(?:java|kts?|groovy|scala)$/u, marker: /@(?:Disabled\w{0,40}|Ignore)\b|\bpendingUntilFixed\b/u },
  { files: /\.(?:cs|fs|vb)$/u, marker: /\[(?:Ignore|Explicit)\b|\bSkip ?= ?"|\bAssert\.(?:Ignore|Inconclusive)\(/u },
  {
    files: /\.rb$/u,
    marker: /^ *(?:skip|pending)\b|\bx(?:it|describe|context|specify)\b|\b(?:skip|pending): ?(?:true|["'])/u,
  },
  { files: /\.php$/u, marker: /\bmarkTest(?:Skipped|Incomplete)\(|->(?:skip|todo)\(/u },
  { files: /\.swift$/u, marker: /\bXCTSkip\w{0,20}\b|\.disabled\(/u },
  { files: /\.exs?$/u, marker: /@(?:module)?(?:tag|describetag) (?::skip|skip:)/u },
];

const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[)|--)/u;
const LINE_LIMIT = 2_000;

/**
 * Finds the tests that a change keeps from running. A line that was only moved is not new.
 *
 * @param diff unified, as git makes it, with `a/` and `b/` before the paths
 */
export function newSkips(diff: string): readonly NewSkip[] {
  const added: NewSkip[] = [];
  const removed = new Map<string, number>();
  for (const { sign, path, text } of changedLines(diff)) {
    const marker = markerIn(path, text.slice(0, LINE_LIMIT));
    if (marker === undefined) continue;
    if (sign === "+") added.push({ path, marker });
    else removed.set(marker, (removed.get(marker) ?? 0) + 1);
  }
  return added.filter(({ marker }) => {
    const left = removed.get(marker) ?? 0;
    removed.set(marker, left - 1);
    return left <= 0;
  });
}

function markerIn(path: string, text: string): string | undefined {
  if (COMMENT.test(text)) return undefined;
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (language === undefined || !(language.anywhere === true || isTestPath(path))) return undefined;
  return language.marker.exec(text)?.[0].trim();
}

interface ChangedLine {
  readonly sign: "+" | "-";
  readonly path: string;
  readonly text: string;
}

/** The lines that a diff adds and takes away. Inside a hunk everything is content, whatever it looks like. */
function changedLines(diff: string): readonly ChangedLine[] {
  const changed: ChangedLine[] = [];
  const left = { "-": 0, "+": 0 };
  let path = "";
  for (const line of diff.split("\n")) {
    const sign = line.charAt(0);
    if (left["-"] <= 0 && left["+"] <= 0) {
      const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/u.exec(line);
      if (hunk !== null) [left["-"], left["+"]] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      else if (line.startsWith("--- a/") || line.startsWith("+++ b/")) path = line.slice(6).trimEnd();
    } else if (sign === "+" || sign === "-") {
      left[sign]--;
      changed.push({ sign, path, text: line.slice(1) });
    } else if (sign !== "\\") {
      left["-"]--;
      left["+"]--;
    }
  }
  return changed;
}
