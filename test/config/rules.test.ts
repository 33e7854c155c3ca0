import { describe, expect, test } from "vitest";
import { changeRules } from "../../src/config/settle.ts";
import { isProtected } from "../../src/core/boundary.ts";
import { PRESETS } from "../../src/config/presets.ts";
import { allowedIn, propertyName } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { complaint, type Given, problemsOf, resolve } from "./support.ts";

const write = { sandbox: "workspace-write" };

describe("combinations that are refused", () => {
  const refused = [
    [
      "success-cmd [C3]",
      { flags: { "success-cmd": '["true"]' } },
      /read-only \(default\), but success-cmd.*--full-auto/u,
    ],
    ["success-sh [C3]", { flags: { "success-sh": "true" } }, /--sandbox workspace-write/u],
    ["quality-commands [C3]", { flags: { "quality-commands": "true" } }, /quality-commands/u],
    ["CI [C3]", { env: { SMITHERS_CI_WORKFLOW: "ci.yml" } }, /but ci-workflow only/u],
    [
      "CI of work that nobody pushes",
      { inputs: { ...write, "ci-workflow": "ci.yml", "pull-request": "never" } },
      /input ci-workflow: .* pull-request is never .*`pull-request: draft`/u,
    ],
    [
      "CI of work that nobody commits",
      { inputs: { ...write, "ci-workflow": "ci.yml", commit: "never" } },
      /commit is never .*`commit: end`/u,
    ],
    [
      "CI in a job that cannot push [T17]",
      { inputs: { ...write, "ci-workflow": "ci.yml", job: "run" } },
      /input ci-workflow: job run has no token that pushes.*`job: loop`/u,
    ],
    [
      "a split job that the other one cannot find [C11]",
      { inputs: { ...write, carriers: "cache", job: "publish" } },
      /input carriers: job publish needs .* but not there: ref, artifact/u,
    ],
    ["a checklist [C3]", { flags: { backlog: "checklist" } }, /but backlog checklist only/u],
    ["a commit [C3]", { flags: { commit: "end" } }, /commit end/u],
    [
      "a pattern [W-37]",
      { flags: { "promise-mode": "regex", "completion-promise": "(" } },
      /pattern, got "\(":.*plain/u,
    ],
    ["a pattern [P12]", { flags: { "promise-mode": "regex", "completion-promise": "x*" } }, /every message/u],
    [
      "nothing ends the loop, for an empty token never matches [S-10]",
      { flags: { preset: "solo", "done-token": "" } },
      /preset solo: .*success-cmd or success-sh/u,
    ],
    ["nothing ends the loop", { flags: { "promise-mode": "off" } }, /--promise-mode: .*success-cmd or success-sh/u],
    [
      "quality commands are never sufficient [D-23]",
      { flags: { ...write, "promise-mode": "off", "quality-commands": "true" } },
      /only a limit could end the loop/u,
    ],
    ["two prompts", { flags: { prompt: "a", "prompt-file": "b" } }, /--prompt and --prompt-file/u],
    ["contradiction [W-23]", { flags: { "full-auto": "on", sandbox: "read-only" } }, /--full-auto .*--sandbox/u],
    ["no script", { flags: { provider: "scripted" } }, /--provider: .*without script.*--script/u],
    ["no command", { env: { SMITHERS_PROVIDER: "command" } }, /without provider-command/u],
    ["full access in a file [W-55]", { file: 'sandbox = "danger-full-access"' }, /must not do that/u],
    ["in its arguments [W-55]", { file: 'provider-args = ["--yolo"]' }, /--yolo/u],
  ] as const satisfies readonly (readonly [string, Given, RegExp])[];

  test.each(refused)("%s", (_, given, message) => {
    expect(problemsOf(given)).toHaveLength(1);
    expect(complaint(given)).toMatch(message);
  });
});

