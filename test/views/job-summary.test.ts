import { describe, expect, test } from "vitest";
import type { IterationRecord, LoopState } from "../../src/core/state.ts";
import { type JobFacts, jobSummary } from "../../src/views/github/job-summary.ts";
import { aCheck, aView } from "./a-state.ts";
import type { PagePlace, PublicationFacts } from "../../src/views/github/facts.ts";
import { finalComment } from "../../src/views/github/status-comment.ts";
import { aPullRequest, CHECKED, ended, someFacts } from "./publication-facts.ts";
import { kindsIn, valuesIn } from "./markdown-kinds.ts";

const NOTHING_KNOWN: JobFacts = { runUrl: null, artifactUrl: null, page: null, notices: [], carriers: [] };
const HOSTILE = "</details><script>x</script> @octocat fixes #1 ![i](https://e.example/i) `` ``` \u001B[31m";

function anIteration(iteration: number, overrides: Partial<IterationRecord> = {}): IterationRecord {
  return {
    iteration,
    started_at: "2026-01-06T21:00:00.000+00:00",
    ended_at: "2026-01-06T21:03:30.000+00:00",
    agent: "ok",
    claimed: false,
    checks: "failed",
    files_changed: 2,
    lines_added: 10,
    lines_removed: 3,
    tokens: 12_345,
    commit: null,
    ...overrides,
  };
}

const iterations = (count: number): IterationRecord[] =>
  Array.from({ length: count }, (_, index) => anIteration(index + 1));

test("the whole summary, as people read it [W-09, W-38, W-39, W-56]", async () => {
  const view = aView(
    ended(
      { kind: "max_iterations", max: 3 },
      {
        checks: CHECKED,
        max_iterations: 3,
        iteration: 3,
        iterations: [
          anIteration(1, { agent: "timed_out", files_changed: 0, checks: "cut_off" }),
          anIteration(2, { commit: "0123456789abcdef", ended_at: "2026-01-06T21:00:20.000+00:00", tokens: 400 }),
          anIteration(3, { claimed: true, files_changed: null }),
        ],
        verdict: { result: "failed", checks: [aCheck({ exitCode: 1, tail: "one failed\n\u001B[31mtwo\u001B[0m\n" })] },
      },
    ),
    { protection: { sandbox: "danger-full-access", providerArgs: [] } },
  );
  const summary = jobSummary(view, {
    runUrl: "https://github.com/o/r/actions/runs/1",
    artifactUrl: "https://github.com/o/r/actions/runs/1/artifacts/2",
    page: null,
    notices: ["The cache may only be read in this event."],
    carriers: [
      { name: "git ref", saved: true, detail: "refs/smithers-loops/repo-1" },
      { name: "cache", saved: false, detail: "read-only" },
    ],
  });
  await expect(summary).toMatchFileSnapshot("../golden/job-summary.md");
});

const INSIDE = { artifact: "a-1", artifactUrl: null, command: "gh run download 1", byHand: false } as const;

test.each<[what: string, page: PagePlace | null, said: string | null]>([
  [
    "an address",
    { url: "https://github.com/o/r/actions/runs/1/artifacts/3", hasTexts: true },
    "[Report](https://github.com/o/r/actions/runs/1/artifacts/3): the verdict with its proof, charts and every iteration, on a page in the browser.",
  ],
  [
    "an address that others can read",
    { url: "https://github.com/o/r/actions/runs/1/artifacts/3", hasTexts: false },
    "[Report](https://github.com/o/r/actions/runs/1/artifacts/3): the verdict with its proof, charts and every iteration, on a page in the browser. Others can read this repository, so it has no prompts, messages and changes.",
  ],
  ["in the artifact", { ...INSIDE, isSealed: false }, "**Report:** `gh run download 1`"],
  [
    "in an artifact that has an address",
    { ...INSIDE, artifactUrl: "https://github.com/o/r/actions/runs/1/artifacts/2", isSealed: false },
    "**Report:** in [this artifact](https://github.com/o/r/actions/runs/1/artifacts/2), downloaded and opened by `gh run download 1`",
  ],
  [
    "in a sealed artifact",
    { ...INSIDE, isSealed: true },
    "**Report:** `gh run download 1`, with the state-key in `SMITHERS_STATE_KEY`",
  ],
  [
    "in an artifact that a person has to download",
    { ...INSIDE, command: "smithers report a-1.zip", byHand: true, isSealed: false },
    "**Report:** download this run's artifact `a-1`, then `smithers report a-1.zip`",
  ],
  ["nowhere", null, null],
])("summary and comment say where the page is: %s [C137]", (_what, page, said) => {
  const view = aView(ended({ kind: "max_iterations", max: 3 }));
  const texts = [jobSummary(view, { ...NOTHING_KNOWN, page }), finalComment(view, someFacts({ page }))];
  for (const text of texts) {
    const told = text.split("\n\n").filter((block) => block.includes("Report"));
    expect(told).toEqual(said === null ? [] : [said]);
  }
});

