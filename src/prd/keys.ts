import { suggest } from "../config/suggest.ts";
import type { Finding, Steps } from "./issues.ts";
import { checkShape, prdShape, storyShape } from "./shape.ts";

const KNOWN = {
  prd: kebabs([...Object.keys(prdShape.shape), "userStories"]),
  story: kebabs(Object.keys(storyShape.shape)),
  check: kebabs(Object.keys(checkShape.shape)),
} as const;

const SPELLED = {
  prd: new Set(KNOWN.prd.values()),
  story: new Set(KNOWN.story.values()),
  check: new Set(KNOWN.check.values()),
} as const;

const LONGEST = 40;

/** Keys that were probably meant to be others: they are kept, and mean nothing. */
export function misspeltKeys(kind: keyof typeof KNOWN, value: unknown, at: Steps): readonly Finding[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.keys(value).flatMap((key): Finding[] => {
    const meant = key.length > LONGEST || SPELLED[kind].has(key) ? undefined : meantBy(kind, key);
    if (meant === undefined || Object.hasOwn(value, meant)) return [];
    return [
      {
        severity: "warning",
        at: [...at, key],
        reason: `"${key}" means nothing to the loop`,
        cure: `Did you mean "${meant}"? Other keys are kept, and nobody reads them.`,
      },
    ];
  });
}

function meantBy(kind: keyof typeof KNOWN, key: string): string | undefined {
  const found = suggest(kebab(key), KNOWN[kind].keys());
  return found === undefined ? undefined : KNOWN[kind].get(found);
}

function kebabs(keys: readonly string[]): ReadonlyMap<string, string> {
  return new Map(keys.map((key) => [kebab(key), key]));
}

/** `dependsOn` and `depends_on` differ in nothing but their spelling. */
function kebab(key: string): string {
  return key.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "-").toLowerCase();
}
