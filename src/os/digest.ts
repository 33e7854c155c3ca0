import { createHash } from "node:crypto";

/** Hex SHA-256 of a text, taken as UTF-8. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
