import type { Control } from "../core/ports.ts";

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
