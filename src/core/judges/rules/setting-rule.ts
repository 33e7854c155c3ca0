import type { BendKind } from "../bend.ts";
import type { Fact } from "./fact.ts";
import { isGenerated, plainPattern } from "./patterns.ts";
import type { Setting } from "./setting.ts";

/** What a setting of a configuration file does to a check. */
export interface SettingRule {
  readonly kind: BendKind;
  readonly files: RegExp;
  /** on the names of the path, with `\n` between them */
  readonly path: RegExp;
  readonly reads: Reading;
  /** what the value has to be like */
  readonly value?: RegExp;
  /** in the same words for all tools that have it; absent: the last name, or the value of what is in a list */
  readonly about?: string;
}

/**
 * How a value is read.
 *
 * - `least`, `most`: a number that must be reached, or must not be passed
 * - `severity`: off, a hint, a warning, an error, in any tool's words
 * - `strict`, `lax`: a switch that makes stricter, or takes away
 * - `off`: a switch that takes away where it is off, and is on where nothing is said
 * - `leftOut`: each value takes something away, what is generated excepted
 * - `judged`: each value is something that judges or is judged; one with `!` before it takes away
 */
type Reading = "least" | "most" | "severity" | "strict" | "lax" | "off" | "leftOut" | "judged";

/** What a rule finds in a setting. */
export function settingFacts(rule: SettingRule, { path, value, line, index = 0 }: Setting): readonly Fact[] {
  // What comes behind a severity is the rule's options.
  if ((rule.reads === "severity" && index > 0) || rule.value?.test(value) === false) return [];
  const place = path.join("\n");
  const fact = (level: number, what = ""): readonly Fact[] => {
    const about = what === "" ? (rule.about ?? path.slice(-1).join("").toLowerCase()) : `${rule.about ?? ""} ${what}`;
    return level === 0 ? [] : [{ kind: rule.kind, about, at: `${place}\n${what}`, level, line }];
  };
  if (rule.reads === "leftOut" || rule.reads === "judged")
    return items(value).flatMap((item) => fact(itemLevel(rule.reads, item), plainPattern(item)));
  return fact(levelOf(rule.reads, value.trim().toLowerCase()));
}

/** Words of a list that is one text: `E501, W503`, `1591;1701`, `tests integration`. */
const WORDS = /^[\w./*~-]+(?:[\s,;]+[\w./*~-]+)*[\s,;]*$/u;

function items(value: string): readonly string[] {
  const between = WORDS.test(value) ? /[\s,;]+/u : /[{}()]/u.test(value) ? /\n/u : /[,;]/u;
  return value
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function itemLevel(reads: Reading, item: string): number {
  if (item.startsWith("...") || isGenerated(item)) return 0;
  const isTaken = item.startsWith("!") || item.startsWith("-");
  if (reads === "leftOut") return isTaken ? 0 : -1;
  return isTaken ? -1 : 1;
}

const CEILING = 1_000_000;
const ON = new Set(["true", "1", "yes", "on", "enable", "enabled", "warnings", "always"]);
const OFF = new Set(["false", "0", "no", "off", "disable", "disabled", "none", "${{ false }}"]);

function levelOf(reads: Exclude<Reading, "leftOut" | "judged">, value: string): number {
  switch (reads) {
    case "least":
    case "most": {
      const number = numberOf(value);
      if (Number.isNaN(number) || number < 0) return 0;
      return reads === "least" ? number : CEILING - number;
    }
    case "severity":
      return SEVERITIES.find(({ words }) => words.includes(value))?.level ?? 0;
    case "strict":
      if (ON.has(value)) return 1;
      return OFF.has(value) ? -1 : 0;
    case "lax":
      return ON.has(value) ? -1 : 0;
    case "off":
      return OFF.has(value) ? -1 : 0;
  }
}

/** `80%`, `"0.8"`, and the highest level by its name */
function numberOf(value: string): number {
  return value === "max" ? 10 : Number.parseFloat(value);
}

const SEVERITIES: readonly { readonly words: readonly string[]; readonly level: number }[] = [
  { words: ["error", "2", "deny", "forbid", "fatal", "strict", "true", "on", "enabled", "yes", "always"], level: 4 },
  { words: ["warn", "warning", "1", "standard", "all", "recommended", "enable"], level: 3 },
  { words: ["info", "information", "suggestion", "basic"], level: 2 },
  { words: ["hint"], level: 1 },
  {
    words: ["off", "0", "none", "allow", "silent", "false", "disabled", "disable", "suppress", "ignore", "no"],
    level: -1,
  },
];
