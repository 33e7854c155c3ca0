import type { Finding, Steps } from "./issues.ts";
import { misspeltKeys } from "./keys.ts";
import { orderFindings, type Turn } from "./order.ts";
import { blankIn } from "./scaffold.ts";
import { vagueWordsIn } from "./vague-words.ts";

/** With more, a story is too large for one commit. */
const MOST_CRITERIA = 8;

/** The place of a criterion that a check names by its number from 1 or by its text; undefined: there is none. */
export function criterionOf(named: unknown, criteria: readonly string[]): number | undefined {
  const index = typeof named === "number" ? named - 1 : criteria.findIndex((criterion) => criterion === named);
  return index in criteria ? index : undefined;
}

/** A story as far as it can be read, so that all its faults are told at once. */
interface Draft {
  /** its place in the list */
  readonly index: number;
  readonly at: Steps;
  readonly raw: object;
  /** what to call it */
  readonly id: string;
  /** in place of what is no text, there is an empty one */
  readonly criteria: readonly string[];
  readonly checks: readonly unknown[];
  readonly passes: boolean;
}

/** What a document's parts say of each other, and whether they can be worked on. @param stories of any shape */
export function ruleFindings(document: object, stories: readonly unknown[]): readonly Finding[] {
  const drafts = stories.flatMap((raw, index) => draftOf(raw, index));
  const turns = drafts.flatMap((draft) => turnOf(draft));
  const none: Finding = {
    severity: "warning",
    at: ["userStories"],
    reason: "there is no story, so there is nothing to do",
    cure: "Add a story; the authoring guide has a whole example.",
  };
  return [
    ...(stories.length === 0 ? [none] : []),
    ...misspeltKeys("prd", document, []),
    ...leftIn(document, ["project", "description"], []),
    ...orderFindings(turns),
    ...drafts.flatMap((draft) => storyFindings(draft)),
  ];
}

function draftOf(raw: unknown, index: number): readonly Draft[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return [];
  const id = own(raw, "id");
  const criteria = listIn(raw, "acceptanceCriteria").map((one) => (typeof one === "string" ? one : ""));
  return [
    {
      ...{ index, at: ["userStories", index], raw, criteria, checks: listIn(raw, "checks") },
      id: typeof id === "string" ? id.slice(0, 20) : `the story at [${index}]`,
      passes: own(raw, "passes") === true,
    },
  ];
}

function turnOf({ raw, index, passes }: Draft): readonly Turn[] {
  const id = own(raw, "id");
  const priority = own(raw, "priority");
  const dependsOn = listIn(raw, "dependsOn").map((one) => (typeof one === "string" ? one : ""));
  if (typeof id !== "string") return [];
  return [{ index, id, priority: typeof priority === "number" ? priority : undefined, dependsOn, passes }];
}

function storyFindings(draft: Draft): readonly Finding[] {
  const { at, raw, checks } = draft;
  const found = [...misspeltKeys("story", raw, at), ...leftIn(raw, ["title", "description"], at)];
  for (const [index, check] of checks.entries()) {
    const place = [...at, "checks", index];
    found.push(...misspeltKeys("check", check, place), ...checkFindings(draft, check, place));
  }
  for (const [index, text] of draft.criteria.entries())
    if (blankIn(text) !== undefined) found.push(...blankAt(text, [...at, "acceptanceCriteria", index]));
  if (!draft.passes) found.push(...advice(draft));
  return found;
}

function checkFindings({ id, criteria }: Draft, check: unknown, place: Steps): readonly Finding[] {
  if (typeof check !== "object" || check === null) return [];
  const named = own(check, "criterion");
  const isNamed = typeof named === "string" || (Number.isInteger(named) && Number(named) > 0);
  if (!isNamed || criteria.length === 0 || criterionOf(named, criteria) !== undefined)
    return leftIn(check, ["run"], place);
  const many = `${criteria.length} ${criteria.length === 1 ? "criterion" : "criteria"}`;
  return [
    ...leftIn(check, ["run"], place),
    {
      severity: "error",
      at: [...place, "criterion"],
      reason:
        typeof named === "number"
          ? `${id} has ${many}, and no number ${named}`
          : `${id} has no criterion with exactly this text`,
      cure: `Write its number, from 1 to ${criteria.length}, or its exact text.`,
    },
  ];
}

/** What makes a story harder than it has to be. */
function advice({ at, id, criteria, checks }: Draft): readonly Finding[] {
  const found: Finding[] = [];
  if (checks.length === 0) {
    const reason = `${id} names no command of its own, so the quality commands and the agent's word are all that prove it`;
    const cure = 'Name a command for a criterion: "checks": [{ "criterion": 1, "run": "npm test -- login" }]';
    found.push({ severity: "warning", at, reason, cure });
  }
  if (criteria.length > MOST_CRITERIA) {
    const reason = `${id} has ${criteria.length} criteria; with more than ${MOST_CRITERIA}, a story is rarely done in one go`;
    const cure = "Part it into several stories.";
    found.push({ severity: "warning", at: [...at, "acceptanceCriteria"], reason, cure });
  }
  const proved = new Set(checks.map((check) => criterionOf(own(check, "criterion"), criteria)));
  for (const [index, criterion] of criteria.entries()) {
    const words = proved.has(index) ? [] : vagueWordsIn(criterion);
    if (words.length === 0) continue;
    const reason = `nobody can check ${words.map((word) => `"${word}"`).join(", ")}: people differ in what it means`;
    const cure = "Say what can be seen or measured instead, or name a command that proves it.";
    found.push({ severity: "warning", at: [...at, "acceptanceCriteria", index], reason, cure });
  }
  return found;
}

function leftIn(value: object, keys: readonly string[], at: Steps): readonly Finding[] {
  return keys.flatMap((key) => {
    const text = own(value, key);
    return typeof text === "string" ? blankAt(text, [...at, key]) : [];
  });
}

function blankAt(text: string, at: Steps): readonly Finding[] {
  const blank = blankIn(text);
  if (blank === undefined) return [];
  const reason = `this is the text of a new document: ${blank}`;
  return [{ severity: "error", at, reason, cure: "Put your own words in its place." }];
}

function listIn(value: object, key: string): readonly unknown[] {
  const list = own(value, key);
  return Array.isArray(list) ? list : [];
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