describe("what is at the top [W-38]", () => {
  const first = (...args: Parameters<typeof aView>): string =>
    jobSummary(aView(...args), NOTHING_KNOWN)
      .split("\n\n")
      .slice(0, 4)
      .join("\n");

  test("outcome, why, proof and the next step come first", () => {
    expect(first(ended({ kind: "success_command", command: "npm test" }, { checks: CHECKED }))).toBe(
      [
        "## completed: The success command is green: the work is done.",
        "Command: npm test",
        "Not verified: the checks have not run on the last state of the work.",
        "**Next:** Review the changes.",
      ].join("\n"),
    );
  });

  test("a run that was killed says so", () => {
    expect(first()).toContain("## crashed: The run ended without an ending");
    expect(first({}, { alive: true })).toContain("## running: The loop is running.");
  });

  test("a promise without a change is flagged [P14]", () => {
    const change = { files: 0, added: 0, removed: 0, stat: "", only_tests: false };
    expect(first(ended({ kind: "promise", verified: true }), { change })).toContain("**The agent claimed to be done");
  });

  test("a HARD STOP that completion ran past is pending [C17]", () => {
    const todo: LoopState["todo"] = {
      path: "TODO.md",
      hard_stop_token: "HARD STOP",
      hard_stop_mode: "pause",
      hard_stop_when: "reached",
      paused_for_hard_stop: false,
      seen: [{ id: "h#1", line: 4, text: "HARD STOP: ask @octocat", reached: true }],
      acknowledged: [],
    };
    expect(first(ended({ kind: "promise", verified: true }, { todo }))).toContain(
      "**HARD STOP pending:** line 4: HARD STOP: ask @\u200Boctocat",
    );
  });
});

test("where changes are not measured, no files are listed", () => {
  const summary = jobSummary(aView({}, { change: null }), NOTHING_KNOWN);
  expect(summary).toContain("changes not measured");
  expect(summary).not.toContain("Changed files");
});

describe("where the work is [C13]", () => {
  const shown = (facts: Partial<PublicationFacts>, state = ended({ kind: "time_budget" })): string =>
    jobSummary(aView(state), { ...NOTHING_KNOWN, published: someFacts(facts) });

  test("its pull request", () => {
    expect(shown({ pullRequest: aPullRequest() })).toContain(
      "**The work:** [pull request 7](https://github.com/o/r/pull/7) from `smithers/repo-1`",
    );
  });

  test("its branch alone, where no pull request is wanted", () => {
    const summary = shown({ wanted: "never", creationForbidden: true });
    expect(summary).toContain("`smithers/repo-1` [compare it with its base]");
    expect(summary).not.toContain("Settings");
  });

  test("where Actions may not create pull requests: the link that does, and the exact setting", () => {
    const summary = shown({ creationForbidden: true });
    expect(summary).toContain("[Open one by hand](https://github.com/o/r/compare/main...smithers/repo-1?expand=1)");
    expect(summary).toContain("[Settings → Actions → General](https://github.com/o/r/settings/actions)");
    expect(summary).toContain("“Allow GitHub Actions to create and approve pull requests”");
  });

  test("none", () => {
    expect(shown({ ahead: false, creationForbidden: true })).not.toContain("The work:");
  });
});

