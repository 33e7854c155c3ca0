import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FIXTURES = path.join(import.meta.dirname, "../test/fixtures");
/** A longer recording only makes cases slow. */
const LONGEST = 8_000;

/** The committed recordings below a folder of `test/fixtures` whose path ends so; long ones cut. */
export function recordings(folder: string, end: string): readonly string[] {
  const names = readdirSync(path.join(FIXTURES, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(end))
    .toSorted()
    .map((name) => readFileSync(path.join(FIXTURES, folder, name), "utf8").slice(0, LONGEST));
}
