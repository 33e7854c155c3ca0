import { execFile, execFileSync } from "node:child_process";
import { access, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platformNotices } from "../../src/commands/run.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { settingFlags } from "../../src/config/describe.ts";
import { FIRST_SCREEN } from "../../src/setup/first-screen.ts";
import { SETUP_COMMANDS } from "../../src/setup/commands.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { cli, jsonOf, stage, type Stage } from "./run-cli.ts";

let repo: Stage;
let scripted: readonly string[];

beforeAll(async () => {
  repo = await stage();
  scripted = await repo.play({ turns: [{ lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" }] });
});
afterAll(async () => {
  await repo[Symbol.asyncDispose]();
});

/** Everything that a command could have written. */
async function traces(): Promise<unknown> {
  const state = await access(path.join(repo.path, ".codex")).then(
    () => "state",
    () => "none",
  );
  return [
    state,
    await repo.git("status", "--porcelain"),
    await readFile(path.join(repo.path, ".git/info/exclude"), "utf8"),
  ];
}

describe.concurrent("bad input: one clear message with the next step, exit code 64, nothing written", () => {
  test.each<[string, string[], string, string]>([
    [
      "an unknown flag",
      ["x", "--max-iteration", "3"],
      "unknown option '--max-iteration'",
      "Did you mean --max-iterations?",
    ],
    ["a bad number", ["x", "--max-iterations", "many"], "--max-iterations: expected a whole number", "max-iterations"],
    [
      "an empty promise [W-37]",
      ["x", "--completion-promise", ""],
      "--completion-promise: expected a text",
      "TASK_COMPLETE",
    ],
    [
      "a bad pattern [W-37]",
      ["x", "--promise-mode", "regex", "--completion-promise", "(a"],
      "expected a JavaScript pattern",
      "Correct the pattern",
    ],
    ["no prompt", [], "There is no prompt", 'smithers "Fix the failing tests"'],
    ["an empty prompt", ["  "], "There is no prompt", "Say what to do"],
    ["a missing prompt file", ["--prompt-file", "none.md"], "none.md cannot be read", "preset ralph wants PROMPT.md"],
    ["two words without quotes", ["fix", "tests"], "too many arguments", "quotes"],
    ["a mistyped command", ["statsu"], "There is no command statsu", "Did you mean smithers status?"],
    [
      "a read-only agent whose work is checked [C3]",
      ["x", "--success-sh", "true"],
      "The sandbox is read-only",
      "--sandbox workspace-write",
    ],
    ["a loop id with a path in it [C9]", ["x", "--loop-id", "../x"], "--loop-id", "loop-id"],
    ["the same for status [C9]", ["status", "--loop-id", "../x"], "--loop-id", "loop-id"],
    ["a loop that is not there [W-32]", ["status", "--loop-id", "none"], "There is no loop none", "--loop-id"],
    ["no loop at all", ["resume"], "There is no loop", "start a loop with a prompt"],
    ["words where resume takes a name", ["resume", "use tabs"], '"use tabs" is none', "resume --guidance"],
    ["a workspace that is not there", ["x", "--cd", "none"], "does not exist", "--cd"],
    [
      "a config file that is not there",
      ["x", "--config-file", "none.toml"],
      "no config file none.toml",
      "--config-file",
    ],
    ["a script that is not there", ["x", "--provider", "scripted", "--script", "none"], "cannot be read", "--script"],
    ["an approval that no agent knows [W-24]", ["x", "--ask-for-approval", "untrusted"], "expected one of", "sandbox"],
    ["a secret in the process list", ["x", "--api-key", "k"], "is a secret", "SMITHERS_API_KEY"],
  ])("%s", async (_, args, what, next) => {
    const before = await traces();
    const answer = await cli(args, repo.path);
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toContain(what);
    expect(answer.stderr.slice(answer.stderr.indexOf("Next: "))).toContain(next);
    expect(answer.stderr).toContain("Nothing was started or changed.");
    expect(await traces()).toEqual(before);
  });
});

describe("bad input that only the place tells", () => {
  test("no Codex on PATH", async () => {
    const before = await traces();
    await using programs = await tempFolder();
    await symlink((await promisify(execFile)("which", ["git"])).stdout.trim(), path.join(programs.path, "git"));
    const answer = await cli(["x"], repo.path, { PATH: programs.path });
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toContain("There is no program `codex`");
    expect(answer.stderr).toContain("npm install -g @openai/codex");
    expect(await traces()).toEqual(before);
  });

  test.each<[string, string, Record<string, string>, string, string]>([
    [
      "nobody is logged in",
      "",
      { HTTPS_PROXY: "x" },
      "Codex is not logged in",
      "Run codex login, or set CODEX_API_KEY.",
    ],
    ["there is no network", 'openai_base_url = "http://model.invalid/v1"\n', {}, "no connection to model.invalid", ""],
    ["nothing answers", 'openai_base_url = "http://127.0.0.1:9/v1"\n', {}, "127.0.0.1:9 (ECONNREFUSED)", "HTTPS_PROXY"],
  ])("a turn that cannot be taken: %s [C68]", async (_title, config, env, what, next) => {
    const before = await traces();
    await using home = await tempFolder("home-");
    await mkdir(path.join(home.path, ".codex"));
    await writeFile(path.join(home.path, ".codex/config.toml"), config);
    const flags = ["x", "--sandbox", "danger-full-access"];
    const answer = await cli(flags, repo.path, { HOME: home.path, ...env });
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toContain(what);
    expect(answer.stderr).toContain(next);
    expect(answer.stderr).toContain("Nothing was started.");
    expect(await traces()).toEqual(before);
  });

  test("no git on PATH; outside of a repository it is not needed [W-25]", async () => {
    const before = await traces();
    const answer = await cli(["x", ...scripted], repo.path, { PATH: "/nonexistent" });
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toContain("git could not be started");
    expect(answer.stderr).toContain("Next: Install git, or put it on the PATH");
    expect(await traces()).toEqual(before);
    const script = ["--provider", "scripted", "--script", path.join(repo.path, "script.json")];
    const outside = ["--cd", "/", "--skip-git-repo-check", "--commit", "end"];
    const refused = await cli(["x", ...script, ...outside], repo.path, { PATH: "/nonexistent" });
    expect(refused.stderr).toContain("commit is end, but / is no git repository");
    expect(refused.stderr).not.toContain("could not be started");
  });

  test.each(["MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge"])("no commits while there is %s [C13]", async (name) => {
    const file = path.join(repo.path, ".git", name);
    await writeFile(file, await repo.git("rev-parse", "HEAD"));
    const before = await traces();
    const answer = await cli(["x", ...scripted, "--commit", "iteration"], repo.path);
    await rm(file);
    expect(answer).toMatchObject({ code: 64, stdout: "" });
    expect(answer.stderr).toMatch(/commit is iteration\. .* a (?:merge|cherry-pick|rebase) is in progress/u);
    expect(answer.stderr).toContain("Finish or abort it first");
    expect(await traces()).toEqual(before);
  });

  test("no git repository [W-25, R-33]", async () => {
    const script = path.join(repo.path, "script.json");
    const answer = await cli(["x", "--provider", "scripted", "--script", script, "--cd", "/"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("/ is no git repository");
    expect(answer.stderr).toContain("--skip-git-repo-check");
  });

  test("a todo file outside the workspace", async () => {
    const before = await traces();
    const answer = await cli(["x", ...scripted, "--todo-file", "../TODO.md"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("outside the workspace");
    expect(await traces()).toEqual(before);
  });

  test("a todo file that is not there [C45]", async () => {
    const before = await traces();
    const answer = await cli(["x", ...scripted, "--todo-file", "TODO-list.md"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("The todo file TODO-list.md does not exist");
    expect(await traces()).toEqual(before);
  });

  test("the checks cannot be put into a sandbox that there is none of", async () => {
    const answer = await cli(["x", ...scripted, "--success-sh", "true", "--check-sandbox", "strict"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("--check-sandbox auto");
  });

  test("a new loop that commits needs a clean work tree [C13]", async () => {
    await repo.write("mine.txt", "not committed\n");
    const before = await traces();
    const answer = await cli(["x", ...scripted, "--commit", "end"], repo.path);
    expect(answer.code).toBe(64);
    expect(answer.stderr).toContain("changes that are not committed: mine.txt");
    expect(answer.stderr).toContain("Commit or stash them first, or use --commit never.");
    expect(await traces()).toEqual(before);
    await repo.git("clean", "-fdq");
  });

  test("every problem of the settings is said at once, also to machines", async () => {
    const answer = await cli(["x", "--json", "--max-iterations", "0", "--sandbox", "none"], repo.path);
    expect(answer.code).toBe(64);
    expect(jsonOf(answer)).toMatchObject({
      schema: 1,
      exit_code: 64,
      problems: [{ code: "SETTING_INVALID" }, { code: "SETTING_INVALID" }],
    });
  });
});

describe("mistakes in flags, environment and file [D-41]", () => {
  test.each([
    ["workspace", ["--cd", "none"], "WORKSPACE_MISSING"],
    ["config file", ["--config-file", "none.toml"], "CONFIG_FILE_MISSING"],
  ])("are said together with a missing %s", async (_, flags, code) => {
    const answer = await cli(["x", "--json", ...flags], repo.path, { SMITHERS_MAX_TOKENS: "-4" });
    expect(jsonOf(answer)).toMatchObject({ exit_code: 64, problems: [{ code }, { code: "SETTING_INVALID" }] });
  });

  test("are all said when the loop's id is one of them", async () => {
    const flags = ["x", "--json", "--loop-id", "..", "--sandbox", "read-only", "--success-sh", "true"];
    const answer = await cli(flags, repo.path, { SMITHERS_MAX_TOKENS: "-4" });
    expect(answer.code).toBe(64);
    const said = JSON.stringify(jsonOf(answer)["problems"]);
    for (const problem of ["--loop-id", "SMITHERS_MAX_TOKENS", "The sandbox is read-only"]) {
      expect(said).toContain(problem);
    }
  });
});

describe("help", () => {
  test("--help is one screen that names every command [C73]", async () => {
    for (const words of [["--help"], ["-h"], ["help"], ["do it", "--help"]]) {
      const { code, stdout } = await cli(words, repo.path);
      expect({ code, stdout }).toEqual({ code: 0, stdout: FIRST_SCREEN });
    }
    const lines = FIRST_SCREEN.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    for (const { name } of [...COMMANDS, ...SETUP_COMMANDS])
      expect(FIRST_SCREEN).toMatch(new RegExp(`\\b${name}\\b`, "u"));
    expect(FIRST_SCREEN.match(/^ {2}--/gmu)).toHaveLength(10);
  });

  test("--help-all has every flag and the exit codes [section 4.5]", async () => {
    const { code, stdout } = await cli(["--help-all"], repo.path);
    expect(code).toBe(0);
    for (const { flags } of settingFlags().filter(({ hidden }) => !hidden)) expect(stdout).toContain(flags[0]);
    for (const [flag] of FIRST_SCREEN.matchAll(/^ {2}--[a-z-]+/gmu)) expect(stdout).toContain(flag.trim());
    expect(stdout).toMatch(/^ {4}2 {2}stopped_max_iterations, stopped_budget$/mu);
    expect(stdout).toMatch(/^ {3}64 {2}bad usage/mu);
    expect(stdout).toMatch(/^ {3}75 {2}waiting$/mu);
  });

  test("help on a command, on a topic, and on neither [C73]", async () => {
    const topic = await cli(["help", "limits"], repo.path);
    expect(topic.stdout).toMatch(/^Limits:\n {2}--max-iterations/u);
    expect(topic.stdout).not.toContain("--sandbox");
    expect((await cli(["help", "max-tokens"], repo.path)).stdout).toMatch(/^Limits:\n {2}--max-tokens <number>[^-]+$/u);
    const status = await cli(["help", "status"], repo.path);
    expect(status.stdout).toBe((await cli(["status", "--help"], repo.path)).stdout);
    expect((await cli(["help", "prd", "run"], repo.path)).stdout).toContain("Usage: smithers prd run");
    const unknown = await cli(["help", "limts"], repo.path);
    expect(unknown).toMatchObject({ code: 64, stdout: "" });
    expect(unknown.stderr).toContain("Did you mean smithers help limits?");
  });

  test("each command's help shows what it takes, and nothing else [C73]", async () => {
    const resume = (await cli(["resume", "--help"], repo.path)).stdout;
    expect(resume).toContain("--max-iterations");
    for (const flag of ["--prompt ", "--success-cmd", "--completion-promise"]) expect(resume).not.toContain(flag);
    const logs = (await cli(["logs", "--help"], repo.path)).stdout;
    expect(logs).toContain("-f, --follow");
    for (const flag of ["--json", "--max-iterations"]) expect(logs).not.toContain(flag);
    expect((await cli(["logs", "--json"], repo.path)).code).toBe(64);
    expect((await cli(["help", "logs"], repo.path)).stdout).toBe(logs);
    const others = ["--help-all", "trust --help", "help prd run", "explain --help", "help import"].map(async (words) =>
      cli(words.split(" "), repo.path),
    );
    const texts = [resume, logs, ...(await Promise.all(others)).map(({ stdout }) => stdout)];
    expect(texts.flatMap((text) => text.split("\n").filter(({ length }) => length > 80))).toEqual([]);
  });

  test("completion, as bash does it [C73]", async () => {
    const { stdout: script } = await cli(["completion", "bash"], repo.path);
    const complete = (...words: readonly string[]): readonly string[] => {
      const asked = `COMP_WORDS=(smithers ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}; _smithers; printf '%s\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `${script}\n${asked}`], { encoding: "utf8" })
        .trim()
        .split("\n");
    };
    expect(complete("re")).toEqual(["resume", "report", "reset-circuit", "reset-session"]);
    expect(complete("status", "--j")).toEqual(["--json"]);
    expect(complete("logs", "--fo")).toEqual(["--follow"]);
    expect(complete("--max-it")).toEqual(["--max-iterations"]);
    expect(complete("completion", "")).toContain("fish");
    expect(complete("run", "--sandbox", "")).toEqual(["read-only", "workspace-write", "danger-full-access"]);
    expect(await cli(["completion", "tcsh"], repo.path)).toMatchObject({ code: 64, stdout: "" });
  });

  test("--version", async () => {
    const { version } = JSON.parse(await readFile(path.join(import.meta.dirname, "../../package.json"), "utf8"));
    for (const word of ["--version", "version"])
      expect(await cli([word], repo.path)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

test("what Windows lacks is said before a loop begins there [S-12]", () => {
  expect(platformNotices("win32").join()).toMatch(/cmd \/C.+sandbox.+not isolated.+WSL 2/u);
  expect(platformNotices("linux")).toEqual([]);
});
