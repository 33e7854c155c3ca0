import { syncBuiltinESMExports } from "node:module";
import promises from "node:timers/promises";

let wanted = 0;
let giveBack: (() => void) | undefined;

/** A hundredth of more than half a second and up to 25 seconds, which is how GitHub's client spaces its writes and asks again. */
const shorter = (ms: number): number => (ms > 500 && ms <= 25_000 ? ms / 100 : ms);

function shorten(): () => void {
  const { setTimeout: wait } = globalThis;
  const { setTimeout: sleep } = promises;
  globalThis.setTimeout = Object.assign(
    (callback: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) =>
      wait(() => callback(...given), shorter(delay)),
    wait,
  );
  promises.setTimeout = (delay, ...given) => sleep(shorter(delay ?? 0), ...given);
  syncBuiltinESMExports();
  return () => {
    globalThis.setTimeout = wait;
    promises.setTimeout = sleep;
    syncBuiltinESMExports();
  };
}

/**
 * Lets waits of more than half a second and up to 25 seconds take a hundredth of that in this process, until everybody
 * who has asked for it has disposed of it: other tests of the process have limits in real time.
 */
export function shortPauses(): Disposable {
  if (wanted === 0) giveBack = shorten();
  wanted += 1;
  let mine = true;
  return {
    [Symbol.dispose]() {
      if (!mine) return;
      mine = false;
      wanted -= 1;
      if (wanted === 0) giveBack?.();
    },
  };
}
