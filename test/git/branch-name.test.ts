import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isBranchName } from "../../src/git/branch.ts";

const run = promisify(execFile);

describe("a branch's name", () => {
  it.each([
    ...[
      "main",
      "smithers/a-loop",
      "a.b",
      "a@b",
      "@/a",
      "a{b}",
      "ä",
      "fix#1",
      "a/HEAD",
      "日本",
      "a,b;c&d|e$(f)",
      "a'b\"c`d",
    ],
    ...["", "-", "-a", "--upload-pack=x", "HEAD", "a..b", "a/../b", ".a", "a/.b", "a.", "a/b.", "a.lock", "a.lock/b"],
    ...["a b", "a\nb", "a\tb", "a\u007Fb", "a~1", "a^", "a:b", "a?", "a*", "a[b", "a\\b", "a@{1}", "/a", "a/", "a//b"],
  ])("%j is one when git says so [C13]", async (name) => {
    const { exitCode } = await run("git", ["check-ref-format", "--branch", name]).then(
      () => ({ exitCode: 0 }),
      () => ({ exitCode: 1 }),
    );
    expect(isBranchName(name)).toBe(exitCode === 0);
  });

  it.each(["@", "refs/heads/x", "a".repeat(300), "a\uD800"])("nor is %j, which git would take [C13]", (name) => {
    expect(isBranchName(name)).toBe(false);
  });
});
