import { readFile, writeFile } from "node:fs/promises";
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
