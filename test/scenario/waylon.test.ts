import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { cancel } from "../../src/commands/control.ts";
import { resume, run } from "../../src/commands/run.ts";
import { status } from "../../src/commands/status.ts";
import { stage, type Stage } from "../cli/run-cli.ts";
import { type GivenFlags, inProcess, type Said } from "../support/in-process.ts";

const LOOPS = ".codex/waylon-smithers/loops";
const PROMPT = "Go through TODO.md step-by-step.";
const WORKS = { lastMessage: "One more.", files: { "a.txt": "{{iteration}}\n" } };
const CLAIMS = { lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" };

/** A loop called L with the scripted agent. */
async function loop(repo: Stage, given: GivenFlags, turns: readonly object[] = []): Promise<Said> {
  if (turns.length > 0) await repo.play({ turns: [...turns] });
  const agent = { provider: "scripted", script: "script.json", "loop-id": "L" };
  return inProcess(run, repo.path, { prompt: PROMPT, preset: "waylon", ...agent, ...given });
}

async function stateOf(repo: Stage, loopId = "L"): Promise<Record<string, unknown>> {
  const json: unknown = JSON.parse(await readFile(path.join(repo.path, LOOPS, `${loopId}.json`), "utf8"));
  return z.record(z.string(), z.unknown()).parse(json);
}

describe("waylon-smithers' own document, on a disk", () => {
  test("three iterations in one session, until the promise [W-01, W-02, W-35, W-38, W-59, W-60, FR1, acceptance 1, acceptance 2]", async () => {
    await using repo = await stage();
    const ended = await loop(repo, {}, [WORKS, WORKS, CLAIMS]);
    expect(ended.code).toBe(0);
    const summary: unknown = JSON.parse(await readFile(path.join(repo.path, LOOPS, "L/summary.json"), "utf8"));
    expect(summary).toMatchObject({
      status: "completed",
      iterations: [
        { session: "fresh", session_id: "scripted-1" },
        { session: "resumed", session_id: "scripted-1" },
        { session: "resumed", session_id: "scripted-1", claimed: true, detected_promise: true },
      ],
      metrics: { completion_rate: 1, median_iterations_to_complete: 3, refused_claims: 0 },
    });
  });

  test("what a loop leaves, by the names of the document [W-18, W-26, W-27, W-28, W-36, W-42, FR2, FR6]", async () => {
    await using repo = await stage();
    await loop(repo, {}, [WORKS, CLAIMS]);
    expect(await readdir(path.join(repo.path, LOOPS))).toEqual(["L", "L.json"]);
    const left = await readdir(path.join(repo.path, LOOPS, "L"));
    expect(left).toEqual(
      expect.arrayContaining([
        ...["events_iter_1.jsonl", "events_iter_2.jsonl", "last_message_iter_1.txt", "last_message_iter_2.txt"],
        ...["events.jsonl", "progress.md", "summary.json"],
      ]),
    );
    const message = await readFile(path.join(repo.path, LOOPS, "L/last_message_iter_2.txt"), "utf8");
    expect(message).toBe(CLAIMS.lastMessage);
    expect(await repo.git("status", "--porcelain")).toBe("?? a.txt");
  });

  test("every field of the state has the name and the form of the document [W-41, W-48, FR5]", async () => {
    await using repo = await stage({ "TODO.md": "- [x] one\n" });
    await loop(repo, { "todo-file": "TODO.md", model: "m", profile: "p", "max-iterations": "50" }, [WORKS, CLAIMS]);
    expect(await stateOf(repo)).toMatchObject({
      loop_id: "L",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/u),
      workspace_root: repo.path,
      prompt: PROMPT,
      completion_promise: "TASK_COMPLETE",
      promise_mode: "tag",
      max_iterations: 50,
      iteration: 2,
      status: "completed",
      codex: {
        session_id: "scripted-1",
        model: "m",
        sandbox: "read-only",
        approval: "on-request",
        profile: "p",
      },
      todo: { path: "TODO.md", hard_stop_token: "HARD STOP", hard_stop_mode: "pause", paused_for_hard_stop: false },
      artifacts: {
        dir: expect.stringMatching(/\/L\/?$/u),
        last_message_path: "last_message_iter_2.txt",
        jsonl_path: "events_iter_2.jsonl",
        summary_json_path: "summary.json",
      },
      last_result: { exit_code: 0, detected_promise: true },
    });
  });

  test("the cap stops it, and says what to do next [W-14, W-32, W-39, W-61, FR4, acceptance 3]", async () => {
    await using repo = await stage();
    const ended = await loop(repo, { "max-iterations": "2" }, [WORKS, WORKS]);
    expect(ended.code).toBe(2);
    expect(await stateOf(repo)).toMatchObject({ status: "stopped_max_iterations", iteration: 2 });
    const told = await inProcess(status, repo.path, { "loop-id": "L" });
    expect(told.stdout).toMatch(/sharpen the prompt or add a test, raise --max-iterations/u);
  });

  test("HARD STOP pauses until a person confirms [W-29, W-30, W-31, W-34, W-43, W-44, W-63, FR7, acceptance 5]", async () => {
    await using repo = await stage({ "TODO.md": "- [ ] one\nHARD STOP\n- [ ] two\n" });
    const ticked = { lastMessage: "x", files: { "TODO.md": "- [x] one\nHARD STOP\n- [ ] two\n" } };
    const script = { provider: "scripted", script: "script.json" };
    const claims = { ...CLAIMS, files: { "TODO.md": "- [x] one\nHARD STOP\n- [x] two\n" } };
    const paused = await loop(repo, { "todo-file": "TODO.md" }, [WORKS, ticked, claims]);
    expect(paused.code).toBe(3);
    expect(await stateOf(repo)).toMatchObject({
      status: "paused_hard_stop",
      iteration: 2,
      todo: { paused_for_hard_stop: true },
    });
    // Nobody has confirmed anything: the same command again leaves it as it is.
    expect((await loop(repo, { "todo-file": "TODO.md" })).code).toBe(3);
    expect(await stateOf(repo)).toMatchObject({ iteration: 2 });
    expect((await inProcess(resume, repo.path, { "loop-id": "L", ...script })).code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ status: "completed", todo: { paused_for_hard_stop: false } });
  });

  test("a resuming person can say something, which only the next turn hears [W-34, C10]", async () => {
    await using repo = await stage();
    await loop(repo, { "max-iterations": "1" }, [WORKS, CLAIMS]);
    const again = { "loop-id": "L", provider: "scripted", script: "script.json", "max-iterations": "2" };
    const guidance = "Use the v2 API.";
    const shown = await inProcess(resume, repo.path, { ...again, guidance, "dry-run": "on" });
    expect(shown.stdout).toContain(`<reviewer>\n${guidance}\n</reviewer>`);
    const refused = await inProcess(resume, repo.path, { ...again, guidance: " " });
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining("--guidance: expected a text")]);
    expect((await inProcess(resume, repo.path, { ...again, guidance })).code).toBe(0);
    const events = await readFile(path.join(repo.path, LOOPS, "L/events.jsonl"), "utf8");
    expect(events).toContain(`"guidance":"${guidance}"`);
    expect(await stateOf(repo)).toMatchObject({ status: "completed", guidance: null });
  });

  test("with the mode exit it stops immediately, under the same name [W-31, W-45, FR7]", async () => {
    await using repo = await stage({ "TODO.md": "PLEASE LOOK\n" });
    const flags = { "todo-file": "TODO.md", "hard-stop-token": "PLEASE LOOK", "hard-stop-mode": "exit" };
    expect((await loop(repo, flags, [WORKS, WORKS])).code).toBe(3);
    expect(await stateOf(repo)).toMatchObject({
      status: "paused_hard_stop",
      iteration: 1,
      todo: { hard_stop_token: "PLEASE LOOK", hard_stop_mode: "exit" },
    });
  });

  test("cancel marks it; the clean-up deletes the loop's artifacts and no file of the repository [W-33, W-47, FR8]", async () => {
    await using repo = await stage();
    await loop(repo, { "max-iterations": "1" }, [WORKS]);
    const canceled = await inProcess(cancel, repo.path, { "loop-id": "L", "cleanup-artifacts": "on" });
    expect(canceled.code).toBe(0);
    expect(await stateOf(repo)).toMatchObject({ status: "canceled" });
    expect(await readdir(path.join(repo.path, LOOPS))).toEqual(["L.json"]);
    expect(await readFile(path.join(repo.path, "a.txt"), "utf8")).toBe("1\n");
  });

  test("two loops side by side, each with its state and its folder [W-08, W-62, FR6, acceptance 4]", async () => {
    await using repo = await stage();
    await repo.play({ turns: [WORKS, CLAIMS] });
    const ended = await Promise.all([loop(repo, { "loop-id": "A" }), loop(repo, { "loop-id": "B" })]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(await readdir(path.join(repo.path, LOOPS))).toEqual(["A", "A.json", "B", "B.json"]);
    for (const id of ["A", "B"]) expect(await stateOf(repo, id)).toMatchObject({ loop_id: id, iteration: 2 });
  });

  test("danger is told with a banner before anything else [W-56]", async () => {
    await using repo = await stage();
    const ended = await loop(repo, { sandbox: "danger-full-access" }, [CLAIMS]);
    expect(ended.stderr).toMatch(/^smithers: !{10,} DANGER !{10,}$/mu);
  });
});