describe("iterations [W-09]", () => {
  const shown = (count: number, from = 0): string =>
    jobSummary(aView({ iterations: iterations(count).slice(from) }), NOTHING_KNOWN);

  test("none yet: no table", () => {
    expect(shown(0)).not.toContain("### Iterations");
  });

  test("one: no chart", () => {
    expect(shown(1)).toContain("\n| 1 | ok");
    expect(shown(1)).not.toContain("mermaid");
  });

  test.each([
    [30, 0, undefined],
    [31, 0, "1 earlier iteration not shown; all of them are in summary.json."],
    [70, 20, "40 earlier iterations not shown; all of them are in summary.json."],
  ])("%i of them, kept from %i on: the newest 30, and what is cut is said", (count, from, note) => {
    const rows = shown(count, from)
      .split("\n")
      .filter((line) => /^\| \d+ \|/u.test(line));
    expect(rows).toHaveLength(30);
    expect(rows.at(-1)).toMatch(new RegExp(`^\\| ${count} \\|`, "u"));
    expect(/^.*not shown.*$/mu.exec(shown(count, from))?.[0]).toBe(note);
  });

  test("clocks that disagree give no time below zero, and a chart without time has a scale", () => {
    const back = { ended_at: "2026-01-06T20:00:00.000+00:00" };
    const view = aView({ iterations: [anIteration(1, back), anIteration(2, back)] });
    expect(jobSummary(view, NOTHING_KNOWN)).toContain('y-axis "minutes" 0 --> 1\n  bar [0, 0]');
  });
});

describe("what others wrote mentions nobody, closes nothing and is not HTML [T10]", () => {
  const verdict = { result: "failed", checks: [aCheck({ command: HOSTILE, exitCode: 1, tail: HOSTILE })] } as const;
  const summary = jobSummary(
    aView(
      ended(
        { kind: "provider", failure: { kind: "crashed", message: HOSTILE, retryable: false, next: HOSTILE } },
        { checks: { ...CHECKED, success_sh: HOSTILE }, verdict, iterations: [anIteration(1)] },
      ),
      {
        change: { files: 1, added: 1, removed: 0, stat: HOSTILE, only_tests: false },
        resume: HOSTILE,
        protection: { sandbox: "danger-full-access", providerArgs: [`--yolo`, `--dangerously-${HOSTILE}`] },
      },
    ),
    {
      runUrl: null,
      artifactUrl: null,
      page: null,
      notices: [HOSTILE],
      carriers: [{ name: HOSTILE, saved: false, detail: HOSTILE }],
    },
  );

  test("as Markdown", () => {
    expect(kindsIn(summary)).not.toContain("image");
    expect(kindsIn(summary)).not.toContain("link");
  });

  test("as HTML: ours alone", () => {
    const begin = (title: string): string => `<details>\n<summary>${title}</summary>`;
    expect(valuesIn(summary, "html")).toEqual([
      begin("Last output of the failing check"),
      "</details>",
      begin("Changed files"),
      "</details>",
    ]);
  });

  test("as GitHub's own", () => {
    const said = valuesIn(summary, "text").join("\n");
    expect(said).toContain("@\u200Boctocat fixes #\u200B1");
    expect(said).not.toMatch(/@octocat|#1\b|:\/\//u);
    expect(summary).not.toContain("\u001B");
  });
});

describe("its size", () => {
  const long = Array.from({ length: 5_000 }, (_, index) => `line ${index} ${"ü".repeat(200)}`).join("\n");

  test("however much there is to say, GitHub takes it", () => {
    const notices = Array.from({ length: 10_000 }, () => "ü".repeat(5_000));
    const carriers = Array.from({ length: 1_000 }, () => ({ name: "cache", saved: true, detail: "ü".repeat(5_000) }));
    const summary = jobSummary(
      aView(
        { iterations: iterations(50) },
        { change: { files: 1, added: 1, removed: 1, stat: long, only_tests: false } },
      ),
      { ...NOTHING_KNOWN, notices, carriers },
    );
    expect(Buffer.byteLength(summary)).toBeLessThan(900_000);
    expect(summary.includes("9,950 more: see the log of the job.")).toBe(true);
    expect(summary.slice(-60)).toMatch(/Left out for lack of room: where it is kept\.\n$/u);
  });

  test("what fits stays, in its order; what does not is named", () => {
    const view = aView(
      { iterations: iterations(30) },
      { change: { files: 1, added: 1, removed: 1, stat: "a.ts | 2 +-", only_tests: false } },
    );
    const summary = jobSummary(view, NOTHING_KNOWN, 1_800);
    expect(Buffer.byteLength(summary)).toBeLessThan(1_800);
    expect(summary).toContain("**Next:**");
    expect(summary).toContain("a.ts | 2 +-");
    expect(summary).toMatch(/Left out for lack of room: iterations\.\n$/u);
  });
});
