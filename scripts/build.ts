/**
 * Builds `dist/` from `src/`. The same sources give the same bytes in every clone.
 *
 * `--check` only compares: exit code 1 when `dist/` is not what the sources give.
 */
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { bundledFiles } from "./bundled-files.ts";
import { bundleNames } from "./bundle-names.ts";
import { mustRun, ROOT } from "./command.ts";
import { type Alone, BUNDLES, type Family } from "./entries.ts";
import { writeFamily, writePrograms } from "./family.ts";
import { differences } from "./folder-difference.ts";
import { licensesOf } from "./licenses.ts";
import { minifyBundle } from "./minify.ts";
import { renameBundle } from "./rename-bundle.ts";
import { readStatistics } from "./statistics.ts";

const DIST = path.join(ROOT, "dist");
const WORK = path.join(ROOT, ".build");
const SCRIPTS = path.join(WORK, "js");
const BUILT = path.join(WORK, "dist");

async function bundle(made: Alone | Family): Promise<void> {
  const { folder } = made;
  const out = path.join(BUILT, folder);
  const source = "source" in made ? made.source : await writeFamily(SCRIPTS, made);
  const report = path.join(WORK, `${folder}-statistics.json`);
  await mkdir(out, { recursive: true });
  const shape = ["--source-map", "--no-source-map-register", "--target", "es2023"];
  const options = [...shape, "--no-cache", "--quiet", "--stats-out", report];
  await mustRun(["ncc", "build", path.join(SCRIPTS, `${source}.js`), "-o", out, ...options]);
  const statistics = await readStatistics(report);
  await renameBundle(out, bundleNames(statistics, `./${path.relative(ROOT, SCRIPTS).replaceAll(path.sep, "/")}/`));
  await minifyBundle(out);
  await writeFile(path.join(out, "licenses.txt"), await licensesOf(bundledFiles(statistics)));
  if ("programs" in made) await writePrograms(BUILT, SCRIPTS, made);
}

/** Builds everything beside `dist/`, which a build that fails leaves alone. */
async function build(): Promise<void> {
  await rm(SCRIPTS, { recursive: true, force: true });
  await rm(BUILT, { recursive: true, force: true });
  await mustRun(["tsc", "-p", "tsconfig.build.json"]);
  await Promise.all(BUNDLES.map(bundle));
}

await build();
if (process.argv.includes("--check")) {
  const found = await differences(BUILT, DIST);
  for (const difference of found) console.error(`dist/ is not what src/ gives: ${difference}`);
  process.exitCode = found.length === 0 ? 0 : 1;
} else {
  await rm(DIST, { recursive: true, force: true });
  await cp(BUILT, DIST, { recursive: true });
}
