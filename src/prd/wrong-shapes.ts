import { z } from "zod";
import { type Finding, type Steps, shown } from "./issues.ts";
import { checkShape } from "./shape.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "a text in double quotes",
  number: "a number, without quotes",
  int: "a whole number, without quotes",
  boolean: "true or false, without quotes",
  array: "a list: [ … ]",
  object: "an object: { … }",
};

/** What a shape has against a value, in words for people. @param at where the value stands in the document */
export function wrongShapes(shape: z.ZodObject, value: unknown, at: Steps, found: z.ZodError): readonly Finding[] {
  return found.issues.map((issue) => findingOf(shape, value, at, issue));
}

function findingOf(shape: z.ZodObject, whole: unknown, at: Steps, issue: z.core.$ZodIssue): Finding {
  const steps = issue.path.filter((step) => typeof step !== "symbol");
  const value = valueAt(whole, steps);
  const place = { severity: "error", at: [...at, ...steps] } as const;
  const key = steps.findLast((step) => typeof step === "string");
  const called = key === undefined ? "it" : calledBy(key, steps.at(-1));
  const help = key === undefined ? undefined : helpOf(shape, steps, key);
  if (value === undefined && key !== undefined)
    return { ...place, reason: `${called} is missing`, cure: `Add it. ${help ?? ""}`.trimEnd() };
  const demand = demandOf(issue);
  return {
    ...place,
    reason: `${called} is ${shown(value)}, and has to be ${demand}`,
    cure: help ?? `Write ${demand} there.`,
  };
}

function calledBy(key: string, last: string | number | undefined): string {
  return typeof last === "number" ? `Entry ${last + 1} of "${key}"` : `"${key}"`;
}

function valueAt(whole: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    whole,
  );
}

/** What the shape says of the value with that name. */
function helpOf(shape: z.ZodObject, steps: Steps, key: string): string | undefined {
  const inside: z.ZodObject = steps[0] === "checks" && key !== "checks" ? checkShape : shape;
  const schema = Object.hasOwn(inside.shape, key) ? inside.shape[key] : undefined;
  return schema === undefined ? undefined : z.globalRegistry.get(schema)?.description;
}

function demandOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === "too_small") {
    if (issue.origin === "array") return "a list with at least one entry";
    return issue.inclusive === true ? `at least ${issue.minimum}` : `more than ${issue.minimum}`;
  }
  if (issue.code === "too_big") {
    return issue.origin === "array" ? `a list of at most ${issue.maximum} entries` : `at most ${issue.maximum}`;
  }
  if (issue.code === "invalid_value") {
    return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  return issue.code === "invalid_union" ? "a whole number from 1 on, or a text that says something" : issue.message;
}
