import { expect, test } from "vitest";
import { expectExit } from "./expect-exit.ts";
import { ARGS, delivered, prdBench, TITLES } from "./prd-bench.ts";

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
  const found = await delivered(bench);
  expect(found.subjects).toEqual(["US-001", "US-002"].map((id) => `feat: [${id}] - ${TITLES[id]}`));
  expect(found.alone).toEqual(["US-001", "US-002"].map((_id, index) => `${index + 1} files, ${index + 1} passed`));
  expect(found.status).toBe("");
  expect(bench.processes()).toEqual([]);
});
