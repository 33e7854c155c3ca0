import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

/** Paths of ours in a text, as in `src/core/loop.ts` and `test/contract`. */
const PATHS = /(?<![\w./-])(?:src|test|scripts|docs|bench|examples)\/[\w./-]*[\w]/gu;

const PAGES = ["AGENTS.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/CONTEXT.md", "docs/files.md"];

test.each([...PAGES, "docs/requirements.md", "docs/threats.md"])("every path that %s names is there", (page) => {
  const named = read(page).match(PATHS) ?? [];
  expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

test("ARCHITECTURE fits on three screens and names every room", () => {
  const text = read("docs/ARCHITECTURE.md");
  expect(text.split("\n").length).toBeLessThanOrEqual(150);
  const rooms = readdirSync(path.join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
