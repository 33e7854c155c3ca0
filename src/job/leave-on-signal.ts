import type { Control } from "../core/ports.ts";

/** Signals by which a runner ends a step. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The part of `process` that signals come from. */
export interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/**
 * Leaves at once when the runner asks for it while no loop runs: what is on the disk is enough for post.
 *
 * @param leave ends this process
 * @returns what makes a control the one that signals go to, for as long as it is watched
 */
export function leaveOnSignal(source: SignalSource, leave: (signal: NodeJS.Signals) => void): (of: Control) => Control {
  let watched = 0;
  const listener = (signal: NodeJS.Signals): void => {
    if (watched === 0) leave(signal);
  };
  for (const name of SIGNALS) source.on(name, listener);
  return (control) => ({
    watch(signal) {
      const requests = control.watch(signal);
      watched += 1;
      signal.addEventListener("abort", () => (watched -= 1), { once: true });
      return requests;
    },
  });
}
