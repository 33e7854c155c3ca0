import type { Control, ControlRequest } from "../core/ports.ts";
import { requestStream } from "./request-stream.ts";

/** Several ways to reach a loop as one: every request of each, as it comes. */
export function allOf(controls: readonly Control[]): Control {
  return {
    watch: (signal) =>
      requestStream(signal, (push, ended) => {
        for (const control of controls) void forward(control, push, ended);
      }),
  };
}

/** One that throws, against its contract, leaves the others working. */
async function forward(control: Control, push: (request: ControlRequest) => void, ended: AbortSignal): Promise<void> {
  try {
    for await (const request of control.watch(ended)) push(request);
  } catch {
    // nothing more will come from here
  }
}
