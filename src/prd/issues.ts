import { type JsonNode, opened } from "./json-text.ts";

/** One thing that is wrong with a PRD, or could be better, for people. */
export interface PrdIssue {
  /** with an error, the PRD is not run */
  readonly severity: "error" | "warning";
  readonly file: "prd.json" | "prd.md";
  /** from 1; null: the whole file */
  readonly line: number | null;
  /** `userStories[3].priority`; "" for the whole */
  readonly path: string;
  readonly reason: string;
  readonly cure: string;
  /** for machines, where there is more to do than to tell it */
  readonly code?: "PRD_DRIFT";
}

/** The steps from the top of a JSON document to a value. */
export type Steps = readonly (string | number)[];

/** What was found in `prd.json`, before anybody looked at which line that is. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly at: Steps;
  /** where `at` does not lead to it */
  readonly offset?: number;
  readonly reason: string;
  readonly cure: string;
}

const SHOWN = 100;

/** At most 100 issues, errors first and each kind from top to bottom, and how many more there are. */
export function issuesOf(text: string, root: JsonNode, findings: readonly Finding[]): readonly PrdIssue[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const placed = [...errors, ...warnings].slice(0, SHOWN).map((finding) => ({
    finding,
    offset: finding.offset ?? offsetOf(text, root, finding.at),
  }));
  const rank = { error: 0, warning: 1 };
  placed.sort((a, b) => rank[a.finding.severity] - rank[b.finding.severity] || a.offset - b.offset);
  const issues = placed.map(({ finding: { severity, at, reason, cure }, offset }): PrdIssue => {
    return { severity, file: "prd.json", line: lineAt(text, offset), path: pathText(at), reason, cure };
  });
  const more = findings.length - issues.length;
  if (more <= 0) return issues;
  const severity = errors.length > SHOWN ? "error" : "warning";
  const cure = "Correct these first, then validate again.";
  return [...issues, { severity, file: "prd.json", line: null, path: "", reason: `${more} more were found`, cure }];
}

/** Of the value, or of the nearest one around it that is there. */
function offsetOf(text: string, root: JsonNode, at: Steps): number {
  let node: JsonNode = root;
  let offset = root.start;
  for (const step of at) {
    const inside = node.members === undefined && node.items === undefined ? opened(text, node) : node;
    const member = typeof step === "string" ? inside.members?.get(step) : undefined;
    const next = typeof step === "string" ? member?.node : inside.items?.[step];
    if (next === undefined) break;
    offset = member?.start ?? next.start;
    node = next;
  }
  return offset;
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** `userStories[3].priority`; names that are no words are quoted. */
function pathText(at: Steps): string {
  return at
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_$][\w$]{0,60}$/u.test(step)) return `[${JSON.stringify(step.slice(0, 60))}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** What stands there, in words: `the text "high"`. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    const json = JSON.stringify(value.length > 60 ? `${value.slice(0, 59).replace(/[\uD800-\uDBFF]$/u, "")}…` : value);
    // What is cut off here may be all that is wrong with it.
    const length = value.length > 60 ? `, ${Array.from(value).length} characters` : "";
    return value === "" ? "an empty text" : `the text ${json}${length}`;
  }
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
