import type { Control, ControlRequest } from "../core/ports.ts";

/** Says of every request that it was heard, at once: ending a turn can take some seconds. */
export function announcedControl(control: Control, say: (text: string) => void): Control {
  return {
    watch(signal) {
      const requests = control.watch(signal);
      return (async function* () {
        for await (const request of requests) {
          say(announcement(request));
          yield request;
        }
      })();
    },
  };
}

function announcement({ kind, by }: ControlRequest): string {
  switch (kind) {
    case "pause":
      return `pausing after this iteration (${by})`;
    case "stop":
      return `stopping after the agent has ended its turn (${by}); Ctrl+C again ends the agent at once`;
    case "cancel":
      return `cancelling for good after the agent has ended its turn (${by})`;
  }
}
