/** What can be told of a right without using it. */
export type Right =
  /** `readable`: it may be looked at; whether it may be changed shows only when it is */
  | { readonly right: "there" | "readable" }
  /** `next`: a sentence where the line in the workflow is not the cure; else "" */
  | { readonly right: "missing"; readonly why: string; readonly next: string }
  /** is never held against anybody; `because`: GitHub has not answered, or does not tell this token */
  | { readonly right: "unknown"; readonly because: "unreachable" | "untold"; readonly why: string };

/** One thing that somebody needs, and how it is with it. */
export interface Finding {
  /** as in `push to smithers/a` */
  readonly subject: string;
  readonly right: Right;
  /** the line of `permissions:` that gives it, as in `contents: write`; null: none does */
  readonly permission: string | null;
  /** whether all is in vain without it */
  readonly blocks: boolean;
}

/** Words of a row for its state; as wide as each other. */
const STATES = { there: "ok     ", readable: "ok     ", missing: "GAP    ", unknown: "unknown" } as const;

/** What is missing. */
export function gapsIn(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ right }) => right.right === "missing");
}

/** Everything that was looked at, one line each; a gap with what closes it. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  return findings.map(lineOf);
}

/** The lines of a workflow that give a job all that was looked at, and not only what is missing: a job has no more. */
export function permissionLines(findings: readonly Finding[], besides: readonly string[]): readonly string[] {
  const named = findings.flatMap(({ permission }) => (permission === null ? [] : [permission]));
  const lines = [...new Set([...besides, ...named])].filter((line) => !isWithin(line, named));
  return ["permissions:", ...lines.toSorted().map((line) => `  ${line}`)];
}

/** Whether another line gives more of the same. */
function isWithin(line: string, named: readonly string[]): boolean {
  return line.endsWith(": read") && named.includes(line.replace(/: read$/u, ": write"));
}

function lineOf({ subject, right, permission }: Finding): string {
  const line = `${STATES[right.right]}  ${subject}`;
  switch (right.right) {
    case "there":
      return line;
    case "readable":
      return `${line} (as far as it shows without writing)`;
    case "unknown":
      return `${line}: ${right.why}`;
    case "missing":
      return `${line}: ${right.why}${cureOf(right.next, permission)}`;
  }
}

function cureOf(next: string, permission: string | null): string {
  if (next !== "") return `. ${next}`;
  return permission === null ? "" : ` → permissions: ${permission}`;
}
