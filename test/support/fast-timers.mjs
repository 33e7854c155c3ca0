// Preloaded into a program (`node --import`): waits of more than half a second and up to 25 seconds, which are how the
// toolkit's clients space their attempts and GitHub's client its writes (what is left of a second), take a hundredth of
// that. So do our own pauses before something is asked again, which are whole or half seconds up to 15. Everything else is
// as it was: what is polled, saved or waited for until some moment is no round number, or longer.
// And what is compiled once is kept, for a test starts the same programs a hundred times.
import { enableCompileCache, syncBuiltinESMExports } from "node:module";
import promises from "node:timers/promises";

enableCompileCache(new URL("../../.test-work/compiled", import.meta.url).pathname);

const { setTimeout: wait } = globalThis;
const { setTimeout: sleep } = promises;

globalThis.setTimeout = Object.assign(
  (callback, delay, ...rest) => wait(callback, delay > 500 && delay <= 25_000 ? delay / 100 : delay, ...rest),
  wait,
);
promises.setTimeout = (delay, ...rest) =>
  sleep(delay > 500 && delay <= 15_000 && delay % 500 === 0 ? delay / 100 : delay, ...rest);
syncBuiltinESMExports();
