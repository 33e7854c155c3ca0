import { requestStream } from "../control/request-stream.ts";
import type { Control } from "../core/ports.ts";

/** Ends a loop for good that is parked, before a turn is spent: that is what this run was asked for. */
export function cancelAtOnce(asker: string | null): Control {
  const by = asker === null ? "the workflow's input" : `${asker} on GitHub`;
  return { watch: (signal) => requestStream(signal, (push) => push({ kind: "cancel", by })) };
}
