import { describe, expect, test } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import { loopIdIn } from "../../src/views/github/markers.ts";
import { pullRequestText } from "../../src/views/github/pull-request.ts";
import type { CiSaid, PublicationFacts } from "../../src/views/github/facts.ts";
import type { RunView } from "../../src/views/run-view.ts";
import { aCheck, aView } from "./a-state.ts";
import { CHECKED, COMPLETED, ended, PAUSED, PENDING, selfContinuation, someFacts } from "./publication-facts.ts";

function text(
  state: Partial<LoopState> = ended(PAUSED),
  facts: Partial<PublicationFacts> = {},
  view: Partial<RunView> = {},
) {
  return pullRequestText(aView(state, view), someFacts(facts));
}

const bodyOf = (...args: Parameters<typeof text>): string => text(...args).body;

/** How far from the top something is. */
function positions(body: string, ...parts: string[]): number[] {
  return parts.map((part) => body.indexOf(part));
}

const PASSED: Partial<LoopState> = { checks: CHECKED, verdict: { result: "passed", checks: [aCheck()] } };

describe("the title", () => {
  test.each([
    ["the task's first line", "Fix the tests\nall of them", "smithers: Fix the tests"],
    ["a heading", "\n\n## Fix it\r\nNow", "smithers: Fix it"],
    ["nothing", "  \n ", "smithers: repo-1"],
    ["a closing word and a mention [T10]", "fixes #1 for @octocat", "smithers: fixes #\u200B1 for @\u200Boctocat"],
    ["a long line", "x".repeat(100_000), `smithers: ${"x".repeat(70)}…`],
  ])("%s", (_, prompt, title) => {
    expect(text(ended(COMPLETED, { prompt })).title).toBe(title);
  });
});

test("the same loop, the same words, under its marker", () => {
  expect(text()).toEqual(text());
  expect(loopIdIn(bodyOf())).toBe("repo-1");
});

describe("a draft has a banner [C13]", () => {
  test("an ending without completion", () => {
    expect(bodyOf()).toMatch(/^<!--.*-->\n\n> \[!WARNING\]\n> \*\*This is not finished\.\*\*/u);
  });

  test("a completed loop has none [W-38]", () => {
    const body = bodyOf(ended(COMPLETED, PASSED));
    expect(body).not.toContain("[!");
    expect(body).toContain("✅ The success command is green: the work is done.");
    expect(body).toContain("Verified:");
  });

  test("a completed loop whose branch did not take the work [C13]", () => {
    expect(bodyOf(ended(COMPLETED, PASSED), { ahead: false })).toContain("**This is not all.**");
  });

  test("hard_stop_pending, with its line [C17]", () => {
    expect(bodyOf(PENDING)).toMatch(/> \[!WARNING\]\n> `hard_stop_pending` .*past a HARD STOP.*\n> Look at line 4/u);
    expect(bodyOf(PENDING)).toContain("## ✋");
  });

  test("dangerous settings [W-56]", () => {
    const body = bodyOf(undefined, {}, { protection: { sandbox: "danger-full-access", providerArgs: [] } });
    expect(body).toContain("> [!CAUTION]");
    expect(body.indexOf("[!CAUTION]")).toBeLessThan(body.indexOf("## ✋"));
  });
});

describe("what the work could have made its own checks green with [T3, T17]", () => {
  const changed = { changedTests: ["test/a.test.ts"], changedCi: [".github/workflows/ci.yml"] };

  test("is listed above the outcome", () => {
    const body = bodyOf(ended(COMPLETED, PASSED), changed);
    const [alert = 0, ci = 0, tests = 0, outcome = 0] = positions(
      body,
      "[!IMPORTANT]",
      "CI: `.github/workflows/ci.yml`",
      "Test: `test/a.test.ts`",
      "## ✅",
    );
    expect([alert, ci, tests, outcome]).toEqual([alert, ci, tests, outcome].toSorted((a, b) => a - b));
    expect(alert).toBeGreaterThan(0);
  });

  test.each<[what: string, state: Partial<LoopState>, facts: Partial<PublicationFacts>]>([
    ["without a check", ended(COMPLETED), changed],
    ["when nothing of it changed", ended(COMPLETED, PASSED), {}],
  ])("is not: %s", (_, state, facts) => {
    expect(bodyOf(state, facts)).not.toContain("[!IMPORTANT]");
  });

  test("and what is not shown is counted", () => {
    const changedTests = Array.from({ length: 1_041 }, (_, index) => `test/${index}.test.ts`);
    expect(bodyOf(ended(COMPLETED, PASSED), { changedTests })).toContain("- 1,001 more: see all changes.");
  });
});

