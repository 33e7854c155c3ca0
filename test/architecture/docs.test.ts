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
  expect(text.split("\n").length).toBeLessThanOrEqual(110);
  const rooms = readdirSync(path.join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

/** Every page of the project, but for what is cut out of others' (fixtures). */
const ALL_PAGES = ["", "docs", "docs/decisions", "examples", "test/support"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join(folder, name)),
);

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = read(page).match(/^#+ .+$/gmu) ?? [];
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /u, "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Links of a page that lead nowhere in the project. */
function deadLinks(page: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\((?!\w+:)(?<file>[^)#\s]*)(?:#(?<anchor>[^)\s]+))?\)/gu)];
  return links
    .filter(({ groups }) => {
      const { file = "", anchor } = { ...groups };
      const target = file === "" ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
    })
    .map(([link]) => link);
}

test.each(ALL_PAGES)("every link of %s leads to a page and a heading that are there", (page) => {
  expect(deadLinks(page, read(page))).toEqual([]);
});

test("a dead link is found", () => {
  const text = "[a](files.md#files-of-a-loop) [b](ARCHITECTURE.md#files-of-a-loop) [c](gone.md) [d](https://x.test/y)";
  expect(deadLinks("docs/waylon.md", text)).toEqual(["](ARCHITECTURE.md#files-of-a-loop)", "](gone.md)"]);
});

/** Sentences that speak of a rule which asks for a status of ours. */
function requiringOurs(text: string): readonly string[] {
  return (
    text.replaceAll(/\s+/gu, " ").match(/[^.]*\brequir(?:e|es|ed|ing)\b[^.]*`smithers\/(?:loop|ci)`[^.]*/giu) ?? []
  );
}

test("every page warns of rules that ask for a status of ours, and none advises them [C96]", () => {
  const said = ALL_PAGES.filter((page) => !page.includes("decisions")).flatMap((page) => requiringOurs(read(page)));
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((sentence) => !/^ ?Never require /u.test(sentence))).toEqual([]);
});
