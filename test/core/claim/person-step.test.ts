import { expect, test } from "vitest";
import { readPersonStep } from "../../../src/core/claim/read-claim.ts";

test.each([
  ["NEEDS A PERSON: create the account", "create the account"],
  ["Text before.\n**NEEDS A PERSON:** den Schlüssel anlegen\nText after.", "den Schlüssel anlegen"],
  ["- NEEDS A PERSON: one\n- NEEDS A PERSON: two", "two"],
  [`NEEDS A PERSON: ${"x".repeat(900)}`, "x".repeat(300)],
])("%j names a step that only a person can take", (message, step) => {
  expect(readPersonStep(message)).toBe(step);
});

test.each([
  "This needs a person: somebody.",
  "When it NEEDS A PERSON: say so.",
  "NEEDS A PERSON:",
  "NEEDS A PERSON: none.",
  "NEEDS A PERSON: n/a",
  "NEEDS A PERSON: nobody",
  "NEEDS A PERSON: —",
  "NEEDS A PERSON: not needed",
  "NEEDS A PERSON: <what they have to do>",
  "> NEEDS A PERSON: quoted",
  "```\nNEEDS A PERSON: in a fence\n```",
  "~~~text\nNEEDS A PERSON: in an open fence",
  "`NEEDS A PERSON: code`",
])("%j names none: it is quoted, a form, or no line of its own", (message) => {
  expect(readPersonStep(message)).toBeNull();
});
