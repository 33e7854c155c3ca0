// Preloaded into a program (`node --import`): the main stage of the Action throws once its agent hangs, and nobody
// catches it.
import { existsSync } from "node:fs";
import path from "node:path";

if (process.argv[1]?.endsWith(path.join("dist", "action", "index.js"))) {
  setInterval(() => {
    // The Action has its environment only after it has begun.
    const file = path.join(process.env.SWITCHES ?? "", "turn-hangs");
    if (existsSync(file)) throw new Error("a bug that nobody catches");
  }, 20).unref();
}
