import { z } from "zod";
import { count, type Stored } from "../schema.ts";
import { seenOnOneLine } from "../text.ts";

const NAMED = 20;
const NAME_LENGTH = 200;

/** Files that changed while no turn ran and that are in no commit yet: of many the first 20, and how many more. */
export const betweenRuns = z.looseObject({ files: z.array(z.string()), more: count });
export type BetweenRuns = Stored<typeof betweenRuns>;

/** Of any number of files those that are named. */
export function asBetween(files: readonly string[]): BetweenRuns | null {
  return files.length === 0 ? null : { files: files.slice(0, NAMED), more: Math.max(0, files.length - NAMED) };
}

/** What is in no commit yet, after another stop. */
export function withBetween(known: BetweenRuns | null, now: BetweenRuns | null): BetweenRuns | null {
  if (known === null || now === null) return now ?? known;
  const files = [...new Set([...known.files, ...now.files])];
  return { files: files.slice(0, NAMED), more: known.more + now.more + Math.max(0, files.length - NAMED) };
}

/** The files, as part of a sentence. */
export function betweenWords({ files, more }: BetweenRuns): string {
  return `${files.map((file) => seenOnOneLine(file, NAME_LENGTH)).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A commit's message that names what no turn of the loop has changed. */
export function namingOthers(message: string, between: BetweenRuns | null): string {
  if (between === null) return message;
  return `${message}\n\nChanged between two runs, by no turn of the loop, and in here as well: ${betweenWords(between)}.`;
}
