import { describe, expect, test } from "vitest";
import {
  type Finding,
  findingLines,
  gapsIn,
  githubFindings,
  githubGapTable,
  type GithubRights,
  permissionLines,
  type Right,
} from "../../src/views/gaps.ts";

const THERE: Right = { right: "there" };
const READABLE: Right = { right: "readable" };
const NOT_ALLOWED: Right = { right: "missing", why: "the token may not", next: "" };
const UNKNOWN: Right = { right: "unknown", because: "untold", why: "nobody tells" };
const NOTHING: GithubRights = {
  push: null,
  pullRequests: null,
  creation: null,
  dispatch: null,
  ci: null,
  labels: null,
  aheadMs: null,
};
const MINUTE = 60_000;

function finding(right: Right, permission: string | null = "contents: write"): Finding {
  return { subject: "push to a", right, permission, blocks: true };
}

describe("a table of what is there and what is not", () => {
  test.each([
    [THERE, "ok       push to a"],
    [READABLE, "ok       push to a (as far as it shows without writing)"],
    [UNKNOWN, "unknown  push to a: nobody tells"],
    [NOT_ALLOWED, "GAP      push to a: the token may not → permissions: contents: write"],
    [
      { right: "missing", why: "it is archived", next: "Unarchive it." },
      "GAP      push to a: it is archived. Unarchive it.",
    ],
  ] satisfies [Right, string][])("%j", (right, line) => {
    expect(findingLines([finding(right)])).toEqual([line]);
  });

  test("what no permission gives has no line of one", () => {
    expect(findingLines([finding(NOT_ALLOWED, null)])).toEqual(["GAP      push to a: the token may not"]);
  });

  test("only what is missing is a gap, never what is unknown", () => {
    const missing = finding(NOT_ALLOWED);
    expect(gapsIn([finding(THERE), finding(READABLE), finding(UNKNOWN), missing])).toEqual([missing]);
  });

  test("permissions are told completely, each once, the greater one only", () => {
    const findings = [finding(THERE), finding(NOT_ALLOWED, "actions: write"), finding(THERE, null)];
    expect(permissionLines(findings, ["actions: read", "statuses: write"])).toEqual([
      "permissions:",
      "  actions: write",
      "  contents: write",
      "  statuses: write",
    ]);
  });
});

describe("what a run needs of GitHub", () => {
  test("nothing, where nothing is published", () => {
    expect(githubFindings(NOTHING)).toEqual([]);
    expect(githubGapTable([])).toBe("");
  });

  test("all gaps at once, with the exact lines of the workflow", () => {
    const findings = githubFindings({
      push: { refs: ["smithers/a", "refs/smithers-loops/a"], right: NOT_ALLOWED },
      pullRequests: NOT_ALLOWED,
      creation: UNKNOWN,
      dispatch: { workflow: "smithers.yml", right: NOT_ALLOWED },
      ci: { workflow: "ci.yml", run: UNKNOWN, status: NOT_ALLOWED },
      labels: UNKNOWN,
      aheadMs: 0,
    });
    expect(findings.map(({ blocks }) => blocks)).toEqual([true, true, false, false, true, false, false, false]);
    expect(githubGapTable(findings)).toBe(
      [
        "  GAP      push to smithers/a and refs/smithers-loops/a: the token may not → permissions: contents: write",
        "  GAP      open the pull request and comment on it: the token may not → permissions: pull-requests: write",
        "  unknown  GitHub Actions may create pull requests: nobody tells",
        "  GAP      start the next run of smithers.yml (self-continue: auto): the token may not → permissions: actions: write",
        "  unknown  run ci.yml on the work (ci-workflow): nobody tells",
        "  GAP      set the commit status smithers/ci: the token may not → permissions: statuses: write",
        "  unknown  the labels of a loop: nobody tells",
        "  ok       this machine's clock",
        "All that this run needs, for the job in the workflow's file (a token of another kind needs the same rights):",
        "    permissions:",
        "      actions: write",
        "      contents: write",
        "      issues: write",
        "      pull-requests: write",
        "      statuses: write",
      ].join("\n"),
    );
  });

  test.each([
    [5 * MINUTE, "ok       this machine's clock"],
    [-5 * MINUTE, "ok       this machine's clock"],
    [
      6 * MINUTE,
      "GAP      this machine's clock: it is 6 min ahead of GitHub's. Set it right: what people ask for is judged by its time.",
    ],
    [
      -2 * 60 * MINUTE,
      "GAP      this machine's clock: it is 2 h behind GitHub's. Set it right: what people ask for is judged by its time.",
    ],
  ])("a clock that is ahead by %d ms", (aheadMs, line) => {
    const findings = githubFindings({ ...NOTHING, aheadMs });
    expect(findingLines(findings)).toEqual([line]);
    // No permission sets a clock.
    expect(githubGapTable(findings)).toBe(`  ${line}`);
  });
});
