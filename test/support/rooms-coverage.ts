import v8 from "@vitest/coverage-v8";
import type { CoverageProviderModule } from "vitest/node";

let counts = false;

/** The variable that is set in the workers of the rooms. */
export const COUNTED = "TEST_COVERAGE_COUNTED";

/**
 * V8's coverage, counted only in the rooms, which have to reach full coverage by themselves. Elsewhere it would be
 * counted two hundred times over, and merged.
 */
const roomsCoverage: CoverageProviderModule = {
  getProvider: () => v8.getProvider(),
  async startCoverage(options) {
    counts = process.env[COUNTED] !== undefined;
    if (counts) await v8.startCoverage?.(options);
  },
  takeCoverage: (options) => (counts ? v8.takeCoverage?.(options) : undefined),
  async stopCoverage(options) {
    if (counts) await v8.stopCoverage?.(options);
  },
};

export default roomsCoverage;
