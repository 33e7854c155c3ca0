/** `npm run check`: everything but the tests that has to hold before a commit. Reads only, except under `.build/`. */
import { availableParallelism } from "node:os";
import { run } from "./command.ts";

interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** what to do when it fails */
  readonly repair: string;
}

/** The slow ones first, so that they overlap with the rest. */
const CHECKS: readonly Check[] = [
  { name: "dist/ up to date", command: ["node", "scripts/build.ts", "--check"], repair: "npm run build" },
  { name: "lint", command: ["oxlint", "--deny-warnings"], repair: "npm run fix (what is left needs a hand)" },
  { name: "house", command: ["node", "scripts/house.ts"], repair: "move, merge or part what each MISSED line names" },
  { name: "types", command: ["tsc", "-p", "tsconfig.json"], repair: "correct the types; watch with: npx tsc -w" },
  { name: "unused code", command: ["knip", "--no-progress"], repair: "delete what is unused, or use it" },
  {
    name: "workflows",
    command: ["node", "scripts/lint-workflows.ts"],
    repair: "correct the line that each message names",
  },
  {
    name: "codes",
    command: ["node", "scripts/codes.ts"],
    repair: "define each code in docs/requirements.md or docs/threats.md, or cite another one",
  },
  { name: "format", command: ["oxfmt", "--check", "."], repair: "npm run fix" },
  { name: "generated files", command: ["node", "scripts/generate.ts", "--check"], repair: "npm run fix" },
];

async function perform(check: Check): Promise<boolean> {
  const began = performance.now();
  const { ok, output } = await run(check.command);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${ok ? "ok    " : "FAILED"}  ${check.name} (${seconds} s)`);
  if (!ok) console.log(`${output.trimEnd()}\n→ ${check.command.join(" ")}\n→ repair: ${check.repair}\n`);
  return ok;
}

const waiting = [...CHECKS];
const failed: string[] = [];
async function work(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await perform(check))) failed.push(check.name);
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));

console.log(failed.length === 0 ? "All checks hold." : `Failed: ${failed.join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
