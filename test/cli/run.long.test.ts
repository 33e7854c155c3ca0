import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cli, jsonOf, stage } from "./run-cli.ts";

const DONE = "All done.\n<promise>TASK_COMPLETE</promise>";
const LOOPS = ".codex/waylon-smithers/loops";
/** The first turn does a part, the second the rest. */
const TWO_TURNS = {
  turns: [
    { messages: ["\u001B[31mworking\u001B[0m"], files: { "a.txt": "1\n" }, usage: { input: 1_000, output: 50 } },
    { files: { "ok.txt": "yes\n" }, lastMessage: DONE, usage: { input: 2_000, output: 70 } },
  ],
};
const CHECK = ["--success-sh", "test -f ok.txt", "--full-auto"];

describe.concurrent("smithers run", () => {
  test("one command runs to completion; progress on stderr, the result on stdout [W-04, W-60]", async () => {
    await using repo = await stage();
    const answer = await cli(["make ok.txt", ...(await repo.play(TWO_TURNS)), ...CHECK], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stdout).toContain("completed (success_command)");
    expect(answer.stdout).toContain("Verified: `test -f ok.txt` passed.");
    expect(answer.stdout).toContain("2 files changed (+2 -0)");
    expect(answer.stderr).toMatch(/^\[1\/30\] agent says: working$/mu);
    expect(answer.stderr).toMatch(/^\[2\/30\] check passed \(exit 0, .*\): test -f ok\.txt$/mu);
    expect(answer.stderr + answer.stdout).not.toContain("\u001B");
    expect((await repo.git("status", "--porcelain")).split("\n")).toEqual(["?? a.txt", "?? ok.txt"]);
  });

  test("the loop is named after repository and time [W-17, W-42]", async () => {
    await using repo = await stage();
    await cli(["x", ...(await repo.play({ turns: [{ lastMessage: DONE }] }))], repo.path);
    const [folder] = await readdir(path.join(repo.path, LOOPS));
    expect(folder).toMatch(/^repo-.*-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/u);
  });

  test("a promise without any check: completed, and NOTHING was verified is said", async () => {
    await using repo = await stage();
    const answer = await cli(["x", ...(await repo.play({ turns: [{ lastMessage: DONE }] }))], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stdout).toContain("NOTHING was verified");
    expect(answer.stdout).toContain("but nothing was changed in the tree");
  });

  test("a claim that meets a red check is refused, with a message [POST 7]", async () => {
    await using repo = await stage();
    const script = await repo.play({
      turns: [{ lastMessage: DONE }, { files: { "ok.txt": "yes\n" }, lastMessage: DONE }],
    });
    const answer = await cli(["x", ...script, "--full-auto", "--quality-commands", "test -f ok.txt"], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stderr).toMatch(/^\[1\/30\] claim refused: test -f ok\.txt is red$/mu);
    expect(answer.stderr).toMatch(/^\[2\/30\] check passed .*: test -f ok\.txt$/mu);
    expect(answer.stdout).not.toContain("nothing was changed");
  });

  test("CI, of which only a job can ask, is not a red check here, and the loop says where it goes on [C7]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ files: { "ok.txt": "yes\n" }, lastMessage: DONE }] });
    const answer = await cli(["x", ...script, ...CHECK], repo.path, { SMITHERS_CI_WORKFLOW: "ci.yml" });
    expect(answer.code).toBe(1);
    expect(answer.stdout).toContain("gate_unrunnable");
    expect(answer.stdout).toContain("only asked inside a GitHub Actions job");
    expect(answer.stderr).toMatch(/^\[1\/30\] check passed .*: test -f ok\.txt$/mu);
  });

  test("--json gives one object on stdout and leaves progress to stderr [D-34]", async () => {
    await using repo = await stage();
    const answer = await cli(["x", "--json", ...(await repo.play(TWO_TURNS)), ...CHECK], repo.path);
    expect(jsonOf(answer)).toMatchObject({
      status: "completed",
      exit_code: 0,
      iteration: 2,
      proof: { result: "verified" },
      change: { files: 2 },
      spent: { tokens: 3_120 },
      resume: null,
    });
    expect(answer.stderr).toContain("iteration 2 started");
  });

  test("the cap ends with exit code 2 and a command that goes on, which does [W-39, W-61]", async () => {
    await using repo = await stage();
    const args = ["x", "--loop-id", "L", ...(await repo.play(TWO_TURNS)), ...CHECK, "--max-iterations", "1"];
    const capped = await cli(args, repo.path);
    expect(capped.code).toBe(2);
    expect(capped.stdout).toContain("stopped_max_iterations");
    const resume = /: smithers (?<words>resume .*)$/mu.exec(capped.stdout)?.groups?.["words"]?.split(" ") ?? [];
    expect(resume.slice(0, 3)).toEqual(["resume", "--loop-id", "L"]);
    expect(await cli(resume, repo.path)).toMatchObject({ code: 0 });
  });

  test("the same command again changes nothing while the cap is reached, and keeps the exit code [C25]", async () => {
    await using repo = await stage();
    const args = ["x", "--loop-id", "L", ...(await repo.play(TWO_TURNS)), ...CHECK, "--max-iterations", "1"];
    await cli(args, repo.path);
    const file = path.join(repo.path, LOOPS, "L.json");
    const before = await readFile(file, "utf8");
    const again = await cli(args, repo.path);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("--max-iterations has to be higher");
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test.each([
    ["damaged", async (file: string) => writeFile(file, "something else")],
    ["gone", async (file: string) => rm(file)],
  ])("the same prompt again heals a loop whose prompt file is %s [W-50]", async (_, harm) => {
    await using repo = await stage({ "long.md": `Fix it. ${"x".repeat(20_000)}\n` });
    const script = await repo.play({ turns: [{ lastMessage: "half way" }, { lastMessage: "more" }] });
    const command = ["--prompt-file", "long.md", "--loop-id", "T", ...script, "--max-iterations"];
    await cli([...command, "1"], repo.path);
    const file = path.join(repo.path, ".codex/waylon-smithers/loops/T/prompt.txt");
    const prompt = await readFile(file, "utf8");
    await harm(file);
    expect((await cli(["resume", ...script], repo.path)).stderr).toContain("The whole prompt of loop T is lost");
    const answer = await cli([...command, "2"], repo.path);
    expect(answer).toMatchObject({ code: 2 });
    expect(answer.stdout).toContain("Took: 2 of 2 iterations");
    expect(await readFile(file, "utf8")).toBe(prompt);
  });

  test("a finished loop begins again as the next generation, and its record is archived [C25]", async () => {
    await using repo = await stage();
    const args = ["x", "--loop-id", "L", ...(await repo.play({ turns: [{ lastMessage: DONE }] }))];
    await cli(args, repo.path);
    const again = await cli([...args, "--json"], repo.path);
    expect(jsonOf(again)).toMatchObject({ generation: 2, iteration: 1, status: "completed" });
    expect(await readdir(path.join(repo.path, LOOPS))).toEqual(["L", "L.g1", "L.g1.json", "L.json"]);
  });

  test("two loops of one repository run side by side [W-08, W-62]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ delayMs: 300, lastMessage: "not yet" }, { lastMessage: DONE }] });
    const answers = await Promise.all(
      ["A", "B"].map((id) => cli([id, "--loop-id", id, ...script, "--json"], repo.path)),
    );
    expect(answers.map(jsonOf)).toMatchObject([
      { loop_id: "A", status: "completed", iteration: 2 },
      { loop_id: "B", status: "completed", iteration: 2 },
    ]);
  });

  test("events, last messages and summary are also where they are wanted [W-26, W-27, W-28]", async () => {
    await using repo = await stage();
    const wanted = [
      "--jsonl-events",
      "out/all.jsonl",
      "--last-message-dir",
      "out/last",
      "--summary-json",
      "out/s.json",
    ];
    await cli(["x", ...(await repo.play(TWO_TURNS)), ...CHECK, ...wanted], repo.path);
    const out = path.join(repo.path, "out");
    const events = (await readFile(path.join(out, "all.jsonl"), "utf8")).trim().split("\n");
    expect(events.filter((line) => JSON.parse(line).type === "request")).toHaveLength(2);
    expect(await readFile(path.join(out, "last/last_message_iter_2.txt"), "utf8")).toBe(DONE);
    const summary = JSON.parse(await readFile(path.join(out, "s.json"), "utf8"));
    expect(summary).toMatchObject({ status: "completed", iterations: [{ iteration: 1 }, { iteration: 2 }], runs: 1 });
    expect(await repo.git("status", "--porcelain")).toBe("?? a.txt\n?? ok.txt");
  });

  test("what cannot be copied or summed up is said with what to do, and the loop completes [W-27, W-28]", async () => {
    await using repo = await stage({ file: "in the way\n" });
    const wanted = ["--last-message-dir", "file/last", "--summary-json", "file/s.json"];
    const answer = await cli(["x", "--loop-id", "L", ...(await repo.play(TWO_TURNS)), ...CHECK, ...wanted], repo.path);
    expect(answer.code).toBe(0);
    expect(answer.stderr).toMatch(/they are complete in .*\/L, and the loop goes on\. Correct --jsonl-events or/u);
    expect(answer.stderr).toContain("The summary could not be written");
    expect(answer.stderr).toMatch(/Look with \S+ status --loop-id L; make room, or correct --summary-json/u);
  });

  test("a HARD STOP pauses, and resuming is the confirmation [W-44, W-63]", async () => {
    await using repo = await stage({ "TODO.md": "- [x] one\n\nHARD STOP: look at it\n\n- [ ] two\n" });
    const two = { files: { "TODO.md": "- [x] one\n\nHARD STOP: look at it\n\n- [x] two\n" }, lastMessage: DONE };
    const script = await repo.play({ turns: [{ lastMessage: "one" }, two] });
    const args = ["x", "--loop-id", "L", ...script, "--todo-file", "TODO.md"];
    const paused = await cli(args, repo.path);
    expect(paused.code).toBe(3);
    expect(paused.stdout).toContain("paused_hard_stop");
    expect(paused.stdout).toContain("HARD STOP: look at it");
    const again = await cli(args, repo.path);
    expect(again.code).toBe(3);
    expect(again.stderr).toMatch(/confirm and go on with: smithers resume --loop-id L$/mu);
    const resumed = await cli(["resume", ...script], repo.path);
    expect(resumed).toMatchObject({ code: 0 });
  });

  test("commit end leaves one commit with trailers and a clean tree [C13]", async () => {
    await using repo = await stage();
    const script = await repo.play(TWO_TURNS);
    const answer = await cli(["make ok.txt", ...script, ...CHECK, "--commit", "end", "--loop-id", "L"], repo.path);
    expect(answer.code).toBe(0);
    expect(await repo.git("log", "-1", "--format=%s %(trailers:key=Smithers-Loop,separator=)")).toBe(
      "smithers: make ok.txt Smithers-Loop: L",
    );
    expect(await repo.git("status", "--porcelain")).toBe("");
  });

  test("settings of the file and the environment count, and the prompt may come from a file", async () => {
    await using repo = await stage({ ".smithers.toml": "max-iterations = 7\n", "prompt.md": "Do it.\n" });
    const script = await repo.play({ turns: [{ lastMessage: "{{prompt}}" }] });
    const env = { SMITHERS_PROMPT_FILE: "prompt.md", SMITHERS_MAX_ITERATIONS: "1" };
    const answer = await cli([...script, "--loop-id", "L"], repo.path, env);
    expect(answer.code).toBe(2);
    expect(await readFile(path.join(repo.path, LOOPS, "L/last_message_iter_1.txt"), "utf8")).toContain("Do it.");
  });

  test("full access is warned about before and after [W-56]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: DONE }] });
    const answer = await cli(["x", ...script, "--sandbox", "danger-full-access"], repo.path);
    expect(answer.stderr).toContain("DANGER");
    expect(answer.stdout).toContain("WARNING");
  });

  test("a turn that the agent cannot take ends in an error, exit code 1, and can be resumed", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ failure: { kind: "auth", message: "key refused" } }] });
    const answer = await cli(["x", ...script], repo.path);
    expect(answer.code).toBe(1);
    expect(answer.stdout).toContain("key refused");
    expect(answer.stdout).toContain("smithers resume --loop-id");
  });
});