describe("what was verified and what not", () => {
  test("each check and what it found", () => {
    const checks = [
      aCheck(),
      aCheck({ role: "quality", command: "npm run lint", exitCode: 2 }),
      aCheck({ command: "slow", exitCode: null, timedOut: true }),
      aCheck({ command: "shot", exitCode: null }),
    ];
    const body = bodyOf(ended(PAUSED, { checks: CHECKED, verdict: { result: "failed", checks } }));
    expect(body).toContain("| `npm test` | success | ✅ passed | 3 s |");
    expect(body).toContain("| `npm run lint` | quality | ❌ exit 2 | 3 s |");
    expect(body).toContain("| `slow` | success | ❌ timed out | 3 s |");
    expect(body).toContain("| `shot` | success | ❌ killed | 3 s |");
    expect(body).toContain("Not verified:");
  });

  test("no check: nothing was verified, in the words of a workflow", () => {
    const body = bodyOf(ended({ kind: "promise", verified: false }), {}, { word: () => "NOTHING, in inputs" });
    expect(body).toContain("NOTHING, in inputs");
    expect(body).not.toContain("### Checks");
  });

  test("more checks than anybody reads are counted", () => {
    const checks = Array.from({ length: 60 }, () => aCheck());
    const body = bodyOf(ended(COMPLETED, { checks: CHECKED, verdict: { result: "passed", checks } }));
    expect(body).toContain("10 more are in summary.json.");
  });
});

describe("the task", () => {
  test("one line is shown once", () => {
    const body = bodyOf(ended(COMPLETED, { prompt: "Fix the tests" }));
    expect(body).toContain("### Task\n\nFix the tests\n");
    expect(body).not.toContain("The whole task");
  });

  test("more is folded, and inert where a squashed commit takes it", () => {
    const body = bodyOf(ended(COMPLETED, { prompt: "# Fix\n\n  closes #1\n" }));
    expect(body).toContain("### Task\n\nFix\n");
    expect(body).toContain("<summary>The whole task</summary>\n\n```text\n# Fix\n\n  closes #\u200B1\n```");
  });
});

describe("CI: nothing is promised that GitHub does not promise", () => {
  test.each<[Partial<PublicationFacts>, string, string]>([
    [{ token: "github-token" }, "Approve workflows to run", "start workflows as"],
    [{ token: "app" }, "token of an App, whose pushes and pull requests start workflows", "Approve"],
    [{ token: "person" }, "as that person's do", "Approve"],
  ])("%j", (facts, said, unsaid) => {
    const body = bodyOf(undefined, facts);
    expect(body).toContain(said);
    expect(body).not.toContain(unsaid);
    expect(body).not.toContain("will start");
  });
});

describe("CI that the loop has run itself", () => {
  const url = "https://github.com/o/r/actions/runs/9";
  test.each<[CiSaid, string]>([
    ["passed", "was run on this commit by the loop, and passed."],
    ["failed", "was run on this commit by the loop, and failed."],
    ["nothing", "has ended without a verdict."],
    [null, "started by the loop, and has not ended."],
  ])("%s is told with a link and the status that shows it", (said, sentence) => {
    const body = bodyOf(undefined, { ci: { workflow: "ci.yml", run: { url, said }, required: null } });
    expect(body).toContain(`**CI:** [ci.yml](${url}) `);
    expect(body).toContain(sentence);
    expect(body).toContain("`smithers/ci`");
    expect(body).toContain("Approve workflows to run");
    expect(body).not.toContain("To have CI start by itself");
  });

  test("where it was not run, it says so", () => {
    const body = bodyOf(undefined, { ci: { workflow: "ci.yml", run: null, required: null } });
    expect(body).toContain("**CI:** `ci.yml` has not been run on this commit.");
    expect(body).not.toContain("equired");
  });

  test("what the base's rules ask for is told by its names, and what a person has to do for the rest [C96]", () => {
    const run = { url, said: "failed" } as const;
    const open = [{ context: "deploy", why: "its job ended as skipped" }];
    const required = { passed: ["test"], failed: ["lint"], open, unread: null };
    const body = bodyOf(undefined, { ci: { workflow: "ci.yml", run, required } });
    expect(body).toContain("**Required by `main`**, set from that run as commit statuses:");
    for (const line of ["- `test`: passed", "- `lint`: failed", "- `deploy`: its job ended as skipped"])
      expect(body).toContain(line);
    expect(body).toContain("close and reopen this pull request");
    const all = bodyOf(undefined, { ci: { workflow: "ci.yml", run, required: { ...required, open: [] } } });
    expect(all).not.toContain("Still required");
    const none = bodyOf(undefined, {
      ci: { workflow: "ci.yml", run, required: { passed: [], failed: [], open, unread: null } },
    });
    expect(none).not.toContain("set from that run");
    const unread = { passed: [], failed: [], open: [], unread: "GitHub does not let rules be used here" };
    expect(bodyOf(undefined, { ci: { workflow: "ci.yml", run, required: unread } })).toContain(
      "the rules of `main` could not be read (GitHub does not let rules be used here)",
    );
  });
});

