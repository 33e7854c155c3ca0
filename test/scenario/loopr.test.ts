import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cli, jsonOf, stage } from "../cli/run-cli.ts";

/** A status block as Loopr asks for it (L-12). */
function block(status: string, exit: boolean, summary: string): string {
  return [
    "---LOOPR_STATUS---",
    `STATUS: ${status}`,
    `EXIT_SIGNAL: ${exit}`,
    "WORK_TYPE: code",
    "FILES_MODIFIED: 1",
    "ERRORS: 0",
    `SUMMARY: ${summary}`,
    "---END_LOOPR_STATUS---",
  ].join("\n");
}

const working = { lastMessage: block("IN_PROGRESS", false, "half way"), files: { "a.txt": "{{iteration}}\n" } };
const complete = { lastMessage: block("COMPLETE", true, "all done"), files: { "a.txt": "the end\n" } };

/** The seed's document, walked from its command to its endings, each by a loop on a disk. */
describe.concurrent("Loopr", () => {
  test("what loop would do: root, file, prompt with the block, the agent's arguments [L-02, L-04, L-05, L-08, L-14 to L-21]", async () => {
    await using repo = await stage();
    const root = path.join(repo.path, "project");
    await mkdir(path.join(root, ".loopr"), { recursive: true });
    await writeFile(path.join(root, ".loopr", "config"), "# ours\n\nMAX_CALLS_PER_HOUR=7\n");
    const args = ["loop", "Fix it", "--loopr-root", "project", "--max-iterations", "9", "--dry-run"];
    const answer = await cli([...args, "--", "--search", "-c", "a=[1, 2]"], repo.path);
    expect(answer.stderr).toBe("");
    expect(answer.stdout).toMatch(/^ {2}max-iterations +9 +--max-iterations$/mu);
    expect(answer.stdout).toMatch(
      /^ {2}max-calls-per-hour +7 +project\/\.loopr\/config line 3 \[MAX_CALLS_PER_HOUR\]$/mu,
    );
    expect(answer.stdout).toMatch(/^ {2}max-no-progress +3 +preset loopr$/mu);
    expect(answer.stdout).toContain("---LOOPR_STATUS---");
    expect(answer.stdout).toMatch(/codex exec .*--search -c/u);
    expect(answer.stdout).not.toContain("<promise>");
  });

  test("two exit signals in a row that say complete end the loop as done [L-09, L-11, L-23, C5]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [working, complete, complete] });
    const answer = await cli(["loop", "Fix it", ...script, "--json"], repo.path);
    expect(answer.code).toBe(0);
    expect(jsonOf(answer)).toMatchObject({
      status: "completed",
      stop_reason: { kind: "dual_gate" },
      iteration: 3,
      calls: { calls: 3 },
      next_reset_at: null,
    });
  });

  test("two turns without the block open the circuit [L-21, L-24]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: "Working.", files: { "a.txt": "1" } }] });
    const answer = await cli(["loop", "Fix it", ...script, "--json"], repo.path);
    expect(answer.code).toBe(5);
    expect(jsonOf(answer)).toMatchObject({ status: "circuit_open", stop_reason: { kind: "missing_status", count: 2 } });
  });

  test("three turns that leave nothing new open the circuit [L-18, L-24]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ lastMessage: block("IN_PROGRESS", false, "thinking") }] });
    const answer = await cli(["loop", "Fix it", ...script, "--json"], repo.path);
    expect(jsonOf(answer)).toMatchObject({ status: "circuit_open", stop_reason: { kind: "no_progress", count: 3 } });
  });

  test("the cap ends a loop that is not done [L-25]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [working] });
    const answer = await cli(["loop", "Fix it", ...script, "--max-iterations", "1", "--json"], repo.path);
    expect(answer.code).toBe(2);
    expect(jsonOf(answer)).toMatchObject({ status: "stopped_max_iterations" });
  });

  test("used-up calls park the loop until the hour ends, in the next run as well [L-07, L-14, L-26, R-30, R-32]", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [working] });
    const flags = [...script, "--calls", "1", "--json"];
    const first = await cli(["loop", "Fix it", ...flags], repo.path);
    expect(first.code).toBe(75);
    const parked = jsonOf(first);
    expect(parked).toMatchObject({ status: "waiting", stop_reason: { kind: "calls_per_hour", max: 1 }, iteration: 1 });
    const again = jsonOf(await cli(["resume", "--preset", "loopr", ...flags], repo.path));
    expect(again).toMatchObject({ status: "waiting", iteration: 1, next_reset_at: parked["next_reset_at"] });
    expect(Date.parse(String(parked["next_reset_at"]))).toBeGreaterThan(Date.now());
  });
});
