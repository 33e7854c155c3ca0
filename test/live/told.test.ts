import { expect, test } from "vitest";
import { frame } from "../../src/live/frame.ts";
import type { Page, Scene } from "../../src/live/scene.ts";
import { begin, pageRows, paste, shownText, wholeText } from "../../src/live/ui.ts";
import { atAGlance } from "../../src/views/at-a-glance.ts";
import { resultOf } from "../../src/views/result.ts";
import { nextStep } from "../../src/views/run-view.ts";
import { aView } from "../views/a-state.ts";
import { aState } from "../support/builders.ts";
import { aScene, aWatched, ENDED, pressed, recorded, searched, stopped } from "./a-scene.ts";

test.each<[what: string, keys: readonly string[], isLeft: boolean, scene?: Scene]>([
  ["Enter", ["enter"], true],
  ["Space", [" "], true],
  ["Esc", ["escape"], true],
  ["q", ["q"], true],
  ["a key that is none", ["Z"], true],
  ["Esc on another page, which leads back", ["s", "escape"], false],
  ["Esc on another page, twice", ["s", "escape", "escape"], true],
  ["Space at the end of the log", ["l", " "], true],
  ["Space further up in the log", ["l", "g", " "], false],
  ["Enter in the log", ["l", "g", "enter"], true],
  ["Space where there is more below", [" "], false, { ...stopped(), rows: 3 }],
  ["keys with a meaning", ["s", "j", "k", "e", "l", "b", "n", "[", "]", ...searched("word"), "?", "Z", "d"], false],
  ["Enter on the list, which chooses", ["w", "enter"], false],
  ["Enter beside a run that goes on", ["enter", "Z"], false, { ...stopped(), runs: "behind" }],
  ["Enter beside a run that was begun here", ["enter", "Z"], false, { ...stopped(), runs: "begun" }],
  ["Enter while it runs", ["enter", "Z", " ", "escape"], false, aScene()],
  ["Enter of a recorded one", ["enter", "Z"], false, recorded()],
])("a loop that has ended stays until a key that means nothing there: %s [C120, C149]", (_, keys, isLeft, scene) => {
  const asked = pressed(keys, scene ?? { ...stopped(ENDED), rows: 60 })[1].map(({ kind }) => kind);
  expect(asked.includes("quit")).toBe(isLeft);
});

test.each([
  ["is text where text is typed, on one line", ["/"], "p\u001B[2Jw\r\nx\n", "/pw x█", []],
  ["goes on with what is typed", ["/", "a"], "b", "/ab█", []],
  ["is cut where it is longer than anybody searches for", ["/"], "x".repeat(9_000), `/…${"x".repeat(76)}█`, []],
  ["is no key elsewhere", [], "pxy", "What is pasted does nothing here; / searches for it.", []],
  ["answers no question", ["x"], "y", "Stop it now?", []],
] as const)("what is pasted %s [C124, C149]", (_, keys, text, told, asked) => {
  const scene = aScene();
  const [ui, effects] = pressed(keys, scene);
  const after = paste(ui, text);
  expect(frame(after, scene).at(-2)?.text).toContain(told);
  expect(after.typing?.length ?? 0).toBeLessThan(501);
  expect(effects).toEqual(asked);
});

test.each([
  ["while it ran", {}],
  ["after it had ended", ENDED],
] as const)("a loop whose files were deleted %s says that nothing can be resumed from it [C120, C150]", (_, state) => {
  const view = aView(state, { isGone: true, stateFile: "loops/repo-1.json", resume: "smithers resume" });
  const scene = aScene({ watched: aWatched({ view }), rows: 40, columns: 120 });
  const text = (keys: readonly string[]) =>
    frame(pressed(keys, scene)[0], scene)
      .map((row) => row.text)
      .join("\n");
  expect(text([])).toMatch(
    /^repo-1 {2}gone {2}.*\n[^]*^Status: {3}gone, iteration \d of 30: Its folder is gone: loops\/repo-1\.json was deleted\.$/mu,
  );
  expect(text([])).toMatch(/^Next: Nothing can be resumed from it\. /mu);
  expect(text([])).toContain("It has ended. Enter or q leaves");
  for (const key of ["p", "x", "r", "C"])
    expect(text([key])).toContain("Its folder is gone: there is nothing to act on.");
  const told = atAGlance(view).map((row) => row.text);
  expect(told[0]).toMatch(/repo-1: gone\. Its folder is gone/u);
  expect([text([]), ...told].join("\n")).not.toMatch(/smithers resume|crashed|Go on with/u);
});

const STOPPED = { status: "stopped_max_iterations", stop_reason: { kind: "max_iterations", max: 3 } } as const;

