import { expect, test } from "vitest";
import { cutLog } from "../../../src/core/repair/cut-log.ts";

/** A line at a second of the job. */
const at = (second: number, text: string): string =>
  `2026-11-20T02:00:${String(second).padStart(2, "0")}.1234567Z ${text}`;
const BEGAN = Date.parse("2026-11-20T02:00:00Z");
const step = (began: number, ended: number) => ({ began: BEGAN + began * 1_000, ended: BEGAN + ended * 1_000 });

const LOG = [
  `\uFEFF${at(0, "##[group]Run actions/checkout@v7")}`,
  at(1, "##[endgroup]"),
  at(2, "##[group]Run npm ci"),
  at(3, "added 2 packages"),
  at(3, "##[group]Run npm test"),
  at(3, "\u001B[36;1mnpm test\u001B[0m"),
  at(3, "shell: /usr/bin/bash -e {0}"),
  at(3, "##[endgroup]"),
  at(4, "##[error]a test prints this itself"),
  at(4, "not ok 7 \u001B[31madds up\u001B[0m"),
  "  a line without a time",
  at(5, "::error file=src/add.js,line=3::expected 5"),
  at(5, "##[error]Process completed with exit code 1."),
  at(5, "[command]/usr/bin/git config --unset"),
  at(6, "##[group]Run actions/upload-artifact@v7"),
  at(7, "##[error]upload failed too"),
].join("\n");

test("of a log the failing step alone is kept, by the times that no program can write, without marks and colours [C101]", () => {
  expect(cutLog(LOG, [step(3, 5)], 5_000)).toBe(
    [
      "Run npm test",
      "npm test",
      "shell: /usr/bin/bash -e {0}",
      "Error: a test prints this itself",
      "not ok 7 adds up",
      "  a line without a time",
      "Error: expected 5",
      "Error: Process completed with exit code 1.",
    ].join("\n"),
  );
});

test.each([
  ["two failing steps, both", [step(3, 5), step(6, 7)], ["Run npm test", "upload failed too"], []],
  ["a step that never ended, to the end", [{ began: BEGAN + 6_000, ended: null }], ["upload failed too"], ["npm test"]],
  ["no known step, up to the last error", [], ["upload failed too"], ["Run npm ci"]],
  ["a step at another time, the whole", [step(40, 41)], ["upload failed too"], []],
])("%s [C101]", (_name, steps, has, lacks) => {
  const text = cutLog(LOG, steps, 5_000);
  for (const part of has) expect(text).toContain(part);
  for (const part of lacks) expect(text).not.toContain(part);
});

test.each([
  ["in the second in which it began", 3],
  ["later", 4],
])(
  "a group that the step opens itself, and calls as the runner calls a step, hides nothing of it: %s [C101]",
  (_when, second) => {
    const log = [
      at(3, "added 2 packages"),
      at(3, "##[group]Run ./ci.sh"),
      at(3, "./ci.sh"),
      at(3, "shell: /usr/bin/bash -e {0}"),
      at(3, "##[endgroup]"),
      at(second, "##[group]Run unit tests"),
      at(second, "not ok 7 adds up"),
      at(second, "##[endgroup]"),
      at(second, "##[group]Run cleanup"),
      at(second, "removed"),
      at(second, "##[endgroup]"),
      at(5, "##[error]Process completed with exit code 1."),
    ].join("\n");
    const text = cutLog(log, [step(3, 5)], 5_000);
    expect(text.split("\n")[0]).toBe("Run ./ci.sh");
    expect(text).toContain("not ok 7 adds up\nRun cleanup");
  },
);

test("a long log keeps its end in whole lines, and says that it was cut [C101]", () => {
  const long = Array.from({ length: 400 }, (_, line) => at(3, `line ${line}`)).join("\r\n");
  const text = cutLog(long, [step(3, 3)], 200);
  expect(text.length).toBeLessThanOrEqual(200);
  expect(text).toMatch(/^\[… cut\]\nline \d+\n/u);
  expect(text.endsWith("line 399")).toBe(true);
});

test("what a program prints behind a carriage return stays in its own step, whatever time it says [C101]", () => {
  const planted = at(4, "not ok 8 planted");
  const log = [at(1, `50 %\r${planted}`), at(3, "##[group]Run npm test"), at(4, "10 %\r100 %"), at(4, "not ok 7")];
  expect(cutLog(log.join("\r\n"), [step(3, 5)], 5_000)).toBe("Run npm test\n10 %\n100 %\nnot ok 7");
  expect(cutLog(log.join("\r\n"), [step(1, 1)], 5_000)).toBe(`50 %\n${planted}`);
});

test("nothing gives nothing [C101]", () => {
  expect(cutLog("", [step(0, 1)], 100)).toBe("");
  expect(cutLog(at(3, ""), [step(3, 3)], 100)).toBe("");
});
