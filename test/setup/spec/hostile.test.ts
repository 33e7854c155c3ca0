import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseChecklist } from "../../../src/core/checklist.ts";
import { UsageError } from "../../../src/core/errors.ts";
import { digest } from "../../support/builders.ts";
import { imported } from "./imported.ts";

/** A list within a list, and so on. */
function steps(count: number): string {
  return Array.from({ length: count }, (_, depth) => `${"  ".repeat(depth)}- a\n`).join("");
}

describe("a spec that cannot become a plan is refused with what helps [R-10]", () => {
  test.each<[string, string, string]>([
    ["nothing", "\uFEFF \r\n\t\n", "SPEC_EMPTY"],
    ["no text", "# a\n\0\n- b", "SPEC_NOT_TEXT"],
    ["a huge one", `- ${"a".repeat(300_000)}`, "SPEC_TOO_LARGE"],
    ["too many lines", "- a\n".repeat(5_001), "SPEC_TOO_LARGE"],
    ["quotes within quotes", `## Tasks\n${"> ".repeat(40)}a`, "SPEC_TOO_DEEP"],
    ["bullets within bullets", `${"- ".repeat(40)}a`, "SPEC_TOO_DEEP"],
    ["lists within lists", `## Tasks\n${steps(60)}`, "SPEC_TOO_DEEP"],
    ["only prose", "# A\n\n## B\n\nc\n\n- d", "SPEC_WITHOUT_ITEMS"],
    ["work without a list", "## Requirements\n\nIt is fast.", "SPEC_WITHOUT_ITEMS"],
    ["a list without words", "## Tasks\n-\n-", "SPEC_WITHOUT_ITEMS"],
    [
      "a fence that hides items",
      "## Tasks\n- a\n  ```\n- b\n- c\n  ```\n\n  d\n\n## Features\n- ```\n  e\n  ```",
      "SPEC_HIDES_ITEMS",
    ],
  ])("%s", (_title, text, code) => {
    const problems = (): unknown => {
      try {
        imported(text);
      } catch (error) {
        if (error instanceof UsageError) return error.problems.map((problem) => problem.code);
        throw error;
      }
      return [];
    };
    expect(problems()).toEqual([code]);
  });

  test.each<[string, string]>([
    ["headings and lists", "## Tasks\n\n- a\n- b\n\n".repeat(300)],
    ["deep lists", `## Tasks\n${steps(48).repeat(4)}`],
    ["marks of emphasis and brackets", `- ${"*_[".repeat(10_000)}`],
    ["colons and spaces", `## ${":".repeat(50_000)}a\n\n## Tasks\n- ${"( ".repeat(25_000)}`],
    ["HTML without an end", `- a\n\n${"<!-- <div> ".repeat(5_000)}`],
    ["definitions", `- a\n\n${"[b]: c\n".repeat(1_000)}`],
  ])("no text takes it long: %s", (_title, text) => {
    expect(imported(text).tally.items).toBeGreaterThan(0);
  });
});

const word = fc.constant("word");
const title = fc.oneof(
  fc.constantFrom("Requirements", "Features", "Build", "Notes", "Non-goals", "High priority", "P2", "Overview"),
  word.map((text) => `Part ${text}`),
);
const below = fc.array(fc.tuple(fc.constantFrom("  ", "   ", "\t", "      - "), word).map((line) => line.join("")));
const item = fc
  .tuple(fc.constantFrom("- ", "* ", "1. ", "-\t"), fc.constantFrom("", "", "[ ] ", "[x] "), word, below)
  .map(([bullet, box, text, more]) => [`${bullet}${box}${text}`, ...more].join("\n"));
const block = fc.oneof(
  fc.tuple(fc.integer({ min: 2, max: 4 }), title).map(([depth, text]) => `${"#".repeat(depth)} ${text}`),
  fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join("\n")),
  fc.constantFrom("word is so:", "**word**", "> word", "```sh\nword\n```", "<details>word</details>"),
);
/** Each word occurs once, so that it can be seen where it went. */
const specs = fc
  .tuple(fc.constantFrom("", "# Title\n\n"), fc.array(block, { maxLength: 12 }))
  .map(([start, blocks]) => `${start}${blocks.join("\n\n")}\n\n## Tasks\n\n- [ ] last\n`)
  .map((spec) => {
    let count = 100;
    return spec.replaceAll("word", () => `w${(count += 1)}.`);
  });

test("nothing gets lost or doubled, and the loop reads the plan [R-10]", () => {
  fc.assert(
    fc.property(specs, fc.constantFrom("\n", "\r\n"), (spec, lineEnd) => {
      const { prompt, plan, agent } = imported(spec.replaceAll("\n", lineEnd));
      expect(parseChecklist(plan, null, digest).map(({ text }) => text)).toContain("last");
      const titles = new Set(spec.match(/(?<=^#.*)w\d+\./gmu));
      for (const text of spec.match(/w\d+\./gu) ?? []) {
        const times = `${prompt}${plan}${agent}`.split(text).length - 1;
        expect(titles.has(text) ? times >= 1 : times === 1, `${text} is there ${times} times`).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
