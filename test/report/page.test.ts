import { expect, test } from "vitest";
import type { StopReason } from "../../src/core/outcome.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aProved, aRedCheck, aVerdict, anIterationRecord, someFailing } from "../support/builders.ts";
import { aCheck, aView, settled, started, turnEnded, turnStarted } from "../views/a-state.ts";
import { aPrd, aStory, EACH, known } from "../views/some-stories.ts";
import { iterations, NO_TEXTS, page, parsed, whole } from "./a-report.ts";

const STOPPED = { type: "loop_stopped", at: "2026-01-06T21:20:00.000+00:00", commit: null } as const;

function textOf(source: string, selector: string): string {
  const document = parsed(source);
  const found = document.querySelectorAll(selector);
  return Array.from(found, (one) => one.textContent)
    .join("\n")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

const FAILING = { failing: ["a.test > adds"], failing_count: 1, failing_digest: "d", early: false };
const PROVED: Partial<LoopState> = {
  status: "completed",
  iteration: 2,
  max_iterations: 30,
  stop_reason: { kind: "success_command", command: "npm test" },
  checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null },
  verdict: aVerdict("passed", [aCheck({ command: "npm test" })]),
  baseline: FAILING,
  iterations: [anIterationRecord({ iteration: 2, commit: "0123456789abcdef" })],
};

const oneCommand = (command: string, more: Partial<LoopState>): Partial<LoopState> => ({
  ...PROVED,
  checks: { success_cmd: null, success_sh: command, quality_commands: [], ci_workflow: null },
  verdict: aVerdict("passed", [aCheck({ command })]),
  ...more,
});

test("no full stop in a loop's name, a command or a path is taken for the end of the first sentence [C130]", async () => {
  const command = "cd a. && make b. c";
  const stop_reason = { kind: "success_command", command } as const;
  const source = await page({
    view: aView(oneCommand(command, { loop_id: "repo. 1", stop_reason })),
    events: [started(), ...iterations(2)],
  });
  expect(textOf(source, "h1 .how")).toBe("✓ repo. 1: completed (success_command).");
  expect(textOf(source, "h1 .why")).toBe(
    `The success command is green: the work is done. Verified: ${command} passed.`,
  );
  expect(textOf(source, "h1 .why code")).toBe(command);
});

test.each(["test `git status` = clean", "a `b` `c``d", "` <b>x</b> && `</code>", "`"])(
  "the command %j arrives whole in the verdict and in what stopped the loop [C175, T3]",
  async (command) => {
    const reason = { kind: "success_command", command } as const;
    const loop_id = "repo`1`";
    const source = await page({
      view: aView(oneCommand(command, { loop_id, stop_reason: reason })),
      events: [started(), ...iterations(2), { ...STOPPED, reason }],
    });
    expect(textOf(source, "h1 .how")).toBe("✓ repo`1`: completed (success_command).");
    expect(textOf(source, "h1 .why")).toBe(
      `The success command is green: the work is done. Verified: ${command} passed.`,
    );
    expect(textOf(source, "h1 .why code")).toBe(command);
    expect(textOf(source, "section[aria-labelledby=rule]")).toContain(command);
  },
);

test("what an agent says takes no backtick of a command that comes after it [C175, T3]", async () => {
  const command = "make `uname`";
  const red = aRedCheck({ command, timedOut: true });
  const reason = { kind: "agent_blocked", why: "there is a ` too many" } as const;
  const source = await page({
    view: aView(oneCommand(command, { status: "blocked", stop_reason: reason, verdict: aVerdict("failed", [red]) })),
  });
  const said = "there is a ` too many. Not verified: make `uname` failed (timed out).";
  expect(textOf(source, "h1 .why")).toContain(said);
  expect(textOf(source, "h1 .why code")).toBe(command);
});

test("the first screen tells verdict, what to do, the rule, tests, files, what it took and the strip, in this order [C130]", async () => {
  const reason = { kind: "success_command", command: "npm test" } as const;
  const source = await page({
    view: aView(PROVED, { branch: "main" }),
    events: [started(), ...iterations(2), { ...STOPPED, reason }],
  });
  const order = ["verdict", "next", "rule", "tests", "files", "took", "strip", "agent", "charts", "iterations"];
  const document = parsed(source);
  expect(Array.from(document.querySelectorAll("h1, h2"), ({ id }) => id)).toEqual(order);
  expect(textOf(source, "h1 .how")).toBe("✓ repo-1: completed (success_command).");
  expect(textOf(source, "footer")).toMatch(/, as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. /u);
  const verdict = textOf(source, ".verdict");
  for (const part of [
    "✓ repo-1: completed",
    "Command npm test",
    "Commit 0123456789ab",
    "Iteration 2 of 30",
    "Branch main",
  ])
    expect(verdict).toContain(part);
  expect(textOf(source, "section[aria-labelledby=next]")).toContain(
    "Nothing to start or to answer. Review the changes.",
  );
  expect(textOf(source, "section[aria-labelledby=rule]")).toContain(
    "decided: stop, by the rule success_command (POST 5)",
  );
  expect(textOf(source, "section[aria-labelledby=tests]")).toBe(
    "Failing tests At the start 1 test a.test > adds Now None.",
  );
  expect(textOf(source, ".strip")).toBe("✗failed: iteration 1 ✓passed: iteration 2");
  expect(document.querySelector(".strip a")?.getAttribute("href")).toBe("#i1");
});

