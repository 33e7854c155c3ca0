import type { FailingSet } from "../progress/failing-set.ts";
import type { Brief } from "./brief.ts";

/** So many tests are named in each list. */
const NAMES = 10;

/** Which tests fail, told apart from those that failed before the loop began; "" when nobody knows. */
export function failingTests({ failing, baseline }: Brief["state"]): string {
  if (failing === null || failing.failing_count === 0) return "";
  const known = new Set(baseline?.failing);
  const before = failing.failing.filter((name) => known.has(name));
  const since = failing.failing.filter((name) => !known.has(name));
  return [
    `${failing.failing_count === 1 ? "1 test fails" : `${failing.failing_count} tests fail`}${compared(baseline)}.`,
    list(baseline === null ? "They are" : "Failing since the loop began, and not before it", since),
    list("Failing already before the loop began", before),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function compared(baseline: FailingSet | null): string {
  return baseline === null ? "" : `; before the loop began it was ${baseline.failing_count}`;
}

function list(title: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > NAMES ? [`- … and ${names.length - NAMES} more`] : [];
  return [`${title}:`, ...names.slice(0, NAMES).map((name) => `- ${name}`), ...more].join("\n");
}
