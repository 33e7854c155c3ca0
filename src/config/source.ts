import type { SettingValue } from "./setting.ts";

/**
 * The places a value can come from; an earlier one outranks a later one (L-06). Flags and inputs never meet; `foreign` is
 * another system's configuration file, for `.smithers.toml` is written for us and theirs is not.
 */
export const PRECEDENCE = ["flag", "input", "environment", "file", "foreign", "preset", "default"] as const;

/** Where a value comes from; `where` is for people: `--max-iterations`, `.smithers.toml line 3 [max-iterations]`. */
export interface Source {
  readonly from: (typeof PRECEDENCE)[number];
  readonly where: string;
}

/** A value and where it comes from. */
export interface Given {
  readonly value: SettingValue;
  readonly source: Source;
}

/** Negative when `a` outranks `b`, positive when `b` outranks `a`, 0 when both come from the same kind of place. */
export function comparePrecedence(a: Source, b: Source): number {
  return PRECEDENCE.indexOf(a.from) - PRECEDENCE.indexOf(b.from);
}
