import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { COUNTED } from "./test/support/rooms-coverage.ts";
import { SlowestFilesReporter } from "./test/support/slowest-files-reporter.ts";

const SUPPORT = path.join(import.meta.dirname, "test/support");
const FOLDERS = path.join(SUPPORT, "temp-folder.ts");
const AZURITE = path.join(SUPPORT, "results/shared-azurite.ts");
const PROGRAM = path.join(SUPPORT, "smithers-program.ts");

/** What Node has compiled, of the test runner above all, which every file loads anew. */
process.env["NODE_COMPILE_CACHE"] ??= path.join(import.meta.dirname, ".test-work/compiled");

/** `TEST_REPORT=report.json npm test` writes a JSON report besides. */
const reportFile = process.env["TEST_REPORT"];
const jsonReport: ["json", { outputFile: string }][] = reportFile ? [["json", { outputFile: reportFile }]] : [];

/** Rooms whose tests start few programs and change nothing that outlives them. */
const ROOMS = [
  "backlogs",
  "checks",
  "config",
  "control",
  "core",
  "github",
  "live",
  "prd",
  "report",
  "reporters",
  "scenario",
  "setup",
  "store",
  "views",
];
/** What meets the services that GitHub gives to a job. */
const JOBS = ["action", "app", "carry", "commands", "examples", "job", "publish", "requests", "support/results"];
/**
 * What takes its time by nature: `npm run test:long`. Times, faults, races, attacks or a real installation are what is
 * tried, or whole jobs and programs, or very many cases. Of each feature `npm test` has a story as well.
 */
const LONG = "test/**/*.long.test.ts";
const under = (folders: readonly string[], kind = ""): string[] =>
  folders.map((folder) => `test/${folder}/**/*${kind}.test.ts`);

/**
 * To start a program, the process of the tests is copied page by page, and what it writes to afterwards once more. V8
 * would keep 100 MB for new objects alone. With 2 MB each, a process has 170 MB of its own instead of 300, and the
 * kernel a fifth less to do.
 */
const SMALL = ["--max-semi-space-size=2"];

export default defineConfig({
  test: {
    globalSetup: FOLDERS,
    execArgv: SMALL,
    // In the order of their names: what takes long begins first.
    projects: [
      {
        extends: true,
        // One process for many files, which then load what they share once, the stand-in for GitHub above all.
        test: {
          name: "jobs",
          include: under(JOBS),
          exclude: [LONG],
          isolate: false,
          globalSetup: AZURITE,
        },
      },
      {
        extends: true,
        test: { name: "long", include: [LONG], exclude: under(JOBS, ".long"), globalSetup: [AZURITE, PROGRAM] },
      },
      {
        extends: true,
        // As `jobs`: that takes a tenth less of a processor than one process for each.
        test: {
          name: "long-jobs",
          include: under(JOBS, ".long"),
          isolate: false,
          globalSetup: [AZURITE, PROGRAM],
        },
      },
      {
        extends: true,
        // One for each: where a test itself starts many programs, a process that grows costs more than it saves, because
        // it is copied for each of them.
        test: {
          name: "programs",
          include: ["test/**/*.test.ts"],
          exclude: [LONG, ...under([...ROOMS, ...JOBS])],
          globalSetup: PROGRAM,
        },
      },
      {
        extends: true,
        test: { name: "rooms", include: under(ROOMS), exclude: [LONG], isolate: false, env: { [COUNTED]: "1" } },
      },
    ],
    // A test waits for the programs it starts and for pauses; another one has the processor meanwhile.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    env: {
      GIT_CONFIG_SYSTEM: path.join(SUPPORT, "gitconfig"),
      GIT_TEMPLATE_DIR: path.join(SUPPORT, "git-template"),
    },
    // A row's text is shown whole: the codes are at its end.
    taskTitleValueFormatTruncate: 0,
    // For what hangs: a machine that is four times as slow is no reason to fail.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    reporters: ["default", new SlowestFilesReporter(), ...jsonReport],
    coverage: {
      provider: "custom",
      customProviderModule: path.join(SUPPORT, "rooms-coverage.ts"),
      include: ["src/core/**", "src/live/**", "src/report/**", "src/setup/spec/**", "src/views/**"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
      reporter: ["text-summary"],
    },
  },
});
