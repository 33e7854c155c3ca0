import { array, assert, constantFrom, oneof, pre, property, string } from "fast-check";
import { expect, test } from "vitest";
import { markup, prose } from "../../src/report/html.ts";
import { plainText } from "../../src/views/plain-text.ts";
import { parsed } from "./a-report.ts";

/** Words out of which markup is made, among any others. */
const HOSTILE = oneof(
  string({ unit: "binary" }),
  constantFrom("<script>", "</p>", "<!--", "-->", "]]>", "&lt;", "&#39;", '"', "'", "`", "=", "/>", "\u0000", "\u202E"),
);

test("whatever a text says, it is that text on the page, in an element and in an attribute [C134, T3]", () => {
  const texts = array(HOSTILE, { maxLength: 12 }).map((parts) => parts.join(""));
  assert(
    property(texts, (text) => {
      const document = parsed(markup`<!doctype html><html><body><p title="${text}">${text}</p></body></html>`.text);
      const elements = document.querySelectorAll("body *");
      const [only] = Array.from(elements);
      expect(elements).toHaveLength(1);
      expect([only?.textContent, only?.getAttribute("title")]).toEqual([plainText(text), plainText(text)]);
    }),
  );
});

test("numbers and lists fill a hole, and what is nothing leaves it empty", () => {
  expect(markup`${1}${["<", null, [false, undefined, markup`<b>`]]}`.text).toBe("1&lt;<b>");
});

test("what stands between backticks in a sentence is code, and markup in it is text [C130, T3]", () => {
  expect(prose("Verified: `npm test` passed, `x").text).toBe("Verified: <code>npm test</code> passed, `x");
  expect(prose("`<b>`<i>`").text).toBe("<code>&lt;b&gt;</code>&lt;i&gt;`");
});

test.each<[string, string, readonly string[], string]>([
  ["with backticks", "Verified: `echo `date`` passed.", ["echo `date`"], "Verified: <code>echo `date`</code> passed."],
  ["that are many", "`a``b`` `", ["a``b`` "], "<code>a``b`` </code>"],
  ["behind a text with one", "It says: ` so `x `y`` passed", ["x `y`"], "It says: ` so <code>x `y`</code> passed"],
  ["that stands in another", "`a`, `b `a``", ["a", "b `a`"], "<code>a</code>, <code>b `a`</code>"],
  [
    "without any around it",
    "Command: echo `date`, `x`",
    ["echo `date`"],
    "Command: <code>echo `date`</code>, <code>x</code>",
  ],
  ["with markup", "`echo `<b>`` passed", ["echo `<b>`"], "<code>echo `&lt;b&gt;`</code> passed"],
  ["that is nothing", "a `` b", [""], "a `` b"],
])("a command %s arrives whole [C175, T3]", (_, text, commands, shown) => {
  expect(prose(text, commands).text).toBe(shown);
});

test("whatever a command is, and whatever stands before it, it is code as it is [C175, T3]", () => {
  const texts = array(HOSTILE, { minLength: 1, maxLength: 12 }).map((parts) => plainText(parts.join("")));
  assert(
    property(texts, texts, (before, command) => {
      pre(command.trim() !== "" && !before.includes(command));
      const document = parsed(
        markup`<!doctype html><html><body>${prose(`${before}: \`${command}\` passed`, [command])}</body></html>`.text,
      );
      const codes = Array.from(document.querySelectorAll("code"), (one) => one.textContent);
      expect(codes).toContain(command);
    }),
  );
});
