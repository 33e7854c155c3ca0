import { setTimeout as sleep } from "node:timers/promises";

const STEP_MS = 20;

/**
 * Waits until `happened` is true, which it is asked every 20 ms; what it throws ends the waiting.
 *
 * @throws Error that names `what` after 30 seconds
 */
export async function waitFor(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await happened())) {
    if (performance.now() > deadline) throw new Error(`Waited 30 seconds for ${what}.`);
    await sleep(STEP_MS);
  }
}
