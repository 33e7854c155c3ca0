/**
 * Builds `dist/` from `src/`. The same sources give the same bytes in every clone.
 *
 * `--check` builds beside it and compares: exit code 1 when `dist/` is not what the sources give.
 */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { mustRun, ROOT } from "./command.ts";
import { ENTRIES, type Entry } from "./entries.ts";
import { differences } from "./folder-difference.ts";

const DIST = path.join(ROOT, "dist");
const REBUILT = path.join(ROOT, ".build/dist");
const SCRIPTS = path.join(ROOT, ".build/js");

async function bundle(entry: Entry, into: string): Promise<void> {
  const out = path.join(into, entry.folder);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const source = path.join(SCRIPTS, `${entry.source}.js`);
  const options = ["--minify", "--source-map", "--license", "licenses.txt", "--target", "es2023", "--no-cache"];
  await mustRun(["ncc", "build", source, "-o", out, "--quiet", ...options]);
}

async function build(into: string): Promise<void> {
  await rm(SCRIPTS, { recursive: true, force: true });
  await rm(into, { recursive: true, force: true });
  await mustRun(["tsc", "-p", "tsconfig.build.json"]);
  await Promise.all(ENTRIES.map((entry) => bundle(entry, into)));
}

if (process.argv.includes("--check")) {
  await build(REBUILT);
  const found = await differences(REBUILT, DIST);
  for (const difference of found) console.error(`dist/ is not what src/ gives: ${difference}`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else {
  await build(DIST);
}
