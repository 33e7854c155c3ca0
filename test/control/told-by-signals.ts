/** A program that prints the first request that signals make, lets go of them, and waits for its end. */
import { createSignalControl } from "../../src/control/signals.ts";

const end = new AbortController();
const requests = createSignalControl(process, () => undefined).watch(end.signal);
setInterval(() => undefined, 1000);
process.stdout.write("ready\n");
for await (const request of requests) {
  end.abort();
  process.stdout.write(`${JSON.stringify(request)}\n`);
}
