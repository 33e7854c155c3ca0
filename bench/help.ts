import { execFileSync } from "node:child_process";
import path from "node:path";
import { atMost, median, type Figure } from "./figure.ts";

const ROUNDS = 15;
const GOAL_MS = 60;
const CLI = path.join(import.meta.dirname, "../dist/cli/index.js");

/** How long `smithers --help` takes beyond a bare Node in the same round. */
export async function measureHelp(say: (line: string) => void): Promise<readonly Figure[]> {
  const bare: number[] = [];
  const help: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(timed(["-e", "0"]));
    help.push(timed([CLI, "--help"]));
  }
  say(
    `bare Node ${Math.round(median(bare))} ms, smithers --help ${Math.round(median(help))} ms (medians of ${ROUNDS})`,
  );
  return [atMost("smithers --help, beyond a bare Node", Math.round(median(help) - median(bare)), "ms", GOAL_MS)];
}

function timed(args: readonly string[]): number {
  const begun = performance.now();
  execFileSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - begun;
}
