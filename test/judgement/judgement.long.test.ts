import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { SUITES } from "./habits.ts";
import { tryPart } from "./trial.ts";

tryPart(0);

test("every file of habits is a suite that is judged", () => {
  const files = readdirSync(path.join(import.meta.dirname, "habits"));
  expect(files.map((file) => path.basename(file, ".ts")).toSorted()).toEqual(Object.keys(SUITES).toSorted());
});
