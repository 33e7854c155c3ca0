// Preloaded into a program (`node --import`): for the main stage of the Action time passes twenty times as fast, by its
// clock and by its timers. Programs that it starts have the usual time.
import path from "node:path";

const TIMES = 20;

if (process.argv[1]?.endsWith(path.join("dist", "action", "index.js"))) {
  const { now } = Date;
  const begin = now();
  Date.now = () => Math.round(begin + (now() - begin) * TIMES);
  const { setTimeout: wait, setInterval: every } = globalThis;
  globalThis.setTimeout = Object.assign((callback, ms, ...rest) => wait(callback, (ms ?? 0) / TIMES, ...rest), wait);
  globalThis.setInterval = (callback, ms, ...rest) => every(callback, (ms ?? 0) / TIMES, ...rest);
}
