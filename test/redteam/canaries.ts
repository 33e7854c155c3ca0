import { randomBytes } from "node:crypto";
import type { Stored } from "../support/ci/stored.ts";

/** A value that nobody may get to see: unique, and of a form that only the attacker looks for. */
export function canary(of: string): string {
  return `canary-${of}-${randomBytes(8).toString("hex")}`;
}

/** Where a secret is found among bytes that have left: as it is, or in a spelling that redaction promises to know. */
export function sightings(secrets: readonly string[], stored: readonly Stored[]): readonly string[] {
  return stored.flatMap(({ where, bytes }) =>
    secrets.flatMap((secret) =>
      spellings(secret)
        .filter(([, spelt]) => bytes.includes(spelt))
        .map(([how]) => `${where}: ${secret} ${how}`),
    ),
  );
}

function spellings(secret: string): readonly (readonly [string, string])[] {
  return [
    ["as it is", secret],
    ["in base64", Buffer.from(secret).toString("base64").replace(/=+$/u, "")],
  ];
}
