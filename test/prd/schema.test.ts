import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { isStoryId } from "../../src/core/story/story.ts";
import { readDocument } from "../../src/prd/document.ts";
import { aDocument, AT, aStory } from "./documents.ts";

const SCHEMA: object = JSON.parse(readFileSync(path.join(import.meta.dirname, "../../docs/prd.schema.json"), "utf8"));
const accepts = new Ajv({ unicodeRegExp: true }).compile(SCHEMA);

type Json = Readonly<Record<string, unknown>>;
const one = (overrides: Json): string => aDocument([aStory("US-001", overrides)]);
const check = (overrides: Json): string => one({ checks: [{ criterion: 1, run: "make", ...overrides }] });

const VALID: Readonly<Record<string, string>> = {
  "the least": aDocument([aStory("US-001", { checks: undefined })]),
  "no story": aDocument([]),
  "everything that can be said": aDocument(
    [
      aStory("US-001", { inProgress: false, dependsOn: [], paths: ["src/**", "!src/x"], provider: "codex" }),
      aStory("US-123456", { dependsOn: ["US-001"], attempts: 16, pauseAfter: true, priority: 9_000_000_000 }),
    ],
    { branchName: "prd/web", provider: "command" },
  ),
  "keys of others": aDocument([aStory("US-001", { "x-note": { a: [1] } })], { $schema: "x" }),
  "a check by text": check({ criterion: "Its test passes", timeout: 0.5 }),
  "a title in quotes": one({ title: `"a" $(b) 'c' ✓` }),
};

const INVALID: Readonly<Record<string, string>> = {
  "a list": "[]",
  "no project": aDocument([], { project: undefined }),
  "an empty project": aDocument([], { project: " " }),
  "no description": aDocument([], { description: undefined }),
  "no stories": aDocument(undefined, { userStories: undefined }),
  "stories as an object": aDocument({}),
  "a story as a text": aDocument(["x"]),
  "an agent of the PRD that is none": aDocument([], { provider: "x" }),
  "a branch as a number": aDocument([], { branchName: 1 }),
  ...Object.fromEntries(
    ["id", "title", "description", "acceptanceCriteria", "priority", "passes"].flatMap((key) => [
      [`no ${key}`, one({ [key]: undefined })],
      [`${key} as null`, one({ [key]: null })],
    ]),
  ),
  "an id of two digits": one({ id: "US-01" }),
  "an id with a line end": one({ id: "US-001\n" }),
  "a title of two lines": one({ title: "a\nb" }),
  "a title of 201 characters": one({ title: "x".repeat(201) }),
  "no criterion": one({ acceptanceCriteria: [] }),
  "an empty criterion": one({ acceptanceCriteria: [""], checks: [] }),
  "101 criteria": one({ acceptanceCriteria: Array.from({ length: 101 }, () => "a") }),
  "priority 0": one({ priority: 0 }),
  "half a priority": one({ priority: 0.5 }),
  "inProgress as a text": one({ inProgress: "yes" }),
  "checks as an object": one({ checks: {} }),
  "criterion 0": check({ criterion: 0 }),
  "criterion as null": check({ criterion: null }),
  "no command": check({ run: undefined }),
  "a blank command": check({ run: " \n" }),
  "timeout 0": check({ timeout: 0 }),
  "more than a week": check({ timeout: 10_081 }),
  "dependsOn as a text": one({ dependsOn: "US-002" }),
  "a path as a number": one({ paths: [1] }),
  "attempts as a text": one({ attempts: "2" }),
  "17 attempts": one({ attempts: 17 }),
  "pauseAfter as a number": one({ pauseAfter: 1 }),
};

test.each(Object.entries(VALID))("an editor and `validate` take both: %s [D-12]", (_, text) => {
  expect(accepts(JSON.parse(text))).toBe(true);
  expect(readDocument(text, AT).document).toBeDefined();
});

test.each(Object.entries(INVALID))("an editor and `validate` refuse both: %s [D-12]", (_, text) => {
  expect(accepts(JSON.parse(text))).toBe(false);
  expect(readDocument(text, AT).document).toBeUndefined();
});

test.each(["US-001", "US-123456", "US-1", "US-1234567", "us-001", "US-001 ", "US-٠٠١"])(
  "the engine takes the same ids: %j",
  (id) => {
    const document = aDocument([aStory("US-001", { id })]);
    expect(isStoryId(id)).toBe(readDocument(document, AT).document !== undefined);
  },
);
