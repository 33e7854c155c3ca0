import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Checks } from "../../src/core/task.ts";
import type { Evidence, StoryCommand } from "../../src/core/verdict.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { EVIDENCE, gateIn, never } from "./gate-in.ts";

const of = (story: string, run: string, timeoutMs: number | null = null): StoryCommand => ({ story, run, timeoutMs });
const A = of("US-001", "echo a");
const RED = of("US-002", "exit 3");
const Z = of("US-003", "echo z");

describe("the commands that stories name [D-22, D-43]", () => {
  test.each<[string, Partial<Checks>, Partial<Evidence>, readonly string[], string]>([
    [
      "run after the quality checks",
      { quality: ["true"] },
      { commands: [A, Z] },
      ["quality true", "US-001 echo a", "US-003 echo z"],
      "passed",
    ],
    [
      "all run, also after a red one",
      { quality: ["true"] },
      { commands: [RED, A] },
      ["quality true", "US-002 exit 3", "US-001 echo a"],
      "failed",
    ],
    [
      "cost nothing while a quality check is red",
      { quality: ["exit 1", "true"] },
      { commands: [A] },
      ["quality exit 1", "quality true"],
      "failed",
    ],
    [
      "run once for the first of equal ones",
      {},
      { commands: [Z, A, of("US-009", "echo z")] },
      ["US-003 echo z", "US-001 echo a"],
      "passed",
    ],
    [
      "that are quality checks as well do not run again",
      { quality: ["echo a"] },
      { commands: [A, Z] },
      ["quality echo a", "US-003 echo z"],
      "passed",
    ],
    [
      "run on a claim as well",
      { quality: ["true"] },
      { commands: [A], occasion: "claim" },
      ["quality true", "US-001 echo a"],
      "passed",
    ],
    [
      "run alone before a story begins, with no check spared",
      { quality: ["exit 1", "echo a"] },
      { commands: [A, RED, Z], occasion: "story" },
      ["US-001 echo a", "US-002 exit 3", "US-003 echo z"],
      "failed",
    ],
    ["without any all is as it was", { quality: ["true"] }, { commands: [] }, ["quality true"], "passed"],
  ])("%s", async (_, checks, evidence, ran, result) => {
    await using folder = await tempFolder();
    const verdict = await gateIn(folder.path, checks).judge({ ...EVIDENCE, ...evidence }, never);
    expect(verdict.checks.map(({ role, story, command }) => `${story ?? role} ${command}`)).toEqual(ran);
    expect(verdict.checks.every(({ role, story }) => (role === "story") === (story !== undefined))).toBe(true);
    expect(verdict.result).toBe(result);
  });

  test.each(["story", "turn"] as const)("%s: one that does not exist yet is red, not unrunnable", async (occasion) => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "notes.txt"), "x", { mode: 0o644 });
    const commands = [of("US-001", "no-such-program"), of("US-001", "./notes.txt"), A];
    expect(await gateIn(folder.path, {}).judge({ ...EVIDENCE, occasion, commands }, never)).toMatchObject({
      result: "failed",
      checks: [{ exitCode: 127 }, { exitCode: 126 }, { exitCode: 0 }],
    });
  });

  test("each has its own time-out; of equal ones the most patient counts", async () => {
    await using folder = await tempFolder();
    const commands = [
      of("US-001", "sleep 600", 200),
      of("US-002", "sleep 0.5", 100),
      of("US-003", "sleep 0.5"),
      of("US-004", "sleep 0.4", 100),
      of("US-005", "sleep 0.4", 20_000),
    ];
    const verdict = await gateIn(folder.path, {}).judge({ ...EVIDENCE, commands }, never);
    expect(verdict.checks.map(({ timedOut }) => timedOut)).toEqual([true, false, false]);
  });

  test("they run in the wrapper that quality checks run in [C26]", async () => {
    await using folder = await tempFolder();
    const wrap = (argv: readonly string[]) => ["env", "BOX=1", ...argv];
    const commands = [of("US-001", 'test "$BOX" = 1 && shopt -q login_shell')];
    expect(await gateIn(folder.path, {}, { wrap }).judge({ ...EVIDENCE, commands }, never)).toMatchObject({
      result: "passed",
    });
  });
});