test.each<[string, Partial<LoopState>, boolean, RegExp, RegExp]>([
  [
    "one that can go on has the command to paste",
    { status: "stopped_max_iterations", stop_reason: { kind: "max_iterations", max: 3 } },
    false,
    /then go on with: ?smithers resume --loop-id repo-1 ?Copy/u,
    /^What stopped it ?stopped_max_iterations$/u,
  ],
  ["one that runs has none", {}, true, /It is running: wait for it[^<]*cancel\.$/u, /Nothing: it is running\./u],
  [
    "a crashed one has it as well",
    {},
    false,
    /Nothing that was written is lost\..*Copy/u,
    /No rule: its run was killed, or an error ended it\./u,
  ],
])("what a person has to do: %s [C130]", async (_, state, alive, next, rule) => {
  const source = await page({ view: aView(state, { alive }) });
  expect(textOf(source, "section[aria-labelledby=next]")).toMatch(next);
  expect(textOf(source, "section[aria-labelledby=rule]")).toMatch(rule);
});

test("on GitHub the comment that decides about a story is what to paste; the next run of a workflow is not [C130]", async () => {
  const reason: StopReason = {
    kind: "stories_blocked",
    stories: [{ id: "US-005", why: "no key" }],
    blocked: 1,
    waiting: 0,
  };
  const ruling = (verb: string, id: string) => `/smithers prd shop ${verb} ${id}`;
  const state = { status: "blocked", stop_reason: reason, stories: EACH.stories } as const;
  const view = aView(state, { prd: EACH.prd, resume: "the next run of this workflow", ruling });
  const source = await page({ view });
  expect(textOf(source, "#resume")).toBe("/smithers prd shop retry US-005");
  expect(textOf(source, "section[aria-labelledby=stories]")).toMatch(
    /of 7 stories passed.* At work on US-004 .*US-001.*0123456789ab.*US-009/u,
  );
});

test("what a job says of resuming is no command [C130]", async () => {
  const resume = "a run of this workflow started by hand, with its input `smithers` set to `continue`";
  const source = await page({ view: aView({}, { resume }) });
  expect(textOf(source, "section[aria-labelledby=next]")).toContain(resume.replaceAll("`", ""));
  expect(parsed(source).getElementById("resume")).toBeNull();
});

test("what many iterations came to is a cell with its mark alone, whose number is told to who does not see its place [C130]", async () => {
  const [few, many] = [
    await page({ events: [started(), ...iterations(60)] }),
    await page({ events: [started(), ...iterations(61)] }),
  ];
  const strip = "section[aria-labelledby=strip]";
  expect([few, many].map((source) => parsed(source).querySelectorAll(".strip.dense a").length)).toEqual([0, 61]);
  expect(textOf(many, ".strip a").split("\n").at(-1)).toMatch(/iteration 61$/u);
  expect(textOf(many, `${strip} .legend`)).toContain("from iteration 1 to 61, in their order");
  expect(textOf(few, `${strip} .legend`)).toBe("✓ checks passed · ✗ failed · – not checked");
});

test("an iteration whose files are gone says so [C131]", async () => {
  const source = await page({ events: [started(), ...iterations(1)] });
  expect(textOf(source, "#i1")).toContain("are not kept: only those of the last 50 iterations are");
});

test("many failing tests are folded, those without a name counted; not knowing is said [C130]", async () => {
  const failing = Array.from({ length: 12 }, (_, index) => `test ${index}`);
  const many = { ...FAILING, failing, failing_count: 15 };
  const view = aView({ failing: many, baseline: null, verdict: aVerdict("failed", [aRedCheck()]) });
  const said = textOf(await page({ view }), "section[aria-labelledby=tests]");
  expect(said).toMatch(/^Failing tests At the start Not known\. Now 15 tests test 0/u);
  expect(said).toMatch(/7 more test 5 ?test 6.*test 10 ?test 11 3 more tests without a name here\.$/u);
});

