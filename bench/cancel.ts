import { runCancelled } from "../test/support/ci/cancelled.ts";
import { startCi } from "../test/support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../test/support/ci/hanging-task.ts";
import { atMost, type Figure, median } from "./figure.ts";

const TIMES = 5;

/** Where a job may be when somebody cancels it, deaf to signals. */
const PHASES = [
  { phase: "turn", hang: "hang-in-turn-1" },
  { phase: "check", hang: "hang-in-check" },
] as const;

/** How soon the checkpoint of a cancelled job is on the disk: the runner kills main ten seconds after the signal. */
export async function measureCancel(say: (line: string) => void): Promise<readonly Figure[]> {
  await using ci = await startCi({ byRef: true, publishes: false, files: HANGING_FILES });
  const figures: Figure[] = [];
  for (const { phase, hang } of PHASES) {
    const took: number[] = [];
    for (let nth = 1; nth <= TIMES; nth++) {
      await using task = await hangingTask(`bench-${phase}-${nth}`);
      await task.turnOn(hang);
      await using machine = await ci.machine();
      const job = await runCancelled(machine, { ...task, cancelWhen: () => task.hangs(phase), posts: 1 });
      took.push(job.checkpointMs);
      say(`cancelled in a ${phase}: ${job.checkpointMs} ms`);
    }
    figures.push(atMost(`from the signal to the checkpoint, in a ${phase}`, median(took), "ms", 3000));
  }
  return figures;
}
