import { expect, test } from "vitest";
import { readAnswer } from "../../../src/core/review/answer.ts";
import { clearAnswer, vetoAnswer } from "../../support/fake-reviewer.ts";

const said = (value: unknown, before = "", after = ""): string =>
  `${before}<review>${typeof value === "string" ? value : JSON.stringify(value)}</review>${after}`;
const objection = { about: "missing", where: "a.ts:1", why: "It is not there." };
const veto = (...objections: readonly unknown[]) => ({ verdict: "veto", objections });

test("an answer in its form is read, whatever stands before it [C50]", () => {
  expect(readAnswer(clearAnswer())).toEqual({ answer: "clear" });
  expect(readAnswer(said({ verdict: "clear" }, "Fine.\n", "\n\n"))).toEqual({ answer: "clear" });
  expect(readAnswer(vetoAnswer("Why.", null))).toEqual({
    answer: "veto",
    objections: [{ about: "by_heart", where: null, why: "Why." }],
  });
  const quoting = said(veto(objection), "An example: <review>{}</review> and then:\n");
  expect(readAnswer(quoting)).toEqual({ answer: "veto", objections: [objection] });
  expect(readAnswer(said(veto({ about: "narrowed", why: "Less." })))).toMatchObject({
    objections: [{ about: "narrowed", where: null, why: "Less." }],
  });
});

test.each<[string, string]>([
  ["nothing", ""],
  ["words", "VETO! It is wrong."],
  ["an answer in the middle", said({ verdict: "clear" }, "", "\nAnd something else.")],
  ["no beginning", '{"verdict":"veto"}</review>'],
  ["no JSON", said("veto")],
  ["another verdict", said({ verdict: "accept" })],
  ["another kind of objection", said(veto({ ...objection, about: "taste" }))],
  ["objections that are no list", said({ verdict: "veto", objections: "all" })],
  ["a veto without a reason", said({ verdict: "veto" })],
  ["a veto with empty reasons", said(veto({ ...objection, why: " \u200B" }))],
  ["a flood", said(`"${"x".repeat(70_000)}"`)],
])("%s is no veto, and says why [C50]", (_what, message) => {
  expect(readAnswer(message)).toEqual({ answer: "unreadable", why: expect.stringMatching(/^(?:it|what it) /u) });
});

test("a veto is bounded in every direction [C50]", () => {
  const long = { about: "missing", where: "p".repeat(900), why: `a\n${"w".repeat(900)}` };
  const read = readAnswer(said(veto(...Array.from({ length: 20 }, () => long))));
  const objections = read.answer === "veto" ? read.objections : [];
  expect(objections).toHaveLength(10);
  expect(objections[0]?.why).toMatch(/^a w+…$/u);
  expect([objections[0]?.why.length, objections[0]?.where?.length]).toEqual([600, 200]);
});
