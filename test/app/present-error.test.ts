import { describe, expect, test } from "vitest";
import { presentError } from "../../src/app/present-error.ts";
import { OperationalError, UsageError } from "../../src/core/errors.ts";

const PROBLEM = { code: "CODE", what: "It did not work.", next: "Do this." };

describe("every error says what happened, what is unharmed and what to do next", () => {
  test("bad usage: all problems, exit code 64", () => {
    const shown = presentError(new UsageError([PROBLEM, { ...PROBLEM, what: "Nor did that." }]), "smithers");
    expect(shown.text).toBe(
      [
        "smithers: It did not work.\n  Next: Do this.",
        "smithers: Nor did that.\n  Next: Do this.",
        "Nothing was started or changed.",
      ].join("\n"),
    );
    expect(shown).toMatchObject({ exitCode: 64, problems: [{ code: "CODE" }, { code: "CODE" }] });
  });

  test("an expected error: its own words, exit code 1", () => {
    const shown = presentError(new OperationalError(PROBLEM), "waylon-smithers");
    expect(shown).toEqual({
      text: "waylon-smithers: It did not work.\n  Next: Do this.",
      problems: [PROBLEM],
      exitCode: 1,
    });
  });

  test.each([
    [new TypeError("x is undefined"), "present-error.test.ts"],
    ["just a text", "just a text"],
  ])("a bug says that it is one, and where: %s", (thrown, where) => {
    const shown = presentError(thrown, "smithers");
    expect(shown.exitCode).toBe(1);
    expect(shown.text).toContain("This is a bug in smithers");
    expect(shown.text).toContain("Next: Report it with the text above.");
    expect(shown.text).toContain(where);
  });

  test("nothing in a message controls the terminal", () => {
    const error = new OperationalError({ ...PROBLEM, what: "bad \u001B]0;title\u0007name" });
    expect(presentError(error, "smithers").text).toContain("smithers: bad name\n");
  });
});
