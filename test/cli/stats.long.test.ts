import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { ScriptInput } from "../../src/agents/scripted/script.ts";
import { asking } from "../support/asking.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { artifactOf, zipOf } from "./an-artifact.ts";
import { cli, jsonOf, stage } from "./run-cli.ts";

const HALF = { turns: [{ lastMessage: "half way" }] };
const DONE = { turns: [{ files: { "done.txt": "yes\n" }, lastMessage: "All done. <promise>TASK_COMPLETE</promise>" }] };

/** A repository with a loop that was proved, one that was not, and one whose state is broken. */
async function threeLoops() {
  const repo = await stage();
  const check = ["--full-auto", "--quality-commands", "test -e done.txt", "--max-iterations", "1"];
  await cli(["Go", "--loop-id", "not-yet", ...(await repo.play(HALF)), ...check], repo.path);
  await cli(["Go", "--loop-id", "proved", ...(await repo.play(DONE)), ...check], repo.path);
  await writeFile(path.join(repo.path, ".codex/waylon-smithers/loops/broken.json"), "{\n");
  return repo;
}

test.concurrent("stats tells what each loop and all together have come to, and why one is left out [C140, C141, W-57, D-09]", async () => {
  await using repo = await threeLoops();
  const { code, stdout, stderr } = await cli(["stats"], repo.path);
  expect(code).toBe(0);
  // What is not known is a dash: no proof, and no price.
  expect(stdout).toMatch(/^not-yet +stopped_max_iterations +– .* – +1 of 1 run /mu);
  expect(stdout).toMatch(/^proved +completed +1 .* – +0 of 1 run /mu);
  expect(stdout).toMatch(/^Proved: 1 of 2, at iteration 1 \(n=1\)$/mu);
  expect(stderr).toContain("broken is left out");

  const told = jsonOf(await cli(["stats", "--json"], repo.path));
  expect(told).toMatchObject({
    schema: 1,
    totals: { loops: 2, proved: 1, runs: 2, false_starts: 1, cost_usd: null },
    left_out: [{ loop_id: "broken", reason: "unreadable" }],
  });
  expect(jsonOf(await cli(["stats", "pro", "--json"], repo.path))["loops"]).toMatchObject([
    { loop_id: "proved", proved_at: 1 },
  ]);
});