describe("combinations that are said", () => {
  const said = [
    ["a short promise [P11]", { flags: { "promise-mode": "plain", "completion-promise": "OK" } }, /so short/u],
    [
      "a promise that its preset does not know",
      { flags: { "completion-promise": "DONE", preset: "loopr" } },
      /--completion-promise is not used: promise-mode is off \(preset loopr\)\. Look for it with --promise-mode tag/u,
    ],
    [
      "a promise of the file that a flag turns off",
      { flags: { "promise-mode": "off", "done-token": "X" }, file: 'completion-promise = "DONE"' },
      /line 1 \[completion-promise\] is not used: promise-mode is off \(--promise-mode\)/u,
    ],
    ["on-failure [C19]", { flags: { "ask-for-approval": "on-failure" } }, /no effect/u],
    [
      "two success checks [S-18]",
      { flags: { ...write, "success-sh": "a" }, file: 'success-cmd = ["b"]' },
      /line 1 \[success-cmd\] decides; --success-sh is not used/u,
    ],
    ["a script for nobody", { flags: { script: "x" } }, /--script is not used: the provider is codex/u],
    ["no time [PRE 10]", { flags: { "time-budget-minutes": "5" } }, /pauses at once/u],
    [
      "a prompt outranks the file's",
      { flags: { prompt: "a" }, file: 'prompt-file = "b"' },
      /--prompt outranks \.smithers\.toml line 1/u,
    ],
    [
      "a sandbox outranks the file's full-auto",
      { flags: { sandbox: "read-only" }, file: "full-auto = true" },
      /--sandbox outranks .*read-only/u,
    ],
  ] as const satisfies readonly (readonly [string, Given, RegExp])[];

  test.each(said)("%s", (_, given, message) => {
    expect(resolve(given).notices).toEqual([expect.stringMatching(message)]);
  });

  test("a todo file that the agent cannot tick is told, and nothing where it can [W-68, C65]", () => {
    const told = (flags: Record<string, string>) => resolve({ flags: { "todo-file": "TODO.md", ...flags } }).notices;
    expect(told({})).toEqual([expect.stringMatching(/read-only \(default\).* TODO\.md: only you can\. .*--sandbox/u)]);
    expect(told(write)).toEqual([]);
    expect(told({ provider: "scripted", script: "s" })).toEqual([]);
  });

  test("nothing is said about the usual", () => {
    const usual = { prompt: "a", "full-auto": "on", "success-cmd": '["npm","test"]', "time-budget-minutes": "60" };
    expect(resolve({ flags: usual }).notices).toEqual([]);
  });

  test("the prompt that lost is gone", () => {
    const { config } = resolve({ flags: { "prompt-file": "b" }, file: 'prompt = "a"' });
    expect([config.prompt, config.promptFile]).toEqual([null, "b"]);
  });
});

describe("combinations that are allowed", () => {
  test.each([
    ["read-only without anything to write [W-54]", { flags: { prompt: "Review the code." } }],
    ["a provider that knows no sandbox", { flags: { provider: "scripted", script: "s", "success-sh": "true" } }],
    ["promise-mode off with a done token [S-10]", { flags: { "promise-mode": "off", "done-token": "READY" } }],
    ["promise-mode off with a success command", { flags: { ...write, "promise-mode": "off", "success-sh": "true" } }],
    ["a success command with full-auto", { flags: { "full-auto": "on", "success-sh": "true" } }],
    ["full-auto with its own sandbox", { flags: { "full-auto": "on", sandbox: "workspace-write" } }],
  ] as const)("%s", (_, given) => {
    expect(problemsOf(given)).toEqual([]);
  });
});

describe("full-auto [W-23]", () => {
  test.each([
    ["alone", { flags: { "full-auto": "on" } }, "workspace-write", "--full-auto"],
    [
      "over a sandbox of the file",
      { flags: { "full-auto": "on" }, file: 'sandbox = "read-only"' },
      "workspace-write",
      "--full-auto",
    ],
    ["not at all", {}, "read-only", "default"],
    ["taken back", { flags: { "full-auto": "off" }, file: "full-auto = true" }, "read-only", "default"],
  ] as const)("%s", (_, given, sandbox, where) => {
    const { config, sources } = resolve(given);
    expect([config.sandbox, sources.sandbox.where]).toEqual([sandbox, where]);
  });
});

describe("danger [W-55, W-56]", () => {
  test.each([
    ["a flag", { flags: { sandbox: "danger-full-access" } }, "--sandbox"],
    ["a variable", { env: { SMITHERS_SANDBOX: "danger-full-access" } }, "SMITHERS_SANDBOX"],
    [
      "an argument of the agent",
      { flags: { "provider-args": '["--dangerously-bypass-approvals-and-sandbox"]' } },
      "--provider-args",
    ],
  ] as const)("%s is warned about with a banner", (_, given, where) => {
    const [banner = ""] = resolve(given).notices;
    expect(banner.split("\n").length).toBeGreaterThan(3);
    expect(banner).toContain("DANGER");
    expect(banner).toContain(where);
  });

  test.each(Object.entries(PRESETS))("preset %s never implies it", (name) => {
    const stories = name === "daedalus" ? { prd: "shop", "quality-commands": "npm test" } : {};
    const sandbox = name === "ralph" || name === "daedalus" ? { ...write, ...stories } : {};
    const { config, notices } = resolve({ flags: { preset: name, ...sandbox } });
    expect(config.sandbox).not.toBe("danger-full-access");
    expect(config.providerArgs).toEqual([]);
    expect(notices).toEqual([]);
  });
});

