import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Argument, type CallExpression, type Expression, parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { LEADING_CODES } from "../../scripts/codes.ts";

const TESTS = path.join(import.meta.dirname, "..");
/** This file's samples are wrong on purpose. */
const OWN = path.relative(TESTS, import.meta.filename);

test("every title says the behaviour first, the codes come in brackets", () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
  const tests = files.filter((file) => file.endsWith(".ts") && file !== OWN);
  expect(tests.length).toBeGreaterThan(300);
  const found = tests.map((file) => [file, codesFirst(readFileSync(path.join(TESTS, file), "utf8"))] as const);
  expect(found.filter(([, titles]) => titles.length > 0)).toEqual([]);
});

describe("the test can fail", () => {
  test.each([
    ["a title", `test("W-37: a promise counts", run);`, "W-37: a promise counts"],
    ["several codes", `it("C21 POST 7a: a proof", run);`, "C21 POST 7a: a proof"],
    ["codes alone", `describe("C13, T6", run);`, "C13, T6"],
    ["a code without a colon", `test.skip("PRE 6 is asked first", run);`, "PRE 6 is asked first"],
    ["a section", `describe.concurrent("section 4.3: a veto", run);`, "section 4.3: a veto"],
    ["a template", "test.runIf(linux)(`C13: ${what}`, run);", "C13: ${…}"],
    ["a template of a contract", "test(`${name}: C13: no commit`, run);", "${…}: C13: no commit"],
    ["the title of a table", `test.each(rows)("C13: %s", run);`, "C13: %s"],
    ["a row that is a title", `const rows = [["W-37, W-38: a promise", 1]];`, "W-37, W-38: a promise"],
    ["a named row that is a title", `const row = { title: "PRE 6: green" };`, "PRE 6: green"],
    ["a code that heads a row's title", `it.for([["W-37", "x"]] as const)("%s: %s", run);`, "W-37: %s"],
    ["one of a table elsewhere in the file", `const T = [["T6", 1]]; it.each(T)("$0 %s", run);`, "T6 %s"],
    ["a named one", `test.each([{ row: "C13", a: 1 }])("$row: $a", run);`, "C13: $a"],
  ])("%s", (_what, source, title) => {
    expect(codesFirst(source)).toEqual([title]);
  });

  test.each([
    `test("a promise counts [W-37]", run);`,
    `test.each([["W-37", "a promise"]])("$1 counts [$0]", run);`,
    `test.each([["a promise counts [W-37]", 1]])("%s", run);`,
    `describe("UTF-16 and C-3PO", run);`,
    `expect(codes).toEqual(["W-37", "C1 and more"]);`,
  ])("and lets %s pass", (source) => {
    expect(codesFirst(source)).toEqual([]);
  });
});

/** The titles in a test's source, and the texts that become titles, which begin with a code. */
function codesFirst(source: string): readonly string[] {
  const { program } = parseSync("a.test.ts", source);
  const tables = new Map<string, Expression>();
  const titles: string[] = [];
  const texts: string[] = [];
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init !== null) tables.set(id.name, init);
    },
    CallExpression(call) {
      if (/^(?:describe|it|test)$/u.test(calledName(call) ?? "")) titles.push(...titlesOf(call, tables));
    },
    Literal: (node) => void texts.push(textOf(node) ?? ""),
    TemplateLiteral: (node) => void texts.push(textOf(node) ?? ""),
  }).visit(program);
  const headed = texts.filter((text) => LEADING_CODES.exec(text)?.groups?.["colon"] !== undefined);
  return [...new Set([...titles.filter((title) => LEADING_CODES.test(title.replace(/^\$\{…\}: /u, ""))), ...headed])];
}

/** `test` of `test.each(rows)(title)` and the like. */
function calledName(called: Expression): string | undefined {
  if (called.type === "Identifier") return called.name;
  if (called.type === "CallExpression") return calledName(called.callee);
  return called.type === "MemberExpression" ? calledName(called.object) : undefined;
}

/** The title of a call; of a table, as it begins with each of its rows. */
function titlesOf({ callee, arguments: [title] }: CallExpression, tables: ReadonlyMap<string, Expression>): string[] {
  const text = title === undefined ? undefined : textOf(title);
  if (text === undefined) return [];
  const hole = /^(?:%s|\$(?<name>\w+))/u.exec(text);
  const rows = callee.type === "CallExpression" ? callee.arguments[0] : undefined;
  if (hole === null || rows === undefined) return [text];
  const key = hole.groups?.["name"] ?? "0";
  const begun = rowsOf(rows, tables).map((row) => cellOf(row, key));
  return begun.flatMap((cell) => (cell === undefined ? [] : [`${cell}${text.slice(hole[0].length)}`]));
}

function rowsOf(node: Argument, tables: ReadonlyMap<string, Expression>): readonly Argument[] {
  if (node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression") return rowsOf(node.expression, tables);
  const table = node.type === "Identifier" ? tables.get(node.name) : undefined;
  if (table !== undefined) return rowsOf(table, new Map());
  return node.type === "ArrayExpression" ? node.elements.filter((row) => row !== null) : [];
}

function cellOf(row: Argument, key: string): string | undefined {
  if (row.type === "ArrayExpression") return textOf(row.elements[Number(key)] ?? undefined);
  if (row.type !== "ObjectExpression") return key === "0" ? textOf(row) : undefined;
  const cell = row.properties.find(
    (property) => property.type === "Property" && property.key.type === "Identifier" && property.key.name === key,
  );
  return cell?.type === "Property" ? textOf(cell.value) : undefined;
}

/** As it stands in the source, with the holes of a template. */
function textOf(node: Argument | undefined): string | undefined {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.raw).join("${…}");
}
