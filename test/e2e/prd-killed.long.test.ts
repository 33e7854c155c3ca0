import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { shellIn } from "../support/git-repository.ts";
import type { Running } from "../support/run-smithers.ts";
import { waitFor } from "../support/wait-for.ts";
import { expectExit } from "./expect-exit.ts";
import { ARGS, delivered, ORDER, prdBench, TITLES } from "./prd-bench.ts";

test.concurrent.each([
  { title: "while a story's own commands are asked before it begins", at: /check started: US-001/u },
  { title: "as a turn begins", at: /iteration 1 started/u },
  { title: "in the middle of a turn", at: /agent changed 1 file: \S*us-001/u },
  { title: "while the gates judge a story", at: /agent claims to be done[^]*check started: sh gate/u },
  { title: "when a story is committed", at: /committed [0-9a-f]+/u },
  { title: "when a story has passed", at: /US-001 has passed/u },
])("a run that is killed $title comes to the same commits when it is started again [D-32]", async ({ at }) => {
  await using bench = await prdBench(2);
  await using run = bench.start(ARGS);
  await run.hasSaid(at);
  run.signal("SIGKILL");
  await run.finished;

  const again = await bench.run(ARGS);

  expectExit(again, 0);
  expect(again.stderr, "nobody has changed the documents").not.toContain("is not as the last run had it");
  const found = await delivered(bench);
  expect(found.subjects).toEqual(["US-001", "US-002"].map((id) => `feat: [${id}] - ${TITLES[id]}`));
  expect(found.alone).toEqual(["US-001", "US-002"].map((_id, index) => `${index + 1} files, ${index + 1} passed`));
  expect(found.status).toBe("");
  expect(bench.processes()).toEqual([]);
});

test("work beside the checkout goes on after each way to end a run, and the checkout stays as it is [D-27, D-32]", async () => {
  let ready = Promise.resolve();
  await using bench = await prdBench(5, () => ready);
  const { repository } = bench;
  // A person works on meanwhile.
  await repository.write("mine.txt", "not committed\n");
  await repository.write("gate.sh", "exit 1\n");
  await repository.git("add", "gate.sh");
  const look = "git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain; sha256sum .git/index *.txt *.sh";
  const before = await shellIn(repository.path, look);
  const beside = (setup: string) => [...ARGS, "--worktree", "on", "--worktree-setup", setup];
  const ends = async (args: readonly string[], said: RegExp, end: (run: Running) => unknown) => {
    await using run = bench.start(args);
    await run.hasSaid(said);
    await end(run);
    return await run.finished;
  };
  const signal = (name: NodeJS.Signals) => (run: Running) => run.signal(name);

  const begun = path.join(repository.path, ".git/worktrees/shop/begun");
  const setUp = await ends(beside(`touch "$(git rev-parse --git-dir)/begun"; sleep 60`), /setting up/u, async (run) => {
    await waitFor("the set-up to begin", () => existsSync(begun));
    run.signal("SIGINT");
  });
  expect(setUp).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("it was stopped. No turn was taken") });
  expect(bench.processes()).toEqual([]);

  expectExit(await ends(beside("true"), /agent changed 1 file: \S*us-001/u, signal("SIGINT")), 130);
  // The model takes its time, as long as it is asked about.
  const held = (work: () => Promise<void>) => {
    let release = (): void => {};
    ready = new Promise((resolve) => (release = resolve));
    return ends(ARGS, /iteration \d started/u, () => work().finally(release));
  };
  const stopped = await held(async () => {
    const seen = await bench.run(["status"]);
    expect(seen.stdout).toMatch(/prd-shop: running[^]*, on smithers\/prd-shop/u);
    expectExit(await bench.run(["stop"]), 0);
  });
  expectExit(stopped, 130);
  const paused = await held(async () => {
    expectExit(await bench.run(["pause"]), 0);
  });
  expectExit(paused, 130);
  expect((await ends(ARGS, /committed [0-9a-f]+/u, signal("SIGKILL"))).signal).toBe("SIGKILL");

  expectExit(await bench.run(ARGS), 0);
  const found = await delivered(bench, "smithers/prd-shop");
  expect(found.subjects).toEqual(ORDER.map((id) => `feat: [${id}] - ${TITLES[id]}`));
  expect(found.alone).toEqual(ORDER.map((_id, index) => `${index + 1} files, ${index + 1} passed`));
  expect(await shellIn(repository.path, look)).toBe(before);
  expect(bench.processes()).toEqual([]);
});
