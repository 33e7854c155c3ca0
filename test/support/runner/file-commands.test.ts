import { expect, test } from "vitest";
import { parsePairs } from "./file-commands.ts";

test.each<[string, string, Record<string, string>]>([
  ["a pair", "a=b\n", { a: "b" }],
  ["a value with more signs", "a=b=c<<d", { a: "b=c<<d" }],
  ["several lines", "a<<EOF\none=1\ntwo\nEOF\nb=2", { a: "one=1\ntwo", b: "2" }],
  ["no lines", "a<<EOF\nEOF\n", { a: "" }],
  ["blank lines between", "\na=1\r\n\r\nb=2\n", { a: "1", b: "2" }],
  ["the last wins", "a=1\na=2", { a: "2" }],
])("file commands: %s", (_, text, pairs) => {
  expect(parsePairs(text)).toEqual(pairs);
});

test.each([
  ["no sign", "hello"],
  ["no name", "=b"],
  ["no delimiter", "a<<"],
  ["a delimiter that never comes", "a<<EOF\nb=c"],
])("file commands are refused: %s", (_, text) => {
  expect(() => parsePairs(text)).toThrow("Invalid");
});
