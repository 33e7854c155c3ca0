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
import { PLAIN, terminalPicture } from "./terminal-picture.ts";

const ROOT = path.join(import.meta.dirname, "..");
const PICTURE = path.join(ROOT, "docs/images/demo.svg");
const TITLE = "npm run demo: a claim is refused, the work goes on, the loop ends when the tests are green";
const COLUMNS = 104;

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

const fillOf = (line: string): string => TONES.find(([pattern]) => pattern.test(line))?.[1] ?? PLAIN;
const made = terminalPicture({ title: TITLE, columns: COLUMNS, lines: said(), fillOf });
if (process.argv.includes("--check")) {
  const isCurrent = readFileSync(PICTURE, "utf8") === made;
  if (!isCurrent) console.error("docs/images/demo.svg is out of date. Write it with: npm run demo:picture");
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(PICTURE, made);
