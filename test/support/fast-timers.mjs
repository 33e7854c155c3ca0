// Preloaded into a program (`node --import`): waits of 1 to 25 seconds, which are how the toolkit's clients space their
// attempts, take a hundredth of that. Everything else is as it was.
// And what is compiled once is kept, for a test starts the same programs a hundred times.
import { enableCompileCache } from "node:module";

enableCompileCache(new URL("../../.test-work/compiled", import.meta.url).pathname);

const { setTimeout: wait } = globalThis;

globalThis.setTimeout = Object.assign(
  (callback, delay, ...rest) => wait(callback, delay >= 1000 && delay <= 25_000 ? delay / 100 : delay, ...rest),
  wait,
);
