import { describe, expect, test } from "vitest";
import { bears, hardStopMarker, loopIdIn, markerOf, pullRequestMarker } from "../../src/views/github/markers.ts";

const MARK = { workflow: ".github/workflows/smithers.yml", job: "loop", loopId: "repo-1" };

describe("one comment for each workflow, job and loop", () => {
  test("a marker can be read", () => {
    expect(markerOf(MARK)).toBe("<!-- smithers:loop repo-1 .github/workflows/smithers.yml loop -->");
    expect(pullRequestMarker("repo-1")).toBe("<!-- smithers:loop repo-1 -->");
  });

  test.each([
    ["the loop", { ...MARK, loopId: "repo-10" }],
    ["its case", { ...MARK, loopId: "Repo-1" }],
    ["the job", { ...MARK, job: "loop2" }],
    ["the workflow", { ...MARK, workflow: ".github/workflows/other.yml" }],
    ["where the words part", { ...MARK, loopId: "repo-1 .github/workflows/smithers.yml", workflow: "loop", job: "" }],
    ["what is escaped", { ...MARK, job: "lo%6Fp" }],
  ])("another one is another one: %s [T15]", (_, other) => {
    expect(bears(markerOf(other), markerOf(MARK))).toBe(false);
  });

  test.each([
    "a--b",
    "a -->",
    "--><script>",
    "-->\n<!-- smithers:loop evil -->",
    "a\u0000b",
    "\uD800",
    "a---",
    ">",
    "ü 👀",
  ])("nobody breaks out of a marker: %j [T15]", (name) => {
    for (const marker of [
      markerOf({ workflow: name, job: name, loopId: name }),
      pullRequestMarker(name),
      hardStopMarker(name, name, [name, name]),
    ]) {
      expect(marker).toMatch(/^<!-- smithers:[a-z-]+ [\w.%!~*'()/-]+(?: [\w.%!~*'()/-]+)* -->$/u);
      expect(marker.slice(4, -3)).not.toMatch(/--|>/u);
    }
  });
});

describe("which loop a text says it belongs to [T15]", () => {
  test.each([
    ["a status comment", `${markerOf(MARK)}\n\ntext`, "repo-1"],
    ["a pull request", `${pullRequestMarker("repo-1")}\r\ntext`, "repo-1"],
    ["an id with two hyphens", pullRequestMarker("a--b---c"), "a--b---c"],
    ["nothing", "", null],
    ["a marker further down", `Hello\n${markerOf(MARK)}`, null],
    ["a marker behind something", ` ${markerOf(MARK)}`, null],
    ["something behind a marker", `${pullRequestMarker("repo-1")} x`, null],
    ["an id that is none", "<!-- smithers:loop ../x -->", null],
    ["an id with dots", pullRequestMarker("a..b"), null],
    ["an id that git would lock", pullRequestMarker("a.lock"), null],
    ["an id that is too long", pullRequestMarker("a".repeat(101)), null],
    ["another escape", "<!-- smithers:loop a%2Eb -->", null],
    ["another marker", hardStopMarker("repo-1", "abc", []), null],
  ])("%s", (_, body, id) => {
    expect(loopIdIn(body)).toBe(id);
  });
});

test("a HARD STOP's review is known by loop, commit and hits", () => {
  const marker = hardStopMarker("repo-1", "abc", ["1f#1", "2f#1"]);
  expect(bears(`${marker}\n\nbody`, marker)).toBe(true);
  expect(bears(marker, hardStopMarker("repo-1", "abd", ["1f#1", "2f#1"]))).toBe(false);
  expect(bears(marker, hardStopMarker("repo-1", "abc", ["1f#1"]))).toBe(false);
});
