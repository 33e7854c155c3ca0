/** A program that takes a loop's lock, says how that went, and keeps it until its stdin ends. */
import { OperationalError } from "../../src/core/errors.ts";
import { acquireLock } from "../../src/store/lock.ts";

const [, , folder = "", start = "now"] = process.argv;
const stdinEnd = new Promise((resolve) => process.stdin.on("end", resolve));
if (start === "when-told") {
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
}
process.stdin.resume();
try {
  const lock = await acquireLock(folder);
  process.stdout.write("held\n");
  await stdinEnd;
  await lock.release();
} catch (error) {
  process.stdout.write(`${error instanceof OperationalError ? error.code : String(error)}\n`);
}
