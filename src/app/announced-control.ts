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
      return `pausing after this iteration (${by}), which can take some minutes; Ctrl+C ends it now`;
    case "stop":
      return `ending the agent's turn now (${by}); work and state are kept; ${hurry(by)}`;
    case "supersede":
      return `another run goes on with this loop (${by}); ending the agent's turn now`;
    case "cancel":
      return `ending the agent's turn now and the loop for good (${by}); work and state are kept; ${hurry(by)}`;
  }
}

/** The first signal is a polite request of its own, so that somebody else's request takes two. */
function hurry(by: string): string {
  return by.startsWith("SIG") ? "Ctrl+C again ends it at once" : "Ctrl+C twice ends it at once";
}