describe("presets", () => {
  test("waylon is the seed's careful defaults [W-54]", () => {
    expect(resolve({ flags: { preset: "waylon" } }).config).toMatchObject({
      maxIterations: 30,
      completionPromise: "TASK_COMPLETE",
      sandbox: "read-only",
      askForApproval: "on-request",
      hardStopMode: "pause",
    });
  });

  test("ralph has Ralph's files, thresholds and gate [R-15, R-16, R-18, R-26, R-32, C5, C6]", () => {
    expect(resolve({ flags: { preset: "ralph", "full-auto": "on" } }).config).toMatchObject({
      backlog: "checklist",
      planFile: "@fix_plan.md",
      agentFile: "@AGENT.md",
      promptFile: "PROMPT.md",
      promiseMode: "off",
      statusBlock: "ralph",
      exitGate: "dual",
      maxCallsPerHour: 100,
      maxNoProgress: 3,
      maxSameError: 5,
      breakerOpenMultiplier: 2,
    });
  });

  test("ralph needs an agent that may write, and the person says so [C3]", () => {
    expect(complaint({ flags: { preset: "ralph" } })).toMatch(/backlog checklist only.*--full-auto/u);
  });

  test("ralph takes the exit signal alone where that is said [R-28]", () => {
    const flags = { preset: "ralph", "full-auto": "on", "exit-gate": "signal" };
    expect(resolve({ flags }).config.exitGate).toBe("signal");
  });

  test.each([
    ["the todo file [W-29]", { "todo-file": "TODO.md" }, "TODO.md"],
    ["Ralph's [R-26]", {}, "@fix_plan.md"],
    ["the one that is named", { "todo-file": "TODO.md", "plan-file": "docs/plan.md" }, "docs/plan.md"],
  ])("without a preset the plan is %s", (_title, files, plan) => {
    expect(resolve({ flags: { ...write, backlog: "checklist", ...files } }).config.planFile).toBe(plan);
  });

  test("solo may write and leaves the approval unset [C3, C19]", () => {
    const { config, sources } = resolve({ file: 'preset = "solo"' });
    expect(config).toMatchObject({ sandbox: "workspace-write", askForApproval: null });
    expect(sources.sandbox).toEqual({ from: "preset", where: "preset solo" });
  });

  test("daedalus has stories of a PRD, a fresh session and a commit for each, and Codex [D-01, D-02, D-21, D-36]", () => {
    const given = { ...write, prd: "shop", "quality-commands": "npm test" };
    expect(resolve({ flags: { preset: "daedalus", ...given } }).config).toMatchObject({
      ...{ backlog: "prd", prd: "shop", session: "fresh", commit: "story", provider: "codex", retries: 3 },
    });
  });

  test("a given sandbox outranks the one of solo", () => {
    const { config } = resolve({ flags: { preset: "solo", sandbox: "read-only" } });
    expect(config.sandbox).toBe("read-only");
  });

  test.each(Object.entries(PRESETS))("preset %s only sets what a preset may set", (_, values) => {
    const allowed = new Set(SETTINGS.filter((row) => allowedIn(row, "preset")).map((row) => propertyName(row.name)));
    expect(Object.keys(values).filter((property) => !allowed.has(property))).toEqual([]);
  });
});

const NO_RULES = {
  configFile: ".smithers.toml",
  soloConfig: null,
  maxChangedFiles: 0,
  maxChangedBytes: 0,
  protectedPaths: [],
  ciWorkflow: null,
  prd: null,
};

test.each([
  [".daedalus/prds/shop/prd.json", false],
  ["packages/a/.daedalus/prds/shop/prd.md", false],
  [".daedalus/prds/shop/more.md", true],
  [".daedalus/prds/other/prd.json", true],
])("while the stories of shop are worked on, %s is protected: %s [T17]", (file, expected) => {
  const held = (prd: string | null) => isProtected(changeRules({ ...NO_RULES, prd }, "/w").protectedPaths, file);
  expect(held("shop")).toBe(expected);
  expect(held(null)).toBe(false);
});

test.each(["action.yml", "tools/build/action.yml", "tools/build/ACTION.yaml"])(
  "a local action, %s, is protected where CI judges the work, unless somebody opens it [T17]",
  (file) => {
    const held = (rules: Partial<Parameters<typeof changeRules>[0]>): boolean =>
      isProtected(changeRules({ ...NO_RULES, ...rules }, "/w").protectedPaths, file);
    expect(held({ ciWorkflow: "ci.yml" })).toBe(true);
    expect(held({ ciWorkflow: null })).toBe(false);
    expect(held({ ciWorkflow: "ci.yml", protectedPaths: [`!${file}`] })).toBe(false);
  },
);

test.for([
  ["conf/loop.toml", "conf/loop.toml"],
  ["./conf/../loop.toml", "packages/a/loop.toml"],
  ["../loop.toml", "loop.toml"],
  ["/w/conf/loop.toml", "packages/a/conf/loop.toml"],
] as const)("a config file that somebody names, %s, is protected as %s [T8, T17]", ([configFile, held]) => {
  const named = { ...NO_RULES, configFile, soloConfig: "solo.json" };
  const { protectedPaths } = changeRules(named, "/w");
  expect(isProtected(protectedPaths, held)).toBe(true);
  expect(isProtected(protectedPaths, "b/solo.json")).toBe(true);
  expect(isProtected(protectedPaths, "other.toml")).toBe(false);
  expect(isProtected(changeRules({ ...named, protectedPaths: [`!${held}`] }, "/w").protectedPaths, held)).toBe(false);
});
