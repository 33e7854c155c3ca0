import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { agree, cli, jsonOf, stage, type Stage } from "../cli/run-cli.ts";

const DONE = { lastMessage: "All of it.\n[SOLO_DONE]" };

/** A workspace with SOLO's own configuration, under the name that SOLO looks for unless told; agreed to. */
async function soloStage(config: object, file = ".codex-solo.json"): Promise<Stage> {
  const repo = await stage({ [file]: JSON.stringify(config, null, 2) });
  await agree(repo.path, "--solo-config", file);
  return repo;
}

async function stateOf(repo: Stage): Promise<unknown> {
  return JSON.parse(await readFile(path.join(repo.path, ".codex/waylon-smithers/loops/L.json"), "utf8"));
}

const AS_L = ["--loop-id", "L", "--json"];

describe.concurrent("SOLO's own document, over the command line", () => {
  test("autostart works through it by itself until the token [S-01, S-05, S-07, S-08, S-09, S-10, S-15, S-16, S-19, S-21, S-23]", async () => {
    const config = { autostart: true, kickoff_prompt: "Port the module", continue_prompt: "Go on porting" };
    await using repo = await soloStage({ ...config, interval_seconds: 0.05 });
    const script = await repo.play({ turns: [{ lastMessage: "half" }, DONE] });
    const answer = await cli([...AS_L, ...script], repo.path);
    expect(answer.stderr).toContain("done_token");
    expect([answer.code, jsonOf(answer)["status"]]).toEqual([0, "completed"]);
    expect(await stateOf(repo)).toMatchObject({
      status: "completed",
      iteration: 2,
      prompt: "Port the module",
      stop_reason: { kind: "done_token", verified: false },
      solo: { done_token: "[SOLO_DONE]" },
      checks: { success_cmd: null, success_sh: null },
      last_turn: { claim: { token_done: true }, summary: "All of it.\n[SOLO_DONE]" },
    });
  });

  test("two configurations in one folder, each by its variable, seen from the workspace [S-04, S-06, S-12, S-24]", async () => {
    await using repo = await soloStage({ success_sh: "test -f FINISH.txt", kickoff_prompt: "Run" }, "a/solo-a.json");
    await writeFile(path.join(repo.path, "solo-b.json"), '{"kickoff_prompt": "Judge", "done_token": "[JUDGED]"}');
    const script = await repo.play({ turns: [{ lastMessage: "x", files: { "FINISH.txt": "yes" } }] });
    const runner = await cli([...AS_L, ...script], repo.path, { CODEX_SOLO_CONFIG: "a/solo-a.json" });
    expect(runner.code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ prompt: "Run", stop_reason: { kind: "success_command" } });
    const judge = await cli(["--dry-run", "--loop-id", "J", ...script], repo.path, {
      CODEX_SOLO_CONFIG: "solo-b.json",
    });
    expect(judge.stdout).toContain("<task>\nJudge\n</task>");
    expect(judge.stdout).toContain("print the marker [JUDGED]");
  });

  test("a success command outranks the token, which is then not enough [C7, S-02, S-11, S-18, S-22]", async () => {
    const success = ["node", "-e", "process.exit(require('fs').existsSync('FINISH.txt') ? 0 : 1)"];
    await using repo = await soloStage({ success_cmd: success, success_sh: "true" });
    const script = await repo.play({ turns: [DONE, { lastMessage: "x", files: { "FINISH.txt": "yes" } }] });
    const answer = await cli(["Port it", "--preset", "solo", ...AS_L, ...script], repo.path);
    expect(answer.code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ iteration: 2, stop_reason: { kind: "success_command" } });
  });

  test("the settings that enabling applies, with the variables over the file [S-03, S-14, S-17, S-20]", async () => {
    await using repo = await soloStage({ kickoff_prompt: "Go", continue_prompt: "Next", interval_seconds: 60 });
    const env = { CODEX_SOLO_AUTOSTART: "1", CODEX_SOLO_INTERVAL_SECONDS: "7", CODEX_SOLO_EXIT_ON_SUCCESS: "1" };
    const answer = await cli(["--dry-run"], repo.path, env);
    expect(answer.stdout).toMatch(/^ {2}interval-seconds +7 +CODEX_SOLO_INTERVAL_SECONDS$/mu);
    expect(answer.stdout).toMatch(/^ {2}continue-prompt +Next +\.codex-solo\.json line 3 \[continue_prompt\]$/mu);
    expect(answer.stdout).toMatch(/^ {2}sandbox +workspace-write +preset solo$/mu);
    expect(answer.stdout).toContain("print the marker [SOLO_DONE]");
    expect(answer.stdout).not.toMatch(/approval_policy/u);
  });

  test("an empty token is asked for by nobody and never matches [S-10, S-21, S-25]", async () => {
    await using repo = await soloStage({ done_token: "", success_sh: "test -f FINISH.txt", kickoff_prompt: "Go" });
    const script = await repo.play({ turns: [{ lastMessage: "" }] });
    const args = ["--solo-config", ".codex-solo.json", ...script];
    const dry = await cli([...args, "--dry-run"], repo.path);
    expect(dry.stdout).not.toMatch(/marker|SOLO_DONE/u);
    const answer = await cli([...args, ...AS_L, "--max-iterations", "1"], repo.path);
    expect(answer.code).toBe(2);
    expect(await stateOf(repo)).toMatchObject({ solo: { done_token: null }, stop_reason: { kind: "max_iterations" } });
  });

  test("a file that says nothing of autostart is left alone [S-16]", async () => {
    await using repo = await soloStage({ autostart: false, kickoff_prompt: "Go" });
    const answer = await cli(["--dry-run"], repo.path, { CODEX_SOLO_AUTOSTART: "0" });
    expect([answer.code, answer.stderr.includes("There is no prompt")]).toEqual([64, true]);
  });

  test("a named file that is not there, or one that is not JSON: nothing is written [S-05, S-06]", async () => {
    await using repo = await stage({ ".codex-solo.json": '{\n  "autostart": true,\n}' });
    const missing = await cli(["x"], repo.path, { CODEX_SOLO_CONFIG: "none.json" });
    expect([missing.code, missing.stderr]).toEqual([64, expect.stringContaining("no SOLO configuration none.json")]);
    const broken = await cli(["x"], repo.path);
    expect([broken.code, broken.stderr]).toEqual([64, expect.stringContaining(".codex-solo.json line 3, column 1")]);
    expect(await repo.git("status", "--porcelain")).toBe("");
  });

  test("a resumed loop keeps its token [C25, S-15]", async () => {
    await using repo = await soloStage({ kickoff_prompt: "Go", autostart: true });
    const script = await repo.play({ turns: [{ lastMessage: "half" }, DONE] });
    await cli([...AS_L, ...script, "--done-token", "[MINE]", "--max-iterations", "1"], repo.path);
    const answer = await cli(["resume", ...AS_L, ...script, "--max-iterations", "2"], repo.path);
    expect(answer.code).toBe(2);
    expect(await stateOf(repo)).toMatchObject({ solo: { done_token: "[MINE]" }, iteration: 2 });
  });
});
