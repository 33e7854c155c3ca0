import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { AUTOSTART, type ForeignFile, SOLO_FILE, wantsSolo } from "../config/foreign.ts";
import type { Environment, Reading } from "../config/read.ts";
import { messageOf, UsageError } from "../core/errors.ts";
import { hasCode } from "../os/file-errors.ts";
import { looprRoot } from "./loopr-root.ts";

/** What has been said so far, what outranks the rest first. */
export interface SaidSoFar {
  readonly readings: readonly Reading[];
  readonly env: Environment;
}

/** Loopr's file, seen from its root. */
const LOOPR_FILE = path.join(".loopr", "config");

const FALSY: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);

/**
 * Finds the configuration files of other systems that are in use.
 *
 * @param root the workspace, absolute
 * @throws UsageError when a named file is not there, or when one cannot be read
 */
export async function locateForeign(root: string, said: SaidSoFar): Promise<readonly ForeignFile[]> {
  const solo = await locateSolo(root, said);
  const loopr = await locateLoopr(root, said);
  return [solo, loopr].filter((file) => file !== undefined);
}

/** Loopr's file is used wherever it lies in a Loopr root (L-06, L-13, C4). */
async function locateLoopr(root: string, { readings }: SaidSoFar): Promise<ForeignFile | undefined> {
  const named = readings.map((reading) => reading.given.get("loopr-root")?.value).find((value) => value !== undefined);
  const file = path.join(await looprRoot(root, typeof named === "string" ? named : null), LOOPR_FILE);
  const text = await readOptional(file, "--loopr-root");
  if (text === undefined) return undefined;
  const shown = path.relative(root, file);
  return { system: "loopr", path: shown.startsWith("..") ? file : shown, text };
}

/** SOLO's file is used when somebody names it, or chooses the preset, or when SOLO starts by itself (S-05, S-06, S-16). */
async function locateSolo(root: string, { readings, env }: SaidSoFar): Promise<ForeignFile | undefined> {
  const given = (name: string) =>
    readings.map((reading) => reading.given.get(name)?.value).find((value) => value !== undefined);
  const named = given("solo-config");
  const file = String(named ?? SOLO_FILE);
  const text = await readOptional(path.resolve(root, file), "--solo-config");
  if (text === undefined) {
    if (named === undefined) return undefined;
    throw new UsageError([
      {
        code: "SOLO_CONFIG_MISSING",
        what: `There is no SOLO configuration ${file} in ${root}.`,
        next: "Correct the path, which is seen from the workspace, in --solo-config or CODEX_SOLO_CONFIG.",
      },
    ]);
  }
  const autostart = !FALSY.has((env[AUTOSTART] ?? "").trim().toLowerCase());
  const used = named !== undefined || autostart || given("preset") === "solo" || wantsSolo(text);
  return used ? { system: "solo", path: file, text } : undefined;
}

/** What a shell hands over by `<(…)` is no file either, and is meant. */
const HANDED_OVER = /^\/(?:dev|proc)\//u;

/**
 * The text of a configuration file; undefined: it is not there. A pipe or a device in its place would be read for ever.
 *
 * @param flag by which another file can be named
 */
export async function readOptional(file: string, flag: string): Promise<string | undefined> {
  try {
    if (!HANDED_OVER.test(file) && !(await stat(file)).isFile()) throw new Error("it is no regular file");
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw new UsageError([
      {
        code: "CONFIG_FILE_UNREADABLE",
        what: `The config file ${file} cannot be read: ${messageOf(error)}.`,
        next: `Make it a readable file, or name another with ${flag}.`,
      },
    ]);
  }
}
