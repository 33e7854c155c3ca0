// Preloaded into a program (`node --import`): once the file at LATE_CLOCK_FILE is there, the clock shows that 53 and a
// half minutes have passed, or LATE_CLOCK_MINUTES. Of a job's hour, which keeps six minutes for its end, no time for an
// iteration is left then.
import { existsSync } from "node:fs";

const { now } = Date;
Date.now = () => {
  // The Action has its environment only after it has begun.
  const { LATE_CLOCK_FILE: file = "", LATE_CLOCK_MINUTES: minutes = "53.5" } = process.env;
  return now() + (file !== "" && existsSync(file) ? Number(minutes) * 60_000 : 0);
};