test("changed tests and CI files stand first, with what of many is not named [C130]", async () => {
  const stat =
    "a.ts | +1 -0\n.github/workflows/ci.yml | +2 -2\nlogo.png | binary\nsrc/a.test.ts | +0 -9\n… and 3 more files";
  const view = aView({}, { change: { files: 7, added: 3, removed: 11, stat, only_tests: false } });
  expect(textOf(await page({ view }), "section[aria-labelledby=files]")).toBe(
    "Files changed 7 files, +3 −11 File Kind Lines .github/workflows/ci.yml CI +2 −2 src/a.test.ts test +0 −9 a.ts +1 −0 logo.png binary 3 more files.",
  );
});

test.each([
  ["unknown", null, /Not known: nothing is measured here/u],
  ["none", { files: 0, added: 0, removed: 0, stat: "", only_tests: false }, /^Files changed ?None\.$/u],
])("of changed files %s is said [C130]", async (_, change, said) => {
  expect(textOf(await page({ view: aView({}, { change }) }), "section[aria-labelledby=files]")).toMatch(said);
});

test("dangerous settings and doubts are above everything else [C130]", async () => {
  const view = aView(
    { ...PROVED, iterations: [], stop_reason: { kind: "promise", verified: true } },
    {
      protection: { sandbox: "danger-full-access", providerArgs: [] },
      change: { files: 0, added: 0, removed: 0, stat: "", only_tests: false },
    },
  );
  const source = await page({ view });
  expect(textOf(source, ".danger")).toContain("sandbox danger-full-access");
  expect(textOf(source, ".verdict")).toContain("nothing was changed in the tree");
});

test("an iteration has its decision, checks, diff, prompt and last message, each with a link of its own [C131]", async () => {
  const diff = "diff --git a/a.ts b/a.ts\n@@ -1 +1 @@\n-old\n+new\n same";
  const red = aRedCheck({ command: "npm test", tail: "not ok 1", tests: someFailing(["adds"]) });
  const source = await page({
    events: [
      started(),
      turnStarted(1),
      turnEnded({ iteration: 1 }),
      aProved(
        aVerdict("failed", [
          aCheck({ tail: "" }),
          red,
          aCheck({ exitCode: null, timedOut: true }),
          aCheck({ exitCode: null }),
        ]),
      ),
      settled(1, "0123456789abcdef"),
      { ...turnStarted(2) },
    ],
    textsOf: async (iteration) =>
      iteration === 1
        ? {
            prompt: whole("do it"),
            changes: { ...whole(diff), leftOut: 12_345 },
            checks: { text: "long output", leftOut: 1_000, part: "end" },
            message: whole("I did it"),
          }
        : { ...NO_TEXTS, changes: whole("") },
  });
  const document = parsed(source);
  const ids = ["i1-check-1", "i1-check-2", "i1-check-3", "i1-output", "i1-changes", "i1-prompt", "i1-message", "i2"];
  expect(ids.filter((id) => document.getElementById(id) === null)).toEqual([]);
  expect(textOf(source, "#i1-check-1")).toBe("No output is kept here.");
  expect(textOf(source, "#i1-check-2")).toBe("1 test failed: addsnot ok 1");
  expect(textOf(source, "#i1-output")).toContain("Only its end is shown: 1,000 bytes are left out here");
  expect(textOf(source, "#i1-changes")).toMatch(
    /Only its beginning is shown: 12,345 bytes.*@@ -1 \+1 @@ -old \+new same/u,
  );
  expect(document.querySelector(".diff")?.textContent).toBe(`${diff}\n`);
  expect(document.querySelectorAll(".diff .add, .diff .cut, .diff .head, .diff .at")).toHaveLength(4);
  expect(textOf(source, "#i1")).toContain("decided: go on");
  expect(textOf(source, "#iterations ~ details summary")).toMatch(/timed out.*did not end/u);
  expect(textOf(source, "#iterations ~ details > summary")).toContain("its turn has not ended");
});

test("what only some may read is not in the page of others, and it is said [C134]", async () => {
  const secret = { text: "SEEN", leftOut: 0, part: "beginning" } as const;
  const make = async (withTexts: boolean) =>
    page({
      withTexts,
      view: aView({ prompt: "the whole task" }),
      events: [started(), ...iterations(1), turnStarted(2, { item: { id: "task", title: "the whole", text: "" } })],
      textsOf: async () => ({ prompt: secret, changes: secret, checks: null, message: secret }),
    });
  const [open, closed] = [await make(true), await make(false)];
  expect(open.match(/SEEN/gu)).toHaveLength(6);
  expect(open).toContain("the whole task");
  expect(closed).not.toMatch(/SEEN|the whole/u);
  // What a list or a story says is not the prompt.
  expect(textOf(closed, ".iteration summary")).toMatch(/Iteration 1 · the task · .*Iteration 2 · its turn/u);
  expect(textOf(closed, "main > .note")).toContain("Prompts, messages of the agent and diffs are left out");
});

