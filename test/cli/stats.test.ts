import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
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

test.concurrent("stats compares two loops, and says why what it cannot compare is not comparable [C142]", async () => {
  await using repo = await threeLoops();
  const compared = await cli(["stats", "--compare", "not-yet", "proved"], repo.path);
  expect(compared.code).toBe(0);
  expect(compared.stdout).toContain("n=1");
  const nobody = await cli(["stats", "--compare", "provider=scripted", "provider=codex"], repo.path);
  expect(nobody.code).toBe(1);
  expect(nobody.stdout).toContain("Not comparable: provider=codex has no loop that is counted (n=0).");
  for (const [words, why] of [
    [["stats", "absent"], /"absent" is neither a loop of this repository nor a downloaded artifact/u],
    [["stats", "--compare", "proved"], /--compare needs two sides/u],
  ] as const) {
    const refused = await cli(words, repo.path);
    expect(refused).toMatchObject({ code: 64, stdout: "" });
    expect(refused.stderr).toMatch(why);
  }
});
