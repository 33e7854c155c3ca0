import { expect, test } from "vitest";
import { areasOf, areasOfFiles, canMeet } from "../../../src/core/story/meeting-paths.ts";

test.each([
  ["src/a.ts", "src/a.ts"],
  ["src/**", "src/a/b.ts"],
  ["src/**/a.ts", "src/x/**"],
  ["src", "src/a.ts"],
  ["src/", "src/a/b.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["SRC/A.ts", "src/a.TS"],
  ["src/*.ts", "src/a.ts"],
  ["src/a*", "src/*b"],
  ["src/a?.ts", "src/ab.ts"],
  ["src/{a,b/c}.ts", "src/b/c.ts"],
  ["src/[ab].ts", "src/a.ts"],
  [String.raw`src/\*.ts`, "src/a.ts"],
  ["src/@(a|b).ts", "src/a.ts"],
  ["a**b/c", "ax/b"],
  ["**", "anything/at/all"],
  ["", "a"],
  ["!src/**", "docs/a.md"],
])("%s and %s can meet, seen from either side", (one, other) => {
  expect(canMeet(areasOf([one]), areasOf([other]))).toBe(true);
  expect(canMeet(areasOf([other]), areasOf([one]))).toBe(true);
});

test.each([
  ["src/a.ts", "src/b.ts"],
  ["src/a/**", "src/b/**"],
  ["src/**", "docs/**"],
  ["src/*.ts", "src/a.md"],
  ["src/a*.ts", "src/b*.ts"],
  ["packages/*/src/**", "packages/a/test/**"],
  ["a", "ab"],
])("%s and %s cannot meet", (one, other) => {
  expect(canMeet(areasOf([one]), areasOf([other]))).toBe(false);
  expect(canMeet(areasOf([other]), areasOf([one]))).toBe(false);
});

test("no globs meet nothing, and one of several is enough", () => {
  expect(canMeet([], areasOf(["**"]))).toBe(false);
  expect(canMeet(areasOf(["docs/**", "src/**"]), areasOf(["test/**", "src/a.ts"]))).toBe(true);
});

test("what a glob takes away is not counted on", () => {
  expect(canMeet(areasOf(["src/**", "!src/a.ts"]), areasOf(["src/a.ts"]))).toBe(true);
});

test("in the name of a file nothing is special", () => {
  expect(canMeet(areasOfFiles(["app/[id].ts"]), areasOf(["app/[id].ts"]))).toBe(true);
  expect(canMeet(areasOfFiles(["app/[id].ts"]), areasOfFiles(["app/a.ts"]))).toBe(false);
});
