import { access } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cli, jsonOf, stage } from "./run-cli.ts";

describe.concurrent("--dry-run", () => {
  test("shows settings with their sources, the first prompt and the command; writes nothing", async () => {
    await using repo = await stage({ ".smithers.toml": 'model = "gpt"\n' });
    const answer = await cli(["Fix the tests", "--dry-run", "--full-auto", "--loop-id", "L"], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stdout).toMatch(/^ {2}model +gpt +\.smithers\.toml line 1 \[model\]$/mu);
    expect(answer.stdout).toMatch(/^ {2}sandbox +workspace-write +--full-auto$/mu);
    expect(answer.stdout).toMatch(
      /codex exec --json -C \S+ -s workspace-write .*-m gpt.* -o \S+last_message_iter_1\.txt -$/mu,
    );
    expect(answer.stdout).toContain("<task>\nFix the tests\n</task>");
    expect(answer.stdout).toContain("Loop L, iteration 1 of 30");
    await expect(access(path.join(repo.path, ".codex"))).rejects.toThrow("ENOENT");
    expect(await repo.git("status", "--porcelain")).toBe("");
  });

  test("of a resumed loop: the prompt that would go on, and the task from the store", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: "half way" }] });
    await cli(["Fix the tests", ...script, "--max-iterations", "1", "--completion-promise", "ALL_GREEN"], repo.path);
    const before = await repo.git("status", "--porcelain", "--ignored");
    const answer = await cli(["resume", "--dry-run", "--json", ...script, "--max-iterations", "2"], repo.path);
    expect(jsonOf(answer)).toMatchObject({
      dry_run: true,
      opening: "resume",
      sources: { completionPromise: { where: "the stored loop" } },
      command: ["scripted", path.join(repo.path, "script.json")],
    });
    expect(String(jsonOf(answer)["prompt"])).toContain("half way");
    expect(String(jsonOf(answer)["prompt"])).toContain("<promise>ALL_GREEN</promise>");
    expect(await repo.git("status", "--porcelain", "--ignored")).toBe(before);
  });

  test("says when no turn would be taken", async () => {
    await using repo = await stage();
    const answer = await cli(["x", "--dry-run", "--time-budget-minutes", "0"], repo.path);
    expect(answer.stdout).toContain("No turn would be taken: paused_time_budget");
  });

  test("of a loop that waits for a person: no turn, and the command that goes on [C25]", async () => {
    await using repo = await stage({ "TODO.md": "- [x] one\n\nHARD STOP: look at it\n" });
    const script = await repo.play({ turns: [{ lastMessage: "one" }] });
    const args = ["x", "--loop-id", "L", ...script, "--todo-file", "TODO.md"];
    await cli(args, repo.path);
    const answer = await cli([...args, "--dry-run"], repo.path);
    expect(answer.stdout).toContain("No turn would be taken: paused_hard_stop");
    expect(answer.stdout).toMatch(/confirm and go on with: smithers resume --loop-id L$/mu);
    expect(answer.stdout).not.toContain("First prompt");
  });

  test("a secret is not shown", async () => {
    await using repo = await stage();
    const secrets = {
      SMITHERS_API_KEY: "hush-a",
      SMITHERS_GITHUB_TOKEN: "hush-b",
      SMITHERS_STATE_KEY: `hush-${"c".repeat(60)}`,
    };
    const answer = await cli(["x", "--dry-run", "--json"], repo.path, secrets);
    expect(answer.code).toBe(0);
    expect(answer.stdout + answer.stderr).not.toContain("hush");
  });
});
