import { chmod } from "node:fs/promises";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { expectExit } from "./expect-exit.ts";
import { ARGS, delivered, ORDER, prdBench, TITLES } from "./prd-bench.ts";

test("five stories become five commits, each green when it is checked out alone, and each hears of those before it [D-01, D-02, D-03, D-04, D-08, D-16, D-17, D-23, D-25, D-26]", async () => {
  await using bench = await prdBench(5);
  const hook = path.join(bench.repository.path, ".git/hooks/pre-commit");
  await bench.repository.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ../hooked\nexit 1\n");
  await chmod(hook, 0o755);

  const run = await bench.run(ARGS);

  expectExit(run, 0);
  const found = await delivered(bench);
  expect(found.subjects).toEqual(ORDER.map((id) => `feat: [${id}] - ${TITLES[id]}`));
  expect(found.alone).toEqual(ORDER.map((_id, index) => `${index + 1} files, ${index + 1} passed`));
  expect(found.prd).toMatchObject({ owner: "kept" });
  expect(found.prd.userStories.map(({ passes }) => passes)).toEqual([true, true, true, true, true]);
  expect(found.status).toBe("");
  expect(existsSync(path.join(bench.repository.path, "pwned"))).toBe(false);
  expect(existsSync(path.join(bench.repository.path, "hooked"))).toBe(false);
  expect(run.stderr).toMatch(/pre-commit/u);

  const state = await bench.state("prd-shop");
  expect(state).toMatchObject({ status: "completed", stop_reason: { kind: "stories_passed", passed: 5, total: 5 } });
  expect(state.stories?.records.map(({ passing }) => passing?.proved)).toEqual([1, 1, 1, 1, 1]);
  // Every iteration has a session of its own, and hears what those before it have learned.
  const sessions = await Promise.all(ORDER.map((_id, index) => bench.sessionsOf("prd-shop", index + 1)));
  expect(new Set(sessions.flat()).size).toBe(5);
  expect(bench.model.requests.at(-1)?.prompts[0]).toContain("US-001 was easy");
});
