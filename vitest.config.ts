import { defineConfig } from "vitest/config";
import { SlowestFilesReporter } from "./test/support/slowest-files-reporter.ts";

/** `TEST_REPORT=report.json npm test` writes a JSON report besides. */
const reportFile = process.env["TEST_REPORT"];
const jsonReport: ["json", { outputFile: string }][] = reportFile ? [["json", { outputFile: reportFile }]] : [];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most of the time is spent by programs that a test has started and waits for.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", new SlowestFilesReporter(), ...jsonReport],
    coverage: {
      provider: "v8",
      include: ["src/core/**", "src/views/**"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
      reporter: ["text-summary"],
    },
  },
});
