import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readDocument } from "../../src/prd/document.ts";
import { documentShape, storyShape } from "../../src/prd/shape.ts";
import { VAGUE_WORDS, vagueWordsIn } from "../../src/prd/vague-words.ts";
import { AT } from "./documents.ts";

const GUIDE = readFileSync(path.join(import.meta.dirname, "../../docs/prd.md"), "utf8");

test("the guide lists exactly the words that `validate` warns of [D-48]", () => {
  const list = /<!-- words-start -->(?<list>[^]*)<!-- words-end -->/u.exec(GUIDE)?.groups?.["list"] ?? "";
  expect(Array.from(list.matchAll(/`(?<word>[^`]+)`/gu), ({ groups }) => groups?.["word"])).toEqual(VAGUE_WORDS);
});

test("the guide's example has nothing wrong [D-48]", () => {
  const example = /```json\n(?<json>[^]*?)```/u.exec(GUIDE)?.groups?.["json"] ?? "";
  expect(readDocument(example, AT)).toMatchObject({ document: { prd: { stories: { length: 2 } } }, issues: [] });
});

test("the guide names every key", () => {
  const keys = [...Object.keys(documentShape.shape), ...Object.keys(storyShape.shape)];
  expect(keys.filter((key) => !new RegExp(`\`${key}(?:\\[\\]\\.id)?\``, "u").test(GUIDE) && key !== "id")).toEqual([]);
});

test.each(VAGUE_WORDS)("%s is found as a word", (word) => {
  expect(vagueWordsIn(`It is ${word.toUpperCase()}, really.`)).toContain(word);
});

test.each([
  "npm run test:fast is green",
  "The page shows `fast`",
  'It says "works well"',
  "breakfast",
  "a fast-path exists",
])("%s is no word that nobody can check", (text) => {
  expect(vagueWordsIn(text)).toEqual([]);
});
