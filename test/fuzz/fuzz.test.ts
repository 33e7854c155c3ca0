import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { mutated, mutatedJson, pieces } from "../../fuzz/mutate.ts";
import { Random } from "../../fuzz/random.ts";
import { commandFor, caseOf, shown, tryCases } from "../../fuzz/run.ts";
import { hold, target } from "../../fuzz/target.ts";
import { TARGETS } from "../../fuzz/targets.ts";

const MATERIAL = { seeds: ['{"a":1,"b":["x"]}', "plain\ntext"], words: ["word"] };

test("a case is the same in every run, and no two are alike", () => {
  const draw = (seed: string): readonly string[] =>
    [mutated, mutatedJson].flatMap((how) =>
      Array.from({ length: 50 }, (_, i) => how(new Random(`${seed}/${i}`), MATERIAL)),
    );
  expect(draw("a")).toEqual(draw("a"));
  expect(new Set([...draw("a"), ...draw("b")]).size).toBeGreaterThan(150);
});

test.each(TARGETS.map((one) => one.name))("a case of %s can be drawn again from its number", (name) => {
  const found = TARGETS.find((one) => one.name === name);
  expect(found && shown(caseOf(found, "x", 7))).toBe(found && shown(caseOf(found, "x", 7)));
});

test("pieces of a stream are the stream", () => {
  const bytes = Buffer.from("some bytes of a stream");
  for (let i = 0; i < 20; i += 1) expect(Buffer.concat(pieces(new Random(`${i}`), bytes))).toEqual(bytes);
});

test("a fault is told once, with its input and the command that shows it again", async () => {
  const wrong = target({
    name: "wrong",
    covers: [],
    draw: (random) => random.below(10),
    check: (number) => hold(number !== 3, `${number} is not 3`),
  });
  const faults = await tryCases(wrong, { seed: "s", first: 0, end: 200 });
  expect(faults).toMatchObject([{ what: expect.stringContaining("3 is not 3"), input: "3" }]);
  expect(caseOf(wrong, "s", faults[0]?.case ?? -1).input).toBe(3);
  expect(commandFor("wrong", "s", 5)).toBe("npm run fuzz -- --target wrong --case 5 --seed s");
});

test("a case that never ends is ended, and told by its number", () => {
  const watchdog = path.join(import.meta.dirname, "../../fuzz/watchdog.ts");
  const program = `
    const { Worker } = require("node:worker_threads");
    const cases = new SharedArrayBuffer(8);
    Atomics.store(new Int32Array(cases), 0, 41);
    const dog = new Worker(${JSON.stringify(watchdog)}, { workerData: { cases } });
    dog.once("message", () => { for (;;); });`;
  const { stdout, signal } = spawnSync(process.execPath, ["-e", program], {
    ...{ encoding: "utf8", timeout: 30_000, killSignal: "SIGTERM" },
  });
  expect(signal).toBe("SIGKILL");
  expect(JSON.parse(stdout)).toEqual({ case: 41, fault: expect.stringContaining("1000 ms of the processor") });
});
