import { describe, expect, test } from "vitest";
import { counted, duration, grouped, seconds } from "../../src/views/amounts.ts";
import { dangerBanner } from "../../src/views/danger.ts";
import { fit, lastLines, line, oneLine, plainText } from "../../src/views/plain-text.ts";

describe("amounts", () => {
  test.each([
    [-5, "0.0 s"],
    [0, "0.0 s"],
    [420, "0.4 s"],
    [42_900, "42 s"],
    [60_000, "1 min"],
    [185_000, "3 min 5 s"],
    [3_600_000, "1 h"],
    [7_800_000, "2 h 10 min"],
  ])("%i ms reads as %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test("thousands are apart and nouns agree", () => {
    expect(grouped(1_234_567)).toBe("1,234,567");
    expect(counted(1, "file")).toBe("1 file");
    expect(counted(1_200, "file")).toBe("1,200 files");
  });
});

describe("text of the agent cannot control the terminal", () => {
  test.each([
    ["colours", "\u001B[31mred\u001B[0m", "red"],
    ["cursor moves", "a\u001B[2J\u001B[Hb", "ab"],
    ["eight-bit CSI", "a\u009B31mb", "ab"],
    ["a title ended by BEL", "\u001B]0;owned\u0007ok", "ok"],
    ["a link ended by ST", "\u001B]8;;http://x\u001B\\ok", "ok"],
    ["a device string", "\u001BP1;2|abc\u001B\\ok", "ok"],
    ["a charset switch", "\u001B(0ok", "ok"],
    ["a lone escape at the end", "ok\u001B", "ok"],
    ["bell and backspace", "a\u0007\u0008b", "ab"],
    ["a reordering mark", "a\u202Eb", "ab"],
    ["carriage returns", "10%\r20%\r\ndone", "10%\n20%\ndone"],
    ["tabs", "a\tb", "a    b"],
  ])("%s", (_, dirty, clean) => {
    expect(plainText(dirty)).toBe(clean);
  });

  test("one line has no line breaks and no runs of blanks", () => {
    expect(oneLine("  a\n\n b\t c ")).toBe("a b c");
  });

  test("the last lines are without blank ones at the end", () => {
    expect(lastLines("a\nb\nc\n\n", 2)).toEqual(["b", "c"]);
    expect(lastLines("  \n", 2)).toEqual([]);
  });
});

describe("a line fits into the terminal", () => {
  test.each([
    ["hello", 10, "hello"],
    ["hello", 5, "hello"],
    ["hello world", 6, "hello…"],
    ["漢字漢字", 8, "漢字漢字"],
    ["漢字漢字", 6, "漢字…"],
    ["漢字漢字", 5, "漢字…"],
    ["👩‍👩‍👧 family", 4, "👩‍👩‍👧 …"],
    ["a\u200Bb", 2, "a\u200Bb"],
    ["abc", 0, ""],
    ["", 0, ""],
  ])("%j in %i columns", (text, columns, shown) => {
    expect(fit(text, columns)).toBe(shown);
  });
});

describe("dangerous settings are warned about [W-55, W-56]", () => {
  test("a safe run has no banner", () => {
    expect(dangerBanner({ sandbox: "workspace-write", providerArgs: ["--search"] })).toEqual([]);
  });

  test("danger-full-access has a banner that says what may happen", () => {
    const banner = dangerBanner({ sandbox: "danger-full-access", providerArgs: [] });
    expect(banner[0]).toContain("WARNING");
    expect(banner.join("\n")).toContain("delete anything you can");
  });

  test.each(["--yolo", "--dangerously-bypass-approvals-and-sandbox", 'sandbox_mode="danger-full-access"'])(
    "%s has one, too",
    (arg) => {
      expect(dangerBanner({ sandbox: "read-only", providerArgs: [arg] }).join("\n")).toContain(arg);
    },
  );
});

test("a line is plain unless it says otherwise", () => {
  expect(line("a")).toEqual({ tone: "plain", text: "a" });
});

test.each([
  [700, "0.7 s"],
  [5_000, "5 s"],
  [60_000, "60 s"],
])("%i ms as a bound in a sentence: %s", (ms, text) => {
  expect(seconds(ms)).toBe(text);
});
