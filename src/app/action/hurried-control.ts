import type { Control } from "../../core/ports.ts";

/**
 * A control whose signals leave the agent little time: the runner kills us ten seconds after the first one, and the
 * checkpoint has to be on the disk long before.
 *
 * @param hurry ends what runs, without grace
 */
export function hurriedControl(control: Control, hurry: () => void, graceMs: number): Control {
  return {
    watch(signal) {
      const requests = control.watch(signal);
      return (async function* () {
        for await (const request of requests) {
          if (request.by.startsWith("SIG")) setTimeout(hurry, graceMs).unref();
          yield request;
        }
      })();
    },
  };
}