test.concurrent("stats counts each generation of a loop once, and by its state alone one whose events were changed [C140, C156]", async () => {
  await using repo = await stage();
  const loops = path.join(repo.path, ".codex/waylon-smithers/loops");
  const run = async (prompt: string, script: ScriptInput) => {
    const flags = ["--full-auto", "--quality-commands", "test -e done.txt", "--max-iterations", "1"];
    return cli([prompt, "--loop-id", "twice", ...(await repo.play(script)), ...flags], repo.path);
  };
  await run("Go", DONE);
  await run("Go on", DONE);
  const both = await cli(["stats"], repo.path);
  expect(both.stdout).toMatch(/^twice #2 +stopped_max_iterations +– [^\n]*\ntwice +completed +1 /mu);
  expect(jsonOf(await cli(["stats", "folders", "twice #2", "--json"], repo.path))["loops"]).toMatchObject([
    { loop_id: "twice", generation: 2 },
  ]);

  const events = path.join(loops, "twice/events.jsonl");
  const told = (await readFile(events, "utf8")).replaceAll(/"duration_ms":\d+/gu, '"duration_ms":-1e300');
  await writeFile(events, told);
  const changed = await cli(["stats"], repo.path);
  expect(changed.stderr).toMatch(/^smithers: twice #2 is counted by its state alone: its events are damaged/mu);
  expect(changed.stdout).toMatch(/^twice #2 +stopped_max_iterations +– .* – +0\.0 s$/mu);
});

test.concurrent("stats compares two loops, and says why what it cannot compare is not comparable [C142]", async () => {
  await using repo = await threeLoops();
  const compared = await cli(["stats", "--compare", "not-yet", "proved"], repo.path);
  expect(compared.code).toBe(0);
  expect(compared.stdout).toContain("n=1");
  const [check, limit] = [
    ["--full-auto", "--quality-commands", "test -e done.txt"],
    ["--max-iterations", "1"],
  ];
  await repo.git("commit", "-q", "--allow-empty", "-m", "moved");
  await writeFile(path.join(repo.path, "more.txt"), "more\n");
  await cli(["Go", "--loop-id", "later", ...(await repo.play(DONE)), ...check, ...limit], repo.path);
  const moved = await cli(["stats", "--compare", "proved", "later"], repo.path);
  expect(moved.code).toBe(1);
  expect(moved.stdout).toMatch(
    /Not comparable: They began at different commits, \w{12} and \w{12}, so the work itself/u,
  );
  const nobody = await cli(["stats", "--compare", "provider=scripted", "provider=codex"], repo.path);
  expect(nobody.code).toBe(1);
  expect(nobody.stdout).toContain("Not comparable: provider=codex has no loop that is counted (n=0).");
  for (const [words, why] of [
    [["stats", "absent"], /"absent" is neither a loop that was looked at nor a downloaded artifact/u],
    [["stats", "--compare", "proved"], /--compare needs two sides/u],
  ] as const) {
    const refused = await cli(words, repo.path);
    expect(refused).toMatchObject({ code: 64, stdout: "" });
    expect(refused.stderr).toMatch(why);
  }
});

test.concurrent("stats compares two models by all loops that only they have worked on, with how many they are [C142]", async () => {
  await using repo = await stage();
  const run = async (loopId: string, model: string, tokens: number, task = "Go"): Promise<void> => {
    const usage = { input: tokens, output: 0 };
    const script = await repo.play({ turns: DONE.turns.map((turn) => ({ ...turn, usage })) });
    const flags = ["--full-auto", "--quality-commands", "test -e done.txt", "--model", model, "--loop-id", loopId];
    expect((await cli([task, ...flags, ...script], repo.path)).code).toBe(0);
    // Each begins with the same work.
    await rm(path.join(repo.path, "done.txt"));
  };
  for (const [at, tokens] of [100, 300, 200].entries()) await run(`quick-${at}`, "quick", tokens);
  for (const [at, tokens] of [900, 1_100].entries()) await run(`deep-${at}`, "deep", tokens);
  await run("elsewhere", "other", 5, "Go elsewhere");

  const { code, stdout, stderr } = await cli(["stats", "--compare", "model=quick", "model=deep"], repo.path);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Median +model=quick \(n=3\) +model=deep \(n=2\) +Difference$/mu);
  expect(stdout).toMatch(/^Proved +3 of 3 +2 of 2$/mu);
  expect(stdout).toMatch(/^Iterations to a proof +1 \(n=3\) +1 \(n=2\) +same$/mu);
  expect(stdout).toMatch(/^Tokens a loop +200 \(n=3\) +1,000 \(n=2\) +\+800$/mu);
  expect(stdout).toMatch(/^Cost a loop +– \(n=0\) +– \(n=0\) +–$/mu);
  expect(stdout).toContain("A side with fewer than 5 loops is a hint, not a result.");
  const told = jsonOf(await cli(["stats", "--compare", "model=quick", "model=deep", "--json"], repo.path));
  expect(told).toMatchObject({ comparable: true, sides: [{ n: 3 }, { n: 2 }] });
  expect(told["measures"]).toContainEqual(
    expect.objectContaining({
      what: "Tokens a loop",
      difference: 800,
      sides: [
        { n: 3, median: 200 },
        { n: 2, median: 1_000 },
      ],
    }),
  );

  const apart = await cli(["stats", "--compare", "model=quick", "model=other"], repo.path);
  expect(apart.code).toBe(1);
  expect(apart.stdout).toMatch(/^Not comparable: They had different tasks or checks, so their figures say nothing/mu);
});

test.concurrent("stats counts and compares downloaded artifacts, and says which one cannot be opened [C140, C141, C142]", async () => {
  await using repo = await threeLoops();
  await using temp = await tempFolder("artifacts-");
  const [one, two] = [path.join(temp.path, "one.zip"), path.join(temp.path, "two")];
  await zipOf(repo.path, "proved", one);
  await artifactOf(repo.path, "not-yet", two);
  await artifactOf(repo.path, "not-yet", path.join(temp.path, "locked"), { seal: "a key that is long enough" });
  const { code, stdout, stderr } = await cli(["stats", temp.path, "--json"], temp.path);
  expect(code).toBe(0);
  expect(jsonOf({ code, stdout, stderr })).toMatchObject({
    totals: { loops: 2, proved: 1, runs: 2, false_starts: 1 },
    left_out: [{ loop_id: "locked", reason: "unreadable" }],
  });
  expect((await cli(["stats", "."], temp.path)).stderr).toContain("SMITHERS_STATE_KEY is not set");
  const compared = await cli(["stats", "--compare", two, one], temp.path);
  expect(compared).toMatchObject({ code: 0, stderr: "" });
  expect(compared.stdout).toContain("n=1");
});

test.concurrent("stats counts the loops on GitHub by the state in their refs, and says in its own words when it cannot [C140, C141]", async () => {
  await using repo = await stage();
  await using at = await asking();
  const ended = { status: "completed", stop_reason: { kind: "promise", verified: true } } as const;
  await at.loop({ loopId: "done", state: ended });
  await at.loop({ loopId: "at-work", run: "in_progress" });
  const counted = (token: string) =>
    cli(["stats", "refs", "--repo", "octo/demo", "--json"], repo.path, { GITHUB_API_URL: at.api.url, GH_TOKEN: token });
  expect(jsonOf(await counted("t"))).toMatchObject({
    loops: [{ loop_id: "done", status: "completed", false_starts: null }],
    left_out: [{ loop_id: "at-work", reason: "running" }],
  });
  const refused = await counted("another");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("The loops of octo/demo cannot be read: ");
  expect(refused.stderr).toContain("Nothing was counted.");
  expect(refused.stderr).not.toContain("deleted");
});
