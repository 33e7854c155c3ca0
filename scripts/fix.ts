/** `npm run fix`: repairs everything that a program can repair, and writes what is generated. */
import { run } from "./command.ts";

/** In this order: code, what is generated from it, its format, the bundles. */
const STEPS: readonly (readonly [string, ...string[]])[] = [
  ["oxlint", "--fix", "--deny-warnings"],
  ["node", "scripts/generate.ts"],
  ["oxfmt", "."],
  ["node", "scripts/build.ts"],
];

for (const step of STEPS) {
  const { ok, output } = await run(step);
  console.log(`${ok ? "ok    " : "FAILED"}  ${step.join(" ")}`);
  if (!ok) {
    console.log(output.trimEnd());
    process.exitCode = 1;
  }
}
