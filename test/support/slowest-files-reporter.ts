import { writeSync } from "node:fs";
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 10;

/** Milliseconds from the file's collection to its last hook. */
function durationOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
}

function count(modules: readonly TestModule[], unhandledErrors: number): { passed: number; failed: number } {
  let passed = 0;
  let failed = unhandledErrors;
  for (const module of modules) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const red = states.filter((state) => state === "failed").length;
    passed += states.filter((state) => state === "passed").length;
    // A file that cannot be loaded, or whose hook fails, has no failed test and is red anyway.
    failed += red === 0 && module.state() === "failed" ? 1 : red;
  }
  return { passed, failed };
}

/** Prints the slowest test files and, as the very last line of the run, `N passed, N failed`. */
export class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const slowest = [...modules].toSorted((a, b) => durationOf(b) - durationOf(a)).slice(0, SHOWN);
    const lines = slowest.map(
      (module) => `${(durationOf(module) / 1000).toFixed(2).padStart(8)} s  ${path.relative("", module.moduleId)}`,
    );
    process.stdout.write(`\nSlowest test files\n${lines.join("\n")}\n`);

    const { passed, failed } = count(modules, unhandledErrors.length);
    // At exit, because coverage and its thresholds are reported after this hook.
    process.once("exit", () => writeSync(process.stdout.fd, `${passed} passed, ${failed} failed\n`));
  }
}
