import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cancel } from "../../src/commands/control.ts";
import { prune } from "../../src/commands/prune.ts";
import { resume, run } from "../../src/commands/run.ts";
import { status } from "../../src/commands/status.ts";
import { trust } from "../../src/commands/trust.ts";
import { identityOf, taskDigest } from "../../src/core/task.ts";
import { sha256 } from "../../src/os/digest.ts";
import { gitRepository } from "../support/git-repository.ts";
import { type GivenFlags, inProcess, type Said } from "../support/in-process.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { prd } from "./prd/documents.ts";
import { does, run as runOfPrd, shop } from "./prd/shop.ts";

const STATE = ".codex/waylon-smithers/loops/fix.json";

/** A loop that has reached its cap, in a repository and with a machine's folder of its own. */
async function cappedLoop(flags: GivenFlags = {}) {
  const repo = await gitRepository({ "work.txt": "open\n" });
  const home = await tempFolder();
  const env = { XDG_STATE_HOME: home.path };
  const script = path.join(repo.path, ".git", "script.json");
  const turns = ["one\n", "two\n", "done\n"].map((text) => ({
    files: { "work.txt": text },
    lastMessage: "<promise>TASK_COMPLETE</promise>",
  }));
  await writeFile(script, JSON.stringify({ turns }));
  const perform = (command: typeof run, given: GivenFlags, more: Readonly<Record<string, string>> = {}) =>
    inProcess(command, repo.path, given, { env: { ...env, ...more } });
  const first = await perform(run, {
    ...{ provider: "scripted", script, "loop-id": "fix", prompt: "Make work.txt say done.", "max-iterations": "1" },
    ...{ "quality-commands": "grep -qx done work.txt", "full-auto": "on", retries: "2", ...flags },
  });
  return {
    ...{ repo, first, perform, memory: path.join(home.path, "smithers", "loops") },
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const problems = ({ stdout }: Said): unknown => JSON.parse(stdout).problems;

describe("resume remembers [C25, C64]", () => {
  test("a loop goes on as it was given, the command to paste says only what is missing, and a change is told first", async () => {
    await using loop = await cappedLoop();
    const paste = "smithers resume --loop-id fix --max-iterations 2\n";
    expect(loop.first).toMatchObject({ code: 2, stdout: expect.stringContaining(paste) });
    expect((await loop.perform(status, {})).stdout).toContain(paste);
    const capped = await loop.perform(resume, {});
    expect(capped).toMatchObject({ code: 2, stderr: expect.stringContaining("--max-iterations has to be higher") });

    const second = await loop.perform(resume, { "max-iterations": "2" }, { SMITHERS_RETRIES: "5" });
    expect(second.code).toBe(2);
    const told = ["provider scripted", "full-auto on", "max-iterations: 1 so far, 2 now (--max-iterations)"];
    for (const words of [...told, "retries: 2 so far, 5 now (SMITHERS_RETRIES)"]) {
      expect(second.stderr.slice(0, second.stderr.indexOf("iteration 2 started"))).toContain(words);
    }
    // The variable is gone, and what it said holds: a limit is never lowered in silence.
    const third = await loop.perform(resume, { "max-iterations": "3" });
    expect(third).toMatchObject({ code: 0, stderr: expect.stringContaining("retries 5") });
    expect(await readFile(path.join(loop.repo.path, "work.txt"), "utf8")).toBe("done\n");
  });

  test("a check that somebody has put into the loop's record is asked about, and is not run", async () => {
    await using loop = await cappedLoop();
    const file = path.join(loop.repo.path, STATE);
    const state = JSON.parse((await readFile(file, "utf8")).replaceAll("grep -qx done work.txt", "touch pwned"));
    const digest = taskDigest(identityOf(state, "Make work.txt say done."), sha256);
    await writeFile(file, JSON.stringify({ ...state, task_digest: digest }));
    const refused = await loop.perform(resume, { "max-iterations": "2", json: "on" });
    expect([refused.code, problems(refused)]).toMatchObject([64, [{ code: "CONSENT_MISSING" }]]);
    expect(await readdir(loop.repo.path)).not.toContain("pwned");
  });

  test.each<[string, (memory: string) => Promise<unknown>]>([
    ["is gone", (memory) => rm(memory, { recursive: true })],
    [
      "cannot be understood",
      async (memory) => writeFile(path.join(memory, (await readdir(memory))[0] ?? ""), '{"schema":1,"holds":[]}'),
    ],
  ])("where what is kept %s, that is told, and the flags are said again", async (_, lose) => {
    await using loop = await cappedLoop({ "max-iterations": "2" });
    await lose(loop.memory);
    const seen = await loop.perform(status, {});
    expect(seen.stdout).toContain("smithers resume --loop-id fix");
    const refused = await loop.perform(resume, { json: "on" });
    expect(refused.code).toBe(64);
    const script = path.join(loop.repo.path, ".git", "script.json");
    const again = { provider: "scripted", script, "full-auto": "on", "max-iterations": "3" };
    const resumed = await loop.perform(resume, again);
    expect(resumed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("does not know what the loop was given"),
    });
  });

  test("a run that names the loop goes on as it was given, even where today's flags alone are refused", async () => {
    const check = { "quality-commands": [], "success-cmd": '["grep","-qx","done","work.txt"]' };
    await using loop = await cappedLoop(check);
    const same = { prompt: "Make work.txt say done.", "loop-id": "fix", "max-iterations": "2", ...check };
    const again = await loop.perform(run, same);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("As the loop was given: provider scripted"),
    });
    expect(again.stderr).toContain("[2/2] loop stopped");
    // Another task is another loop: nothing of this one is taken over.
    const other = await loop.perform(run, { ...same, prompt: "Something else.", json: "on" });
    expect(problems(other)).toMatchObject([{ what: expect.stringContaining("sandbox is read-only (default)") }]);
    // A run that has lost it says so, as resume does.
    await rm(loop.memory, { recursive: true });
    const lost = await loop.perform(run, {
      ...same,
      "full-auto": "on",
      provider: "command",
      "provider-command": '["true"]',
    });
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining("does not know what the loop was given") });
  });

  test("a run of a PRD goes on as it was given, its prompt and its gates included", async () => {
    await using repo = await shop();
    await using home = await tempFolder();
    const env = { XDG_STATE_HOME: home.path };
    const given = { "max-stories": "1", prompt: "Mind the style.", "full-auto": "on", json: "off" };
    const first = await runOfPrd(repo, [does(1), does(2)], given, env);
    expect(first).toMatchObject({ code: 0 });
    const seen = await inProcess(status, repo.path, {}, { env });
    expect(seen.stdout).toContain("smithers prd run shop\n");
    const second = await prd("run", repo.path, { trust: "on", json: "on" }, { env });
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining("prompt Mind the style.") });
    expect(JSON.parse(second.stdout)).toMatchObject({ generation: 1, stories: { passed_by_proof: 2 } });
  });

  test.each<[string, typeof run, GivenFlags]>([
    ["cancel --cleanup-artifacts", cancel, { "cleanup-artifacts": "on" }],
    ["trust --forget", trust, { forget: "on" }],
  ])("%s forgets it", async (_, command, flags) => {
    await using loop = await cappedLoop();
    expect(await readdir(loop.memory)).toHaveLength(1);
    expect((await loop.perform(command, flags)).code).toBe(0);
    expect(await readdir(loop.memory)).toEqual([]);
  });

  test("prune removes what was kept of a workspace that is gone, and of no other", async () => {
    await using loop = await cappedLoop();
    await using other = await gitRepository();
    await rename(loop.repo.path, `${loop.repo.path}-moved`);
    const env = { XDG_STATE_HOME: path.join(loop.memory, "../..") };
    const at = (given: GivenFlags) => inProcess(prune, other.path, given, { env });
    const young = await at({ yes: "on" });
    expect(young.stdout).toContain("There is nothing to remove.");
    const shown = await at({ "older-than": "0" });
    expect(shown.stdout).toContain(`settings  ${loop.repo.path}  its workspace is gone`);
    await rename(`${loop.repo.path}-moved`, loop.repo.path);
    expect((await at({ "older-than": "0", yes: "on" })).stdout).toContain("There is nothing to remove.");
    await rename(loop.repo.path, `${loop.repo.path}-moved`);
    expect((await at({ "older-than": "0", yes: "on" })).stdout).toContain("Removed 1.");
    expect(await readdir(loop.memory)).toEqual([]);
    await rename(`${loop.repo.path}-moved`, loop.repo.path);
  });

  test("what a file widens and was agreed to for one call is asked about again", async () => {
    await using loop = await cappedLoop({ trust: "on" });
    await loop.repo.write(".smithers.toml", "full-auto = true\nmax-tokens = 90000\n");
    const trusted = await loop.perform(resume, { "max-iterations": "2", trust: "on" });
    expect(trusted.code).toBe(2);
    const kept = JSON.parse(await readFile(path.join(loop.memory, (await readdir(loop.memory))[0] ?? ""), "utf8"));
    expect(kept.said).toEqual({ file: { "max-tokens": 90_000 } });
    const refused = await loop.perform(resume, { "max-iterations": "3", json: "on" });
    expect(problems(refused)).toMatchObject([{ code: "CONSENT_MISSING" }]);
  });
});
