// Preloaded into a program (`node --import`): waits of more than half a second and up to 25 seconds, which are how the
// toolkit's clients space their attempts and GitHub's client its writes (what is left of a second), take a hundredth of
// that. Everything else is as it was.
// And what is compiled once is kept, for a test starts the same programs a hundred times.
import { enableCompileCache } from "node:module";

enableCompileCache(new URL("../../.test-work/compiled", import.meta.url).pathname);

const { setTimeout: wait } = globalThis;

globalThis.setTimeout = Object.assign(
  (callback, delay, ...rest) => wait(callback, delay > 500 && delay <= 25_000 ? delay / 100 : delay, ...rest),
  wait,
);