describe("how to go on", () => {
  test("a comment and a label [C10]", () => {
    expect(bodyOf()).toContain("| `/smithers continue` | `smithers:continue` |");
    const missingLabels = ["smithers:continue", "smithers:cancel"];
    expect(bodyOf(undefined, { missingLabels })).toContain("| `/smithers continue` | Goes on.");
    expect(bodyOf(undefined, { missingLabels: ["smithers:continue"] })).toMatch(
      /\| `\/smithers continue` \|\s*\| Goes on\./u,
    );
    expect(bodyOf()).toContain("**Next:** Review the changes, then confirm and go on with: `/smithers continue`");
  });

  test("at the cap, what to change first [W-39]", () => {
    const body = bodyOf(ended({ kind: "max_iterations", max: 3 }));
    expect(body).toMatch(/\*\*Next:\*\* .*raise .*max-iterations.* `\/smithers continue`/u);
  });

  test("an open circuit breaker can be reset", () => {
    const stop_reason = { kind: "time_budget" } as const;
    expect(bodyOf({ status: "circuit_open", stop_reason })).toContain("/smithers reset-circuit");
    expect(bodyOf()).not.toContain("reset-circuit");
  });

  test("a weak proof can be accepted [C43]", () => {
    const weaknesses = [{ kind: "no_tests_ran" }] as const;
    expect(bodyOf(ended({ kind: "weak_proof", weaknesses }))).toContain("`/smithers accept`");
    expect(bodyOf()).not.toContain("/smithers accept");
  });

  test("a completed loop is asked for nothing", () => {
    expect(bodyOf(ended(COMPLETED))).toContain("**Next:** Review the changes.");
    expect(bodyOf(ended(COMPLETED))).not.toContain("/smithers");
  });

  test("nobody has to do anything where it goes on by itself", () => {
    expect(bodyOf(ended({ kind: "time_budget" }))).toContain("goes on by itself, in a run of its own");
  });

  test("where it could be expected to, it says why not", () => {
    const body = bodyOf(ended({ kind: "time_budget" }), { selfContinue: selfContinuation({ disabled: true }) });
    expect(body).toContain("**It does not go on by itself:** the repository variable SMITHERS_DISABLED is set.");
    expect(body).toContain("`/smithers continue`");
  });

  test("a run that died", () => {
    expect(bodyOf({})).toContain("## 💥");
    expect(bodyOf({})).toContain("Go on with: `/smithers continue`");
  });
});

test("figures, links, branch and who let it run", () => {
  const cost = { turns: 3, cost: 420_000, priced_turns: 3 };
  const { spent } = aView().state;
  const github = {
    branch: "b",
    head: null,
    pull_request: null,
    authorised_by: "octocat",
    obeyed: null,
    continuations: 0,
  };
  const body = bodyOf(
    ended(PAUSED, {
      spent: { ...spent, tokens: 12_345, turn_ms: 60_000, check_ms: 5_000, resumes: 2, ...cost },
      github,
    }),
    { branch: "smithers/a b#1", notes: ["the label was not put on"] },
  );
  expect(body).toContain(
    "`paused_hard_stop` · iteration 3 of 30 · 12,345 tokens · about 0.42 USD · 1 min 5 s · resumed 2×",
  );
  expect(body).toContain("[This run](https://github.com/o/r/actions/runs/1)");
  expect(body).toContain("(https://github.com/o/r/compare/main...smithers/a%20b%231)");
  expect(body).toContain("· let run by `octocat`");
  expect(body).toContain("### What could not be done\n\n- the label was not put on");
});

test("only finished work closes its issue; until then it is named [C108]", () => {
  const link = { branch: "b", head: null, pull_request: null, authorised_by: "a", obeyed: null, continuations: 0 };
  const github = { ...link, issue: 12 };
  expect(bodyOf(ended(COMPLETED, { github }))).toContain("\nCloses #12\n");
  const open = bodyOf(ended(PAUSED, { github }));
  expect(open).toContain("\nFor #12, which a merge leaves open as long as this is not finished.\n");
  expect(open).not.toMatch(/clos\w* #12/iu);
  expect(bodyOf(ended(COMPLETED, { github: link }))).not.toContain("#12");
});