test("a loop whose whole prompt is lost says so in place of how to resume it, also to r [C120, C150]", () => {
  const lost = "The whole prompt of loop repo-1 is lost. Put the file back, or start the loop again with the prompt.";
  const view = aView(STOPPED, { lost, resume: "smithers resume" });
  const scene = aScene({ watched: aWatched({ view }), rows: 40, columns: 120 });
  const text = (keys: readonly string[]) =>
    frame(pressed(keys, scene)[0], scene)
      .map((row) => row.text)
      .join("\n");
  expect(text([])).toContain(`Next: ${lost}`);
  expect(text(["r"])).toContain(`\n${lost}\n`);
  expect(pressed(["r"], scene)[1]).toEqual([]);
  expect(text([])).not.toMatch(/smithers resume|r run on/u);
  expect(resultOf(view)).toMatchObject({ resumable_by: "higher_cap", resume: null, next: lost });
  // While its run goes on, and once it is over for good, nothing is missing.
  expect(nextStep({ ...view, alive: true })).not.toContain("lost");
  expect(nextStep(aView({ status: "completed", stop_reason: { kind: "promise", verified: true } }, { lost }))).toBe(
    "Review the changes.",
  );
});

test("an answer that is wider than the screen is told whole, in rows of the page [C123, C124]", () => {
  const scene = aScene({ columns: 40 });
  const file = `/tmp/smithers-${"x".repeat(60)}/smithers.txt`;
  const rows = frame({ ...begin("dashboard"), said: `9 lines in ${file}` }, scene).map(({ text }) => text);
  expect(rows).toHaveLength(scene.rows + 3);
  expect(rows.slice(-4, -1).join("")).toContain(file.slice(1));
  expect(rows.at(-1)).toMatch(/^\? help/u);
  const small = { ...scene, rows: 1 };
  expect(frame({ ...begin("dashboard"), said: "word ".repeat(90) }, small)).toHaveLength(4);
  expect(
    frame(pressed(["x"], scene)[0], scene)
      .map(({ text }) => text)
      .join(" "),
  ).toContain("y: stop it  other: no");
});

test.each([20, 30, 44, 75, 76, 80, 120])(
  "in %d columns no line of the help is broken, nor a key far from what it does [C122]",
  (columns) => {
    const scene = aScene({ columns });
    const [help] = pressed(["?"], scene);
    const lines = wholeText(help, scene).trimEnd().split("\n");
    expect(lines).toEqual(pageRows(help, scene).map(({ text }) => text));
    expect(lines.some((text) => text.startsWith("  d  dashboard") && text.includes("  l  logs"))).toBe(columns > 75);
    // With the rows around it, it is a page of a terminal of 24 rows, and two of one of 44×16.
    expect(lines.length).toBeLessThanOrEqual(columns > 75 ? 20 : columns < 44 ? 62 : 28);
    for (const text of lines) expect(text).toMatch(/^(?:[A-Z][a-z ]+|(?: {2}\S.* {2}| {5,})\S.*)$/u);
  },
);

test("of ten thousand loops each key shows those around the chosen one, in columns, and all are for the pager [C122, C170]", () => {
  const loops = Array.from({ length: 10_000 }, (_, at) => ({
    state: aState({ loop_id: `loop-${at}` }),
    where: "",
    status: "completed",
  }));
  const scene = aScene({ loops, watched: null, rows: 3, columns: 200 });
  const shown = (keys: readonly string[]) => {
    const [ui] = pressed(keys, scene, "loops");
    const rows = frame(ui, scene);
    expect(shownText(ui, scene)).toBe(
      `${rows
        .slice(1, 4)
        .map(({ text }) => text)
        .join("\n")}\n`,
    );
    return rows.slice(1, 4).map(({ text }) => text.slice(0, 22).trimEnd());
  };
  expect(shown([])).toEqual(["› loop-0    completed", "  loop-1    completed", "  loop-2    completed"]);
  expect(shown(["G"])).toEqual(["  loop-9997  completed", "  loop-9998  completed", "› loop-9999  completed"]);
  expect(shown(["G", "g", "pageDown", "pageDown"]).at(-1)).toContain("› loop-4 ");
  expect(
    wholeText(pressed([], scene, "loops")[0], scene)
      .trimEnd()
      .split("\n"),
  ).toHaveLength(10_000);
});

test("a list that is being read shows what is there, says how far it is, and takes keys [C122, C176]", () => {
  const reading = "Reading loops, 2 of 10,000\u001B[2J";
  const text = (keys: readonly string[], scene: Scene, page: Page = "loops") =>
    frame(pressed(keys, scene, page)[0], scene).map((row) => row.text);
  const some = aScene({ watched: null, reading });
  expect(text(["j"], some).slice(0, 3)).toEqual([
    "smithers  2 loops, 1 running  loops",
    expect.stringMatching(/^ {2}repo-1 /u),
    expect.stringMatching(/^› other /u),
  ]);
  expect(text([], some).at(-2)).toBe("Reading loops, 2 of 10,000");
  // Nothing has been read yet, which is not that there is nothing.
  const none = { ...some, loops: [] };
  expect(text(["j", "enter"], none).join("\n")).not.toContain("There is no loop");
  expect(pressed(["j", "enter"], none, "loops")[1]).toEqual([]);
  expect(text([], { ...none, reading: "" })[1]).toContain("There is no loop here any more.");
  // A key's answer comes first, and another page is not about the list.
  expect(text(["d"], none).at(-2)).toContain("Choose a loop first");
  expect(text([], aScene({ reading }), "dashboard").join("\n")).not.toContain("Reading loops");
});
