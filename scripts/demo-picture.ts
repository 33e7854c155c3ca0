/**
 * Writes `docs/images/demo.svg`: what `npm run demo` prints, as a terminal shows it. Names of folders, times and what this
 * machine alone says are left out, so that every run gives the same picture.
 *
 *     npm run demo:picture                    runs the demo and writes the picture
 *     node scripts/demo-picture.ts --check    changes nothing; exits 1 when the picture is out of date
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "..");
const PICTURE = path.join(ROOT, "docs/images/demo.svg");
const COLUMNS = 104;
const LINE = 18;
const CHARACTER = 7.8;
const PADDING = 16;

const TONES: readonly (readonly [RegExp, string])[] = [
  [/^\$ /u, "#f0f6fc"],
  [/^✓|check passed|\(green\)|loop completed/u, "#56d364"],
  [/check failed|claim refused|\(red\)/u, "#ff7b72"],
  [/^Next:/u, "#f0f6fc"],
  [/iteration \d started/u, "#79c0ff"],
];

/** What the demo says, line by line. */
function said(): readonly string[] {
  const script = path.join(ROOT, "examples/demo/run.mjs");
  const out = execFileSync("sh", ["-c", `exec "$0" "$1" 2>&1`, process.execPath, script], { encoding: "utf8" });
  const folder = /^The repository: (.*)\/shop$/mu.exec(out)?.[1];
  if (folder === undefined) throw new Error(`The demo did not say where it was:\n${out}`);
  rmSync(folder, { recursive: true });
  const lines = out
    .replaceAll(`${folder}/`, "")
    .replaceAll(/shop-[\dT-]+/gu, "shop")
    .replaceAll(/\b\d+(?:\.\d)? s\b/gu, "1 s")
    .split("\n")
    .filter((line) => !/^\[0\/0\] notice:|^The repository:|^The loop's files:|^The report, for/u.test(line));
  return lines.join("\n").trim().split("\n");
}

function picture(lines: readonly string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER) + 2 * PADDING;
  const height = lines.length * LINE + 2 * PADDING;
  const texts = lines.map((line, index) => {
    const shown = line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line;
    const fill = TONES.find(([pattern]) => pattern.test(line))?.[1] ?? "#c9d1d9";
    return `  <text x="${PADDING}" y="${PADDING + (index + 1) * LINE - 5}" fill="${fill}">${escaped(shown)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "  <title>npm run demo: a claim is refused, the work goes on, the loop ends when the tests are green</title>",
    `  <rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">`,
    ...texts,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const made = picture(said());
if (process.argv.includes("--check")) {
  const isCurrent = readFileSync(PICTURE, "utf8") === made;
  if (!isCurrent) console.error("docs/images/demo.svg is out of date. Write it with: npm run demo:picture");
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(PICTURE, made);
