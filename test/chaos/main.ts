/**
 * `npm run chaos`: tells stories of loops to which everything happens that can happen to a program, and says what did not
 * hold at their end. Exit code 1 when something did not.
 *
 * `--action` tells them in jobs of the Action (`dist/`, or the folder that SMITHERS_ACTION_DIR names), each on a machine of
 * its own, else on the command line.
 *
 * `--seeds N` tells as many (50), `--from S` begins with that one (1), `--jobs N` tells as many at a time. `--tell` shows what the last run of a
 * broken one said, as one seed alone does. Everything that
 * is drawn follows from the seed; only how fast the machine is does not.
 */
import { mkdtemp, rm, mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundled } from "../support/smithers-program.ts";
import { startAzurite } from "../support/results/azurite.ts";
import { SHARED_AZURITE } from "../support/results/shared-azurite.ts";
import { tellInJobs } from "./action-story.ts";
import { type Outcome, tell } from "./story.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    action: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
    jobs: { type: "string", default: String(availableParallelism()) },
  },
});
const from = Number(values.from);
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index);

const base = path.join(import.meta.dirname, "../../.test-work");
await mkdir(base, { recursive: true });
const folder = await mkdtemp(path.join(base, "chaos-program-"));
process.env["GIT_CONFIG_SYSTEM"] = path.join(import.meta.dirname, "../support/gitconfig");
const azurite = values.action ? await startAzurite() : undefined;
if (azurite !== undefined) process.env[SHARED_AZURITE] = String(azurite.port);
const source = path.join(import.meta.dirname, "../../src/cli.ts");
const program = { script: await bundled(source, folder), compiled: path.join(folder, "compiled") };

function shown({ said }: Outcome): string {
  return values.tell || seeds.length === 1 ? `${said.replaceAll(/^/gmu, "    | ")}\n` : "";
}

const began = performance.now();
const broken: Outcome[] = [];
let runs = 0;
const rest = seeds.values();
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (const seed of rest) {
      const outcome = await (values.action ? tellInJobs(seed) : tell(seed, program));
      runs += outcome.runs;
      if (outcome.broken.length === 0) continue;
      broken.push(outcome);
      process.stdout.write(
        `\nseed ${seed} is broken (again: npm run chaos -- --seeds 1 --from ${seed}${values.action ? " --action" : ""})\n  ${outcome.troubles}\n${outcome.broken.map((what) => `  - ${what}\n`).join("")}${shown(outcome)}`,
      );
    }
  }),
);
await azurite?.[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
process.stdout.write(`\n${seeds.length} seeds, ${runs} runs, ${broken.length} broken, in ${minutes} minutes.\n`);
process.exitCode = broken.length > 0 ? 1 : 0;
