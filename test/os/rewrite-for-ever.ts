/** A program that replaces a file with one content and another until it is killed. */
import { writeFileDurably } from "../../src/os/atomic-file.ts";

const [, , file = ""] = process.argv;
for (let time = 0; ; time++) {
  await writeFileDurably(file, (time % 2 === 0 ? "a" : "b").repeat(300_000));
  if (time === 0) process.stdout.write("written\n");
}