test("another agent gets task, failing tests, last output and decision as one text [C131]", async () => {
  const red = aRedCheck({ command: "npm test", tail: "not ok 1 - adds\n" });
  const reason = { kind: "max_iterations", max: 2 } as const;
  const state: Partial<LoopState> = {
    status: "stopped_max_iterations",
    stop_reason: reason,
    prompt: "Fix the tests",
    checks: { success_cmd: ["npm", "test"], success_sh: null, quality_commands: [], ci_workflow: null },
    verdict: aVerdict("failed", [red]),
    failing: FAILING,
  };
  const source = await page({ view: aView(state), events: [started(), { ...STOPPED, reason }] });
  const document = parsed(source);
  const said = document.getElementById("for-an-agent")?.textContent ?? "";
  expect(said).toMatch(
    /^Task:\nFix the tests\n\nState:\n.+\n\nFailing tests:\n- a\.test > adds\n\nLast output of .+:\nnot ok 1 - adds\n\nDecision:\n.*by the rule max_iterations.*\n.*\nnext: .*smithers resume/su,
  );
});

test("a failing check without output or names is told all the same, and a check is asked for what is not known [C131]", async () => {
  const checks = { success_cmd: null, success_sh: null, quality_commands: ["lint", "npm test"], ci_workflow: null };
  const red = aRedCheck({ command: "npm test", tail: "", tests: someFailing([], 3) });
  const view = aView({ checks, verdict: aVerdict("failed", [aCheck({ command: "lint" }), red]) });
  const source = await page({ view });
  expect(parsed(source).getElementById("for-an-agent")?.textContent).toContain(
    "Last output of npm test:\n3 tests failed",
  );
  expect(textOf(source, ".verdict")).toContain("lint, npm test");
  expect(textOf(source, "section[aria-labelledby=tests]")).toContain("Now Not known.");
});

test("a loop that can go on tells what it still needs at its pace; what is not known of cost is a dash [C130]", async () => {
  const record = (iteration: number, failing: number) =>
    anIterationRecord({ iteration, cost: 100_000, failing_tests: failing });
  const view = aView({ iterations: [record(1, 4), record(2, 2)], baseline: { ...FAILING, failing_count: 6 } });
  const took = textOf(await page({ view }), "section[aria-labelledby=took]");
  expect(took).toMatch(/Cost – Still needed about 1 more turn, 0\.10 USD at this pace/u);
});

test("of very many stories those of most interest are shown, and the others counted [C131]", async () => {
  const stories = Array.from({ length: 510 }, (_, index) => aStory(`US-${String(index + 1).padStart(3, "0")}`));
  const view = aView({ stories: known([]) }, { prd: aPrd(...stories) });
  expect(textOf(await page({ view }), "section[aria-labelledby=stories] > p")).toMatch(
    /10 more, 0 of which have passed\./u,
  );
});

test("what came before the first iteration is there, and a loop without events says so [C131]", async () => {
  const source = await page({ events: [started(), aProved(aVerdict("failed", [aRedCheck()])), ...iterations(1)] });
  expect(textOf(source, "#i0")).not.toBe("");
  expect(textOf(await page({ view: aView({ iteration: 3 }), events: [] }), "main")).toContain(
    "The events of this loop are gone",
  );
  expect(textOf(await page({ events: [] }), "main")).toContain("None has begun.");
});

test("a page that would be too long leaves out what the oldest iterations wrote, and says so in place [C133]", async () => {
  const textsOf = async () => ({ ...NO_TEXTS, message: whole("x".repeat(100_000)) });
  const source = await page({ events: [started(), ...iterations(20)], textsOf }, 1_000_000);
  expect(Buffer.byteLength(source)).toBeLessThan(1_000_000);
  expect(textOf(source, "#i1")).toContain("left out, because the page would be too long");
  expect(textOf(source, "#i20")).toContain("x".repeat(1000));
});

test("of very many iterations the last are shown, and the others counted [C133]", async () => {
  const source = await page({ events: [started(), ...iterations(2_003)] });
  expect(textOf(source, "section[aria-labelledby=iterations] > p")).toBe(
    "3 earlier iterations are not on this page: it shows the last 2,000.",
  );
  expect(Buffer.byteLength(source)).toBeLessThan(10_000_000);
});
