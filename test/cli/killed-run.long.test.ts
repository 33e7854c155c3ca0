import { mkdir, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { nameOfHolder, thisHolder } from "../../src/os/holder.ts";
import { loopAtWork } from "../../src/store/work-tree-lock.ts";
import { cli, stage, startCli } from "./run-cli.ts";

const TURN = { commands: ["mkdir -p parts; echo {{iteration}} > parts/{{iteration}}.txt"], lastMessage: "more" };

/** What nobody needs once a run is over: in the temp folder, in git, in the loop's folder. */
async function litter(repo: string, temp: string): Promise<readonly string[]> {
  const all = await readdir(repo, { recursive: true });
  const left = all.filter((name) => /\.lock$|\.tmp$|(?:^|\/)tmp_|\.git\/smithers\/./u.test(name));
  return [...left, ...(await readdir(temp))];
}

describe.concurrent("a run that was killed [C61, C63]", () => {
  test.for([300, 700, 1_100, 1_500, 1_900])(
    "leaves nothing behind once the next one is over: after %i ms",
    async (ms) => {
      await using repo = await stage();
      const temp = path.join(repo.path, "../", `${path.basename(repo.path)}-tmp`);
      await mkdir(temp);
      const script = await repo.play({ turns: [TURN] });
      const flags = [...script, "--check-sandbox", "off", "--agent-isolation", "off", "--full-auto"];
      const args = ["x", "--loop-id", "L", "--commit", "iteration", "--max-iterations", "4", ...flags];
      const running = startCli(args, repo.path, { TMPDIR: temp });
      await Promise.race([sleep(ms), running.done]);
      running.process.kill("SIGKILL");
      await running.done;
      const { code, stderr } = await cli(args, repo.path, { TMPDIR: temp });
      expect({ code, stderr }).toMatchObject({ code: 2 });
      expect(await litter(repo.path, temp)).toEqual([]);
      const format = "--format=%(trailers:key=Smithers-Iteration,valueonly,separator=%x2C)";
      const iterations = (await repo.git("log", format)).split("\n").filter((line) => line !== "");
      expect(new Set(iterations).size).toBe(iterations.length);
      expect(await repo.git("status", "--porcelain")).toBe("");
    },
  );
});

describe("a run that was killed between the loop's ending and its own [C61]", () => {
  test("is finished by resume, which then tells the ending and leaves nothing behind", async () => {
    await using repo = await stage();
    const script = await repo.play({ turns: [{ files: { "a.txt": "a" }, lastMessage: "more" }] });
    const off = ["--check-sandbox", "off", "--agent-isolation", "off"];
    const flags = [...script, ...off, "--full-auto", "--success-sh", "test -e a.txt"];
    const ended = await cli(["x", "--loop-id", "L", ...flags], repo.path);
    expect(ended).toMatchObject({ code: 0 });
    const folder = path.join(repo.path, ".codex/waylon-smithers/loops/L");
    const told = await readFile(path.join(folder, "summary.json"), "utf8");
    const dead = nameOfHolder({ ...(await thisHolder()), started: "1-00000000" });
    await rename(path.join(folder, "lock/free"), path.join(folder, "lock", dead));
    await rename(path.join(folder, "summary.json"), path.join(folder, ".summary.json.4711.tmp"));

    const resumed = await cli(["resume", "--loop-id", "L", ...script, ...off], repo.path);
    expect(resumed).toMatchObject({ code: 0, stdout: ended.stdout });
    expect(resumed.stderr).toContain("its run was killed before it could say so");
    expect(await readFile(path.join(folder, "summary.json"), "utf8")).toBe(told);
    expect(await readdir(path.join(folder, "lock"))).toEqual(["free"]);
    expect(await litter(repo.path, path.join(folder, "lock"))).toEqual(["free"]);

    // Killed a moment later, it leaves its note in the work tree alone.
    const { digest } = loopAtWork("L", `${folder}.json`, false);
    await mkdir(path.join(repo.path, ".git/smithers", `loop.L.${digest}`), { recursive: true });
    expect(await cli(["resume", "--loop-id", "L", ...script, ...off], repo.path)).toMatchObject({ code: 0 });
    expect(await litter(repo.path, path.join(folder, "lock"))).toEqual(["free"]);

    const again = await cli(["resume", "--loop-id", "L", ...script, ...off], repo.path);
    expect(again).toMatchObject({ code: 64 });
    expect(again.stderr).toContain("there is nothing to go on with");
  });
});

describe.concurrent("two loops in one work tree [C62]", () => {
  test("are told of each other, and a commit that may hold both works says so", async () => {
    await using repo = await stage();
    const waits = { commands: ["while [ ! -e .git/go ]; do sleep 0.05; done; echo a > a.txt"], lastMessage: "done" };
    const script = await repo.play({ turns: [waits] });
    const flags = [...script, "--check-sandbox", "off", "--agent-isolation", "off", "--full-auto"];
    const args = ["x", "--commit", "iteration", "--max-iterations", "1", ...flags];
    await using first = startCli([...args, "--loop-id", "first"], repo.path);
    await first.said("iteration 1 started");
    await using second = startCli([...args, "--loop-id", "second"], repo.path);
    await second.said("Loop first is at work in this work tree as well");
    await second.said("iteration 1 started");
    await repo.git("config", "--file", ".git/go", "x.y", "z");
    const ended = await Promise.all([first.done, second.done]);
    expect(ended.map(({ stderr }) => /Loop (\w+) is at work in this/u.exec(stderr)?.[1])).toEqual(["second", "first"]);
    expect(await repo.git("log", "--format=%B")).toMatch(
      /At work in this work tree meanwhile: (?:first|second)\. What that loop has changed may be in here as well\./u,
    );
    const alone = await cli([...args, "--loop-id", "third"], repo.path);
    expect(alone.stderr).not.toContain("at work in this work tree");
  });
});
