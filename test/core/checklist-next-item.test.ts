import { expect, test } from "vitest";
import { nextItem, parseChecklist } from "../../src/core/checklist.ts";
import { digest } from "../support/builders.ts";

const next = (text: string) => nextItem(parseChecklist(text, null, digest), "@fix_plan.md");

test("the first open item from top to bottom, with what is left as titles [R-12, R-26, W-52]", () => {
  expect(next("- [x] one\n- [ ] two\n  because\n- [x] three\n- [ ] four")).toMatchObject({
    title: "two",
    text: "  because\nThis is the first open item of @fix_plan.md. Do it and no other; tick it off there (`[x]`) when it is done and checked.\nAfter it:\n- four",
  });
});

test("the last open item is said to be the last [R-12]", () => {
  expect(next("- [ ] one")?.text).toMatch(/^This is the first open item.*\nIt is the last one\.$/u);
});

test("when all is ticked nothing is left [R-27]", () => {
  expect(next("- [x] one")).toBeUndefined();
});

test("a plan without an item is to be written [R-27]", () => {
  expect(next("# Plan")).toMatchObject({ id: "plan", title: "Write the plan" });
});

test("of many open items twenty are named, and a long one is told whole once [R-12]", () => {
  const long = "🦉".repeat(90);
  const { title, text } = next(`- [ ] ${long}\n${"- [ ] more\n".repeat(25)}- [ ] ${long}`) ?? { title: "", text: "" };
  expect(title).toBe(`${"🦉".repeat(79)}…`);
  expect(text).toContain(`${long}\nThis is`);
  expect(text.match(/^- more$/gmu)).toHaveLength(20);
  expect(text).toContain("- … and 6 more");
});
