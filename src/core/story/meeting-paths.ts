/** Paths as they are compared: by their segments. */
export interface Area {
  readonly segments: readonly Segment[];
}

/** `any`: all that follows, whatever it is; else what a name begins and ends with, `whole` where it is all of it. */
type Segment = "any" | { readonly begins: string; readonly ends: string; readonly whole: boolean };

/** Where a segment stops being plain. */
const SPECIAL = /[*?]/u;
const AFTER_SPECIAL = /[*?](?!.*[*?])/u;

/**
 * What globs can match, or more. One that takes something away is left out: what the others match holds what is left. No
 * glob matches nothing, and those that only take away match everything else.
 */
export function areasOf(globs: readonly string[]): readonly Area[] {
  const matching = globs.filter((glob) => !glob.startsWith("!"));
  if (matching.length === 0 && globs.length > 0) return [{ segments: ["any"] }];
  return matching.map((glob) => ({ segments: segmentsOf(glob) }));
}

/** Files as they are called, whose names may have brackets and the like. */
export function areasOfFiles(files: readonly string[]): readonly Area[] {
  return files.map((file) => ({ segments: named(file).map((name) => ({ begins: name, ends: name, whole: true })) }));
}

/**
 * Whether a path may lie in both. Never no where the answer is yes: what is not plain counts as meeting, case does not
 * count, and a name is a folder too.
 */
export function canMeet(one: readonly Area[], other: readonly Area[]): boolean {
  return one.some((a) => other.some((b) => meets(a.segments, b.segments)));
}

function segmentsOf(glob: string): readonly Segment[] {
  const segments: Segment[] = [];
  for (const name of named(glob)) {
    // What a brace or a bracket begins may hold slashes, so where it ends is not known.
    if (/\*\*|[{([\\]/u.test(name)) return [...segments, "any"];
    segments.push(segmentOf(name));
  }
  return segments;
}

function named(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split("/")
    .filter((name) => name !== "" && name !== ".");
}

function segmentOf(name: string): Segment {
  const first = name.search(SPECIAL);
  if (first === -1) return { begins: name, ends: name, whole: true };
  return { begins: name.slice(0, first), ends: name.slice(name.search(AFTER_SPECIAL) + 1), whole: false };
}

/** Where one of them ends, it is a folder of what the other one names. */
function meets(one: readonly Segment[], other: readonly Segment[]): boolean {
  for (const [at, a] of one.entries()) {
    const b = other[at];
    if (b === undefined || a === "any" || b === "any") return true;
    if (!alike(a, b)) return false;
  }
  return true;
}

function alike(a: Exclude<Segment, "any">, b: Exclude<Segment, "any">): boolean {
  if (a.whole && b.whole) return a.begins === b.begins;
  const begin = a.begins.startsWith(b.begins) || b.begins.startsWith(a.begins);
  return begin && (a.ends.endsWith(b.ends) || b.ends.endsWith(a.ends));
}
