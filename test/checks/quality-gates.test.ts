import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { QualityGate } from "../../src/config/settings/quality-gates.ts";
import type { CheckEvent } from "../../src/core/ports.ts";
import { checkLine } from "../../src/views/event-lines.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { EVIDENCE, gateIn, never } from "./gate-in.ts";

const PLAIN = { name: null, timeoutMs: null, flaky: false };

/** Is red as often as `reds` says, then green, and counts its runs in `runs`. */
const redFirst = (reds: number): string =>
  `echo run >> runs; echo "run $(wc -l < runs)"; [ "$(wc -l < runs)" -gt ${reds} ]`;

async function judged(root: string, gates: readonly QualityGate[], timeoutMs = 20_000) {
  const events: CheckEvent[] = [];
  const options = { gates, timeoutMs, observe: (event: CheckEvent) => events.push(event) };
  const verdict = await gateIn(root, { quality: gates.map(({ run }) => run) }, options).judge(EVIDENCE, never);
  return { verdict, events };
}

test("a name, a time-out of its own and a second try: what each does, and what people see of it [D-22, D-48]", async () => {
  await using folder = await tempFolder();
  const { verdict, events } = await judged(folder.path, [
    { ...PLAIN, run: "echo fine", name: "unit tests" },
    { ...PLAIN, run: redFirst(1), name: "browser tests", flaky: true },
    { ...PLAIN, run: "sleep 600", name: "hangs", timeoutMs: 300, flaky: true },
    { ...PLAIN, run: "sleep 0.5" },
  ]);
  expect(verdict).toMatchObject({
    result: "failed",
    checks: [
      { name: "unit tests", command: "echo fine", exitCode: 0 },
      { name: "browser tests", exitCode: 0, firstExitCode: 1, tail: "run 2" },
      { name: "hangs", exitCode: null, timedOut: true },
      { command: "sleep 0.5", exitCode: 0 },
    ],
  });
  expect(verdict.checks.map((check) => "firstExitCode" in check)).toEqual([false, true, false, false]);
  expect(verdict.checks[3]).not.toHaveProperty("name");
  expect(events.map(({ type }) => type)).toEqual(
    Array.from({ length: 5 }, () => ["check.started", "check.ended"]).flat(),
  );
  expect(events[0]).toEqual({ type: "check.started", command: "unit tests (echo fine)" });
  expect(verdict.checks.map((check) => checkLine(check).text)).toEqual([
    expect.stringMatching(/^check passed \(exit 0, .*\): unit tests \(echo fine\)$/u),
    expect.stringMatching(/^check passed \(exit 0, .*, green at the second try, exit 1 before\): browser tests \(/u),
    expect.stringMatching(/^check failed \(timed out, .*\): hangs \(sleep 600\)$/u),
    expect.stringMatching(/^check passed \(exit 0, .*\): sleep 0\.5$/u),
  ]);
});

test.each<[string, Partial<QualityGate>, number, number, string]>([
  ["that is green runs once", { flaky: true }, 0, 1, "passed"],
  ["that is red once runs twice", { flaky: true }, 1, 2, "passed"],
  ["that is red twice runs twice, not three times", { flaky: true }, 2, 2, "failed"],
  ["that is not said to be flaky runs once", {}, 1, 1, "failed"],
])("a check %s [D-22]", async (_, said, reds, runs, result) => {
  await using folder = await tempFolder();
  const { verdict } = await judged(folder.path, [{ ...PLAIN, run: redFirst(reds), ...said }]);
  expect(verdict.result).toBe(result);
  expect(await readFile(path.join(folder.path, "runs"), "utf8")).toBe("run\n".repeat(runs));
});

test("a flaky check that cannot be run is not tried again [D-22]", async () => {
  await using folder = await tempFolder();
  await writeFile(path.join(folder.path, "notes.txt"), "x", { mode: 0o644 });
  const { verdict, events } = await judged(folder.path, [{ ...PLAIN, run: "./notes.txt", flaky: true }]);
  expect(verdict).toMatchObject({ result: "unrunnable" });
  expect(events).toHaveLength(2);
});

test("what is cut off between two tries does not begin again [D-22]", async () => {
  await using folder = await tempFolder();
  const stop = new AbortController();
  const observe = ({ type }: CheckEvent) => type === "check.ended" && stop.abort();
  const gates = [{ ...PLAIN, run: redFirst(1), flaky: true }];
  const gate = gateIn(folder.path, { quality: [redFirst(1), "true"] }, { gates, observe });
  expect(await gate.judge(EVIDENCE, stop.signal)).toMatchObject({ result: "cut_off", checks: [{ exitCode: 1 }] });
  expect(await readFile(path.join(folder.path, "runs"), "utf8")).toBe("run\n");
});
