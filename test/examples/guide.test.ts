import { access, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { SETTINGS } from "../../src/config/settings.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const GUIDE = await readFile(path.join(ROOT, "docs/github.md"), "utf8");

/** What a workflow says besides our settings. */
const OF_WORKFLOWS = [
  "on",
  "permissions",
  "queue",
  "workflow_dispatch",
  "actions",
  "checks",
  "contents",
  "issues",
  "pull-requests",
  "statuses",
];

test("docs/github.md links to files that are there", async () => {
  const links = [...GUIDE.matchAll(/\]\((?<to>[^)#]+)\)/gu)].map(({ groups }) => groups?.["to"] ?? "");
  expect(links.length).toBeGreaterThan(9);
  for (const link of links) await access(path.join(ROOT, "docs", link));
});

test("docs/github.md names settings that there are", () => {
  const known = new Set<string>([...SETTINGS.map(({ name }) => name), ...OF_WORKFLOWS]);
  const named = [...GUIDE.matchAll(/`(?<name>[a-z_-]+): [^`]*`/gu)].map(({ groups }) => groups?.["name"] ?? "");
  expect(named).toContain("self-continue");
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("what docs/github.md helps with is really said", async () => {
  const source = await sourceText();
  const [, table = ""] = GUIDE.split("## When something is missing");
  const rows = [...table.matchAll(/^\| (?<cell>`[^|]+?) +\|/gmu)].map(({ groups }) => groups?.["cell"] ?? "");
  const said = rows.flatMap((cell) => [...cell.matchAll(/`` (?<a>.+?) ``|`(?<b>[^`]+)`/gu)]);
  const texts = said.map(({ groups }) => (groups?.["a"] ?? groups?.["b"] ?? "").replaceAll(/^… | …$/gu, ""));
  // What differs from case to case.
  const constant = texts.map((text) => text.replace(/ statuses: write$| worker\.yml.*$/u, ""));
  expect(constant.length).toBeGreaterThan(12);
  expect(constant.filter((text) => !source.includes(text))).toEqual([]);
});

async function sourceText(): Promise<string> {
  const names = await readdir(path.join(ROOT, "src"), { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => path.join(ROOT, "src", name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  // A text of two lines is one text.
  return texts.join("\n").replaceAll(/" \+\s+"/gu, "");
}
