// Preloaded into a program (`node --import`): waits of 1 to 25 seconds, which are how the toolkit's clients space their
// attempts, take a hundredth of that. Everything else is as it was.
const { setTimeout: wait } = globalThis;

globalThis.setTimeout = Object.assign(
  (callback, delay, ...rest) => wait(callback, delay >= 1000 && delay <= 25_000 ? delay / 100 : delay, ...rest),
  wait,
);
