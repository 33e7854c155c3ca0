import { expect, test } from "vitest";
import { loopLines, type LoopRow, newestFirst } from "../../src/views/at-a-glance.ts";
import { aState } from "./a-state.ts";
import { known } from "./some-stories.ts";

const NOW = Date.parse("2026-01-07T00:00:00.000Z");

function row(id: string, hour: number, more: Partial<LoopRow> & { prompt?: string } = {}): LoopRow {
  const { prompt = "Fix the tests\nand more", ...shown } = more;
  const updated = `2026-01-06T${String(hour).padStart(2, "0")}:00:00.000+00:00`;
  const state = aState({ loop_id: id, prompt, iteration: 2, max_iterations: 30, updated_at: updated });
  return { state, status: "running", where: "", ...shown };
}

test("loops are told in columns, those that were at work last first [C69]", () => {
  const rows = [row("old", 1, { status: "canceled" }), row("newer", 23, { where: "pkg/a", status: "blocked" })];
  expect(loopLines(newestFirst(rows), NOW)).toEqual([
    { tone: "plain", text: "newer (in pkg/a)  blocked   2 of 30  1 h ago   Fix the tests" },
    { tone: "dim", text: "old               canceled  2 of 30  23 h ago  Fix the tests" },
  ]);
});

test("a task is cut, and cannot write to the terminal [C69]", () => {
  const [told] = loopLines([row("a", 23, { prompt: `\u001B[2J${"long ".repeat(40)}` })], NOW);
  expect(told?.text).toMatch(/1 h ago {2}(?:long ){12}…$/u);
});

test("neither an id nor a folder can write to the terminal, and columns keep their width [C69, T14]", () => {
  const rows = [row("a\u001B[2J\u202Eb\nc", 23, { where: "pkg\u001B]0;x\u0007/a" }), row("d", 23)];
  expect(loopLines(rows, NOW).map(({ text }) => text)).toEqual([
    "ab c (in pkg/a)  running  2 of 30  1 h ago  Fix the tests",
    "d                running  2 of 30  1 h ago  Fix the tests",
  ]);
});

test("a loop of a PRD is told by its name, and no loops are no lines [C69]", () => {
  const { state, ...rest } = row("a", 23);
  const stories = known([], { prd: "shop" });
  expect(loopLines([{ ...rest, state: { ...state, stories } }], NOW)[0]?.text).toContain("PRD shop");
  expect(loopLines([], NOW)).toEqual([]);
});
