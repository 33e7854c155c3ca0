// Preloaded into a program (`node --import`): once the file at LATE_CLOCK_FILE is there, the clock shows that 53 and a
// half minutes have passed. Of a job's hour, which keeps six minutes for its end, no time for an iteration is left then.
import { existsSync } from "node:fs";

const { now } = Date;
const file = process.env["LATE_CLOCK_FILE"] ?? "";

Date.now = () => now() + (file !== "" && existsSync(file) ? 3_210_000 : 0);
