import { describe, expect, test } from "vitest";
import { hidesProtected, isProtected, refusalWords } from "../../src/core/boundary.ts";
import { ALWAYS_PROTECTED } from "../../src/core/names.ts";

test.each([
  ".github/workflows/ci.yml",
  ".github/workflows/deep/er.yml",
  ".github/workflows",
  ".GitHub/Workflows/CI.yml",
  ".github/actions/setup/action.yml",
  "CODEOWNERS",
  "docs/codeowners",
  ".smithers.toml",
  "packages/a/.smithers.toml",
  ".codex-solo.json",
  "AGENTS.md",
  "packages/a/AGENTS.override.md",
  "CLAUDE.local.md",
  ".codex/config.toml",
  "packages/a/.claude/settings.json",
  ".claude",
  ".mcp.json",
  "A\u200CGENTS.md",
  "AGENT\u017F.md",
])("%s is protected [T8, T17]", (path) => {
  expect(isProtected(ALWAYS_PROTECTED, path)).toBe(true);
});

test.each([
  "src/index.ts",
  "package-lock.json",
  "Makefile",
  ".github/dependabot.yml",
  "docs/AGENTS.txt",
  "src/CODEOWNERS",
  "@AGENT.md",
  "x.github/workflows/ci.yml",
  "a/.github/workflows/ci.yml",
])("%s is not: the agent may have to change it [T17]", (path) => {
  expect(isProtected(ALWAYS_PROTECTED, path)).toBe(false);
});

describe("a glob", () => {
  test.each([
    ["infra/**", "infra/a/b.tf", true],
    ["infra/**", "infrastructure/a.tf", false],
    ["*.lock", "a.lock", true],
    ["*.lock", "a/b.lock", false],
    ["**/*.lock", "b.lock", true],
    ["**/a/**/b", "x/a/y/a/z/b", true],
    ["**/a/**/b", "x/a/y/c", false],
    ["file?.txt", "file1.txt", true],
    ["file?.txt", "file.txt", false],
    ["a*b*c", "aXbXbXc", true],
    ["a[bc]", "ab", false],
    ["a[bc]", "a[bc]", true],
    ["(a+)+$", "(A+)+$", true],
  ])("%s holds %s: %s [T17]", (glob, path, held) => {
    expect(isProtected([glob], path)).toBe(held);
  });

  test("with ! opens what one before it holds; the last one decides [T17]", () => {
    const globs = [...ALWAYS_PROTECTED, "!.github/workflows/ci.yml", ".github/workflows/c*.yml"];
    expect(isProtected(globs, ".github/workflows/ci.yml")).toBe(true);
    expect(isProtected(globs.slice(0, -1), ".github/workflows/ci.yml")).toBe(false);
    expect(isProtected(globs.slice(0, -1), ".github/workflows/release.yml")).toBe(true);
  });

  test("takes no long time, whatever a path looks like [T17]", () => {
    const path = `${"a/".repeat(2000)}${"a".repeat(2000)}`;
    const began = performance.now();
    expect(isProtected(["**/a/**/a/**/a/**/b", "*a*a*a*a*a*a*b"], path)).toBe(false);
    expect(performance.now() - began).toBeLessThan(500);
  });
});

test("a link in the place of a folder hides what is protected in it [T17]", () => {
  expect(hidesProtected(ALWAYS_PROTECTED, ".github")).toBe(true);
  expect(hidesProtected(ALWAYS_PROTECTED, ".GITHUB/workflows")).toBe(true);
  expect(hidesProtected(ALWAYS_PROTECTED, "docs")).toBe(true);
  expect(hidesProtected(ALWAYS_PROTECTED, "src")).toBe(false);
  expect(hidesProtected(ALWAYS_PROTECTED, "CODEOWNERS")).toBe(false);
  expect(hidesProtected(["!lib/x/**"], "lib")).toBe(false);
  expect(hidesProtected(["lib/x/**"], "lib/y")).toBe(false);
  expect(hidesProtected(["lib/*/x/y"], "lib/a")).toBe(false);
});

test("what is wrong is said in numbers [T17]", () => {
  const large = { kind: "too_large", files: 101, bytes: 5_000_000, max_files: 100, max_bytes: 4_000_000 } as const;
  expect(refusalWords(large)).toBe(
    "101 files changed, 100 allowed (max-changed-files), 5000000 bytes changed, 4000000 allowed (max-changed-bytes)",
  );
  expect(refusalWords({ ...large, max_files: null })).not.toContain("files");
  expect(refusalWords({ ...large, max_bytes: null })).not.toContain("bytes");
  expect(refusalWords({ kind: "protected_paths", count: 1, paths: ["a"] })).toBe("a");
  expect(refusalWords({ kind: "protected_paths", count: 3, paths: ["a", "b"] })).toBe("a, b and 1 more");
});
