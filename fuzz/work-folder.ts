import { mkdirSync } from "node:fs";
import path from "node:path";

/** Where targets that read files put them. */
export function workFolder(): string {
  const folder = path.join(process.env["TEST_RUN_FOLDER"] ?? path.join(import.meta.dirname, "../.test-work"), "fuzz");
  mkdirSync(folder, { recursive: true });
  return folder;
}
