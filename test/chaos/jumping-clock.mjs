// Preloaded into a program (`node --import`): the clock is off by what the file CHAOS_CLOCK says, in milliseconds, as if
// somebody had set it. What does not follow the clock of the wall (`performance.now`, timers) is as it was.
import { readFileSync } from "node:fs";

const { now } = Date;
Date.now = () => {
  try {
    return now() + Number(readFileSync(process.env["CHAOS_CLOCK"] ?? "", "utf8"));
  } catch {
    return now();
  }
};
