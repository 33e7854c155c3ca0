import type { Control } from "../core/ports.ts";
import { sweepNow } from "../os/supervise.ts";
import { type LoopPlace, marksOf } from "../store/place.ts";

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

/** However this process ends, short of being killed: what it has started for the loop ends with it. */
export function leaveNothingBehind(place: LoopPlace): void {
  process.once("exit", () => sweepNow(marksOf(place).all));
}

/** What a signal does besides asking the loop to stop. */
export interface Haste {
  /** at once */
  readonly at: () => void;
  /** ends what runs, without grace */
  readonly hurry: () => void;
  /** the grace until then, in milliseconds */
  readonly graceMs: number;
}

/**
 * A control whose signals leave the agent little time: the runner kills us ten seconds after the first one, and the
 * checkpoint has to be on the disk long before.
 */
export function hurriedControl(control: Control, { at, hurry, graceMs }: Haste): Control {
  return {
    watch(signal) {
      const requests = control.watch(signal);
      return (async function* () {
        for await (const request of requests) {
          if (request.by.startsWith("SIG")) {
            at();
            setTimeout(hurry, graceMs).unref();
          }
          yield request;
        }
      })();
    },
  };
}
