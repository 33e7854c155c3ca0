import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { newLoopId } from "../../src/app/loop-id.ts";
import { marksOf, placeOf } from "../../src/store/place.ts";
import { loopId } from "../../src/config/settings/checks.ts";
import { UsageError } from "../../src/core/errors.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NOW = new Date(2026, 0, 6, 21, 10, 0);

describe("W-17: the id of a new loop", () => {
  test.each([
    ["repo", "repo-2026-01-06T21-10-00"],
    ["my repo (copy)", "my-repo-copy--2026-01-06T21-10-00"],
    ["..hidden..dir", "hidden.dir-2026-01-06T21-10-00"],
    ["日本", "loop-2026-01-06T21-10-00"],
    ["x".repeat(200), `${"x".repeat(60)}-2026-01-06T21-10-00`],
  ])("of %s is %s", async (name, id) => {
    await using folder = await tempFolder();
    expect(await newLoopId(path.join(folder.path, name), NOW)).toBe(id);
    expect(loopId(id)).toBeUndefined();
  });

  test("is never one that exists", async () => {
    await using folder = await tempFolder();
    const root = path.join(folder.path, "repo");
    const loops = path.join(root, ".codex/waylon-smithers/loops");
    await mkdir(path.join(loops, "repo-2026-01-06T21-10-00-2"), { recursive: true });
    await writeFile(path.join(loops, "repo-2026-01-06T21-10-00.json"), "{}");
    expect(await newLoopId(root, NOW)).toBe("repo-2026-01-06T21-10-00-3");
  });
});

describe("W-18: where a loop lives", () => {
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

  test("W-62: two loops never share a mark", () => {
    expect(marksOf(placeOf("/w", "A", null))).not.toEqual(marksOf(placeOf("/w", "B", null)));
    expect(marksOf(placeOf("/w", "A", null)).agent).toMatch(/^[0-9a-f]{16}\/agent$/u);
  });
});
