import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/core/errors.ts";
import { marksOf, placeOf } from "../../src/store/place.ts";

describe("where a loop lives [W-18]", () => {
  test("by default in the workspace; with a state file, beside it", () => {
    expect(placeOf("/w", "L", null)).toMatchObject({
      stateFile: "/w/.codex/waylon-smithers/loops/L.json",
      folder: "/w/.codex/waylon-smithers/loops/L",
    });
    expect(placeOf("/w", "L", "../state/s.json")).toMatchObject({ stateFile: "/state/s.json", folder: "/state/L" });
  });

  test("a state file in the place of the folder is refused", () => {
    expect(() => placeOf("/w", "L", "state/L")).toThrow(UsageError);
  });

  test("two loops never share a mark [W-62]", () => {
    expect(marksOf(placeOf("/w", "A", null))).not.toEqual(marksOf(placeOf("/w", "B", null)));
    expect(marksOf(placeOf("/w", "A", null)).agent).toMatch(/^[0-9a-f]{16}\/agent$/u);
  });
});
