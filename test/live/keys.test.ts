import { describe, expect, test } from "vitest";
import { frame, roomIn } from "../../src/live/frame.ts";
import type { Scene, Ui } from "../../src/live/scene.ts";
import { begin, press, shownText, wholeText } from "../../src/live/ui.ts";
import type { LoopState } from "../../src/core/state.ts";
import { line } from "../../src/views/plain-text.ts";
import { aLastTurn, anIterationRecord } from "../support/builders.ts";
import { aView } from "../views/a-state.ts";
import {
  aLog,
  aRow,
  aScene,
  aWatched,
  ENDED,
  iterations,
  logged,
  pressed,
  recorded,
  searched,
  stopped,
} from "./a-scene.ts";

const OPEN = { circuit: { state: "OPEN", trigger: "no_progress", count: 5 } } as const;
const unchosen = () => aScene({ watched: null });

describe("a key", () => {
  test.each([
    ["d", "dashboard"],
    ["s", "stories"],
    ["l", "logs"],
    ["e", "settings"],
    ["w", "loops"],
    ["?", "help"],
  ] as const)("%s shows a view: %s [R-23, R-25, D-28]", (key, page) => {
    const [ui, asked] = pressed([key], aScene(), "stories");
    expect(ui.page).toBe(page);
    expect(asked).toEqual([]);
  });

  test.each([
    ["help leads back to where somebody was", ["l", "?", "escape"], "logs"],
    ["help twice as well", ["l", "?", "?", "escape"], "logs"],
    ["Esc leads back to the dashboard", ["s", "escape"], "dashboard"],
  ])("%s [R-25]", (_, keys, page) => {
    expect(pressed(keys, aScene())[0].page).toBe(page);
  });

  test.each([
    ["q", ["q"], [{ kind: "quit" }]],
    ["Ctrl+C while something is typed", ["/", "ctrl+c"], [{ kind: "quit", wish: "interrupt" }]],
    ["p", ["p"], [{ kind: "pause" }]],
    ["x alone", ["x"], []],
    ["x and y", ["x", "y"], [{ kind: "stop" }]],
    ["x and anything else", ["x", "n"], []],
    ["c", ["c"], [{ kind: "copy" }]],
    ["o", ["o"], [{ kind: "pager" }]],
    ["a key that is none", ["Z"], []],
    ["r", ["r"], []],
    ["C", ["C"], []],
  ])("%s asks this of a loop that runs [R-25, D-29, C121]", (_, keys, effects) => {
    expect(pressed(keys, aScene())[1]).toEqual(effects);
  });

  test.each<[what: string, keys: readonly string[], asked: readonly object[], state?: Partial<LoopState>]>([
    ["r", ["r"], [{ kind: "quit", wish: "run-on" }]],
    ["C and y, when its circuit is open", ["C", "y"], [{ kind: "reset-circuit" }], OPEN],
    ["C, when it is closed", ["C"], []],
    ["p", ["p"], []],
    ["x", ["x"], []],
  ])("%s asks this of a loop that has stopped [R-25, D-29, C121]", (_, keys, effects, state = {}) => {
    expect(pressed(keys, stopped(state))[1]).toEqual(effects);
  });

  test("r asks for a command where the terminal has a loop that runs [C128]", () => {
    expect(pressed(["r"], { ...stopped(), runs: "behind" })[1]).toEqual([{ kind: "resume" }]);
  });

  test.each([
    ["behind", ["q"], [{ kind: "quit" }]],
    ["begun", ["q"], []],
    ["begun", ["q", "l"], [{ kind: "quit" }]],
    ["begun", ["q", "p"], [{ kind: "quit", wish: "pause" }]],
    ["begun", ["q", "c"], [{ kind: "quit", wish: "cancel" }]],
    ["begun", ["q", "q"], []],
    ["begun", ["q", "ctrl+c"], [{ kind: "quit", wish: "interrupt" }]],
  ] as const)("where the terminal's loop is %s, %j asks for %j [C127, C128]", (runs, keys, effects) => {
    expect(pressed(keys, aScene({ runs }))[1]).toEqual(effects);
  });

  test.each([
    ["runs", aScene(), /p pause {2}x stop/u, /run on/u],
    ["has stopped", stopped(), /r run on/u, /p pause/u],
    ["is over for good", stopped(ENDED), /e settings/u, /r run on|p pause/u],
  ] as const)("the last row has the keys for a loop that %s [R-25, C128]", (_, scene, shown, other) => {
    const keys = frame(begin("dashboard"), scene).at(-1)?.text;
    expect(keys).toMatch(shown);
    expect(keys).not.toMatch(other);
  });

  test("what q asks stands at the bottom, and any other key takes it away [C128]", () => {
    const scene = aScene({ runs: "begun" });
    const told = (keys: readonly string[]) => frame(pressed(keys, scene)[0], scene).at(-2)?.text;
    expect(told(["q"])).toBe("Leave: l log here  p pause  c cancel  other: stay");
    expect(told(["q", "d"])).toBe(told([]));
  });

  test.each([
    ["elsewhere", /^ {2}q, Ctrl\+C {2}leave the view; the loop goes on as it is$/mu],
    ["behind", /^ {2}q {7}on with its plain log here +Ctrl\+C {2}pause the loop$/mu],
    ["begun", /^ {2}q {7}asks: its plain log here, pause, or cancel\n {2}Ctrl\+C {2}pause it/mu],
  ] as const)("the help says what q and Ctrl+C do where the loop is %s [C127, C128]", (runs, said) => {
    const scene = aScene({ runs });
    expect(wholeText(pressed(["?"], scene)[0], scene)).toMatch(said);
    const over = { ...stopped(), runs: "elsewhere" } as const;
    expect(wholeText(pressed(["?"], over)[0], over)).toMatch(/^ {2}Enter, q {2}leave; /mu);
  });

  test.each([
    ["a recorded loop cannot be paused", "p", recorded(), /recorded/u],
    ["a recorded loop is alone", "w", recorded(), /one recorded loop/u],
    ["no loop is chosen yet", "p", unchosen(), /Choose a loop/u],
    ["no loop is chosen yet, so it has no logs", "l", unchosen(), /Choose a loop/u],
    ["a running loop is not run on", "r", aScene(), /It is running/u],
    ["a loop that is over for good does not go on", "r", stopped(ENDED), /over for good/u],
    ["a running loop's circuit is not closed", "C", aScene(), /has stopped/u],
    ["a closed circuit is not reset", "C", stopped(), /nothing to reset/u],
    ["a loop that has stopped is not paused", "p", stopped(), /not running/u],
    ["nothing is searched for yet", "n", aScene(), /Search with/u],
  ])("says why nothing happens: %s [C121]", (_, key, scene, said) => {
    const [ui, asked] = pressed([key], scene, scene.watched === null ? "loops" : "dashboard");
    expect(ui.said).toMatch(said);
    expect(asked).toEqual([]);
    expect(press(ui, "down", scene)[0].said).toBe("");
  });

  test("chooses one of several loops, and Esc leads back to them [D-29]", () => {
    const scene = aScene({ watched: null });
    const [ui, asked] = pressed(["down", "down", "enter"], scene, "loops");
    expect(asked).toEqual([{ kind: "watch", loopId: "other", where: "" }]);
    expect(ui.page).toBe("dashboard");
    expect(pressed(["?", "escape", "Z"], scene, "loops")[0].page).toBe("loops");
    expect(pressed(["s", "escape"], scene, "loops")[0].page).toBe("loops");
    expect(pressed(["up", "enter"], { ...scene, loops: [] }, "loops")[1]).toEqual([]);
  });
});

describe("reading the logs", () => {
  const top = (keys: readonly string[], scene = aScene()): string =>
    frame(pressed(keys, scene, "logs")[0], scene)[1]?.text ?? "";
  const told = (keys: readonly string[], scene = aScene()): string => {
    const rows = frame(pressed(keys, scene, "logs")[0], scene);
    return rows[rows.length - 2]?.text ?? "";
  };

  test.each([
    ["the end is followed", [], "iteration 2 started"],
    ["one row up", ["up"], "word 1.3"],
    ["one row up, by its other key", ["k"], "word 1.3"],
    ["up and down again follows the end", ["up", "down"], "iteration 2 started"],
    ["a page up stops at the oldest", ["pageUp", "b", "b"], "iteration 1 started"],
    ["a page down from the oldest", ["g", " "], "iteration 2 started"],
    ["to the oldest and one down", ["home", "j"], "word 1.0"],
    ["and back to the end", ["g", "G"], "iteration 2 started"],
    ["the iteration before, from the end to its own beginning", ["["], "iteration 3 started"],
    ["and the one before that", ["[", "["], "iteration 2 started"],
    ["the first one stays", ["[", "[", "[", "["], "iteration 1 started"],
    ["the next one", ["g", "]"], "iteration 2 started"],
    ["behind the last one is the end", ["[", "]"], "iteration 2 started"],
    ["a word is searched backwards from the end", [...searched("WORD 2")], "word 2.3"],
    ["the same again with an empty word", [...searched("word 2"), "N", "/", "enter"], "word 2.2"],
    ["the next place", ["g", ...searched("word 2"), "n"], "word 2.1"],
    ["the place before", ["g", ...searched("word 2"), "n", "N"], "word 2.0"],
    ["a typing error is taken back", [...searched("word 2x").slice(0, -1), "backspace", "up", "enter"], "word 2.3"],
    ["Esc searches for nothing", ["/", "x", "escape"], "iteration 2 started"],
    ["nothing left to take back ends it", ["/", "backspace"], "iteration 2 started"],
  ])("%s [R-23, C122]", (_, keys, text) => {
    expect(top(keys)).toContain(text);
  });

  test.each([
    ["at the end of a running loop", [], "following"],
    ["elsewhere", ["g"], "line 1 of 15; G: the end"],
    ["what is typed", ["/", "a", "b"], "/ab█"],
    ["what is not there, up", ["/", "#", "enter"], '"#" is not further up.'],
    ["what is not there, down", ["g", "/", "#", "enter"], '"#" is not further down.'],
  ])("says where somebody is: %s [C122]", (_, keys, text) => {
    expect(told(keys)).toBe(text);
  });

  test("what comes while somebody reads elsewhere does not move the place; it is counted until G [R-23, C122]", () => {
    const scene = aScene();
    const [ui] = pressed(["up"], scene, "logs");
    const before = frame(ui, scene).slice(1, -2);
    scene.log.add(logged(3, "agent says: new"));
    expect(frame(ui, scene).slice(1, -2)).toEqual(before);
    expect(frame(ui, scene).at(-2)?.text).toBe("1 new line, G");
    scene.log.add(logged(3, "agent says: newer"));
    expect(frame(ui, scene).at(-2)?.text).toBe("2 new lines, G");
    const [end] = press(ui, "G", scene);
    expect(frame(end, scene).at(-3)?.text).toContain("agent says: newer");
    expect(frame(end, scene).at(-2)?.text).toBe("following");
  });

  test("a loop that has ended has an end, and an empty log says so [R-23]", () => {
    expect(told([], stopped())).toBe("the end; Enter or q leaves");
    expect(told(["g"], stopped())).toBe("line 1 of 15; G: the end; Enter or q leaves");
    const empty = aScene({ log: aLog([]) });
    expect(top([], empty)).toBe("There is nothing in the log yet.");
    expect(top(["g", "[", "]", "down", "up", "G"], empty)).toBe("There is nothing in the log yet.");
  });

  test("what is searched for stands out [C122]", () => {
    const scene = aScene();
    const rows = frame(pressed(searched("word 2.1"), scene, "logs")[0], scene);
    expect(rows[1]).toEqual({ text: "21:10:07 [2/30] agent says: word 2.1", tone: "strong" });
    expect(rows[2]?.tone).toBe("dim");
  });

  test("long lines wrap, and are scrolled row by row [C122]", () => {
    const log = aLog([logged(1, `agent says: ${"long ".repeat(40)}end`), logged(1, "agent says: short")]);
    const scene = aScene({ log, rows: 3 });
    expect(top([], scene)).toMatch(/^long/u);
    const up = pressed(["up"], scene, "logs")[0];
    expect(frame(up, scene)[3]?.text).toMatch(/end$/u);
    expect(top(["up", "up", "up"], scene)).toMatch(/^21:10:07 \[1\/30\] agent says: long/u);
    expect(top(["g", "down"], scene)).toMatch(/^long/u);
    expect(top(["g", "down", "up"], scene)).toMatch(/^21:10:07/u);
  });
});

/** The rows of the page, between the head and what is told. */
function bodyText(ui: Ui, scene: Scene): string {
  const texts = frame(ui, scene).map(({ text }) => text);
  return `${texts.slice(1, 1 + scene.rows).join("\n")}\n`;
}

describe("text is taken away", () => {
  test("what is shown, as whole lines; and all of it for the pager [C123]", () => {
    const scene = aScene({ rows: 2, columns: 30 });
    const [logs] = pressed(["g"], scene, "logs");
    expect(shownText(logs, scene)).toBe(`${logged(1, "iteration 1 started, fresh session")}\n`);
    expect(wholeText(logs, scene)).toBe(`${iterations(3).join("\n")}\n`);
    const [help] = pressed(["?", "down"], scene);
    expect(shownText(help, scene)).toBe("  d  dashboard\n  l  logs\n");
    expect(wholeText(help, scene)).toContain("copy what is shown");
    const [stop] = pressed(["G"], { ...stopped(), columns: 20 });
    expect(shownText(stop, { ...stopped(), columns: 20 })).toMatch(/^Next: .*smithers resume.*\n$/mu);
    // As it stands there, also in a terminal that has grown.
    const [end] = pressed(["?", "G"], scene);
    const larger = { ...scene, rows: 12, columns: 80 };
    expect(shownText(end, larger)).toBe(bodyText(end, larger));
    expect(shownText(end, larger).split("\n")).toHaveLength(13);
  });

  test("control characters reach neither screen nor copy [C123, T9]", () => {
    const log = aLog([logged(1, "agent says: \u001B]52;c;AAAA\u0007\u001B[2J\u0007hi\u202E\r\nthere")]);
    const scene = aScene({ log });
    const [ui] = pressed([], scene, "logs");
    const all = [...frame(ui, scene).map(({ text }) => text), shownText(ui, scene), wholeText(ui, scene)].join("\n");
    expect(all).toContain("agent says: hi there");
    expect(all).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  });
});

describe("what a loop's files say, whatever that is,", () => {
  const EVIL = "a\u001B]52;c;AAAA\u0007\u001B[2Jb\u009B2J\u202Ec\nd";
  const view = aView(
    {
      ...{ loop_id: EVIL, prompt: EVIL, created_at: EVIL, updated_at: EVIL, iteration: 2 },
      last_turn: aLastTurn({ failure: { kind: "crashed", retryable: true, message: EVIL }, summary: EVIL }),
      iterations: [anIterationRecord({ iteration: 1, commit: EVIL })],
      plan: { path: EVIL, agent_file: EVIL, items: 9, ticked: 4, most_items: 9 },
    },
    { alive: true, branch: EVIL, stateFile: EVIL, folder: EVIL, resume: EVIL },
  );

  test.each(["dashboard", "stories", "logs", "settings", "help", "loops"] as const)(
    "reaches neither the terminal nor a copy as a control character: %s [C123, T9]",
    (page) => {
      const scene = aScene({
        loops: [{ ...aRow(EVIL, EVIL), where: EVIL }],
        watched: aWatched({ view, where: EVIL, limits: [EVIL], settings: [line(EVIL)] }),
        log: aLog([EVIL]),
        rows: 60,
      });
      const ui = { ...begin(page), said: EVIL };
      const copied = `${shownText(ui, scene)}${wholeText(ui, scene)}`;
      const all = [...frame(ui, scene).map(({ text }) => text), ...copied.split("\n")];
      expect(all.filter((text) => /\p{Cc}|\u202E/u.test(text))).toEqual([]);
      expect(all.join("\n")).toContain("ab");
    },
  );
});

describe("the screen", () => {
  test.each([
    [80, 24],
    [120, 40],
    [40, 10],
    [5, 2],
    [0, 0],
  ])("of %i×%i is filled, and nothing is wider than it [C124]", (columns, rows) => {
    const room = roomIn(columns, rows);
    for (const page of ["dashboard", "stories", "logs", "settings", "help", "loops"] as const) {
      const scene = aScene({
        ...room,
        watched: aWatched({ view: aView({ prompt: "漢字 ".repeat(90) }, { alive: true }) }),
      });
      const shown = frame(begin(page), scene);
      expect(shown).toHaveLength(room.rows + 3);
      expect(shown.filter(({ text }) => text.length > room.columns)).toEqual([]);
    }
  });

  test("pages that are longer than it scroll, and say how much is below [C122]", () => {
    const scene = aScene({ rows: 4 });
    const [ui] = pressed(["?"], scene);
    expect(frame(ui, scene).at(-2)?.text).toMatch(/^\d+ more rows below$/u);
    const [end] = pressed(["?", "G"], scene);
    expect(frame(end, scene).at(-2)?.text).toBe("");
    expect(frame(end, scene)[4]?.text).toContain("Esc");
    expect(frame(pressed(["?", "G", "g"], scene)[0], scene)[1]?.text).toBe("Look");
  });

  test("tells of questions, of a loop that does not run, and of the keys that help [R-25]", () => {
    const last = (keys: readonly string[], scene = aScene()) => frame(pressed(keys, scene)[0], scene).slice(-2);
    expect(last(["x"])[0]?.text).toMatch(/^Stop it now\?/u);
    expect(last(["C"], stopped(OPEN))[0]?.text).toMatch(/^Close the circuit\?/u);
    expect(last([], { ...stopped(), rows: 60 })[0]?.text).toBe("It does not run. Enter or q leaves.");
    expect(last([], stopped())[0]?.text).toMatch(/^It does not run. Enter or q leaves; \d+ more rows below.$/u);
    expect(last(["s"], { ...stopped(ENDED), rows: 60 })[0]?.text).toBe("It has ended. Enter or q leaves.");
    expect(last([], { ...stopped(), runs: "behind" })[0]?.text).toMatch(/^It does not run. q leaves/u);
    expect(last([])[1]?.text).toContain("p pause  x stop");
    expect(last([], stopped())[1]?.text).toContain("r run on");
    expect(last([], recorded())[1]?.text).not.toMatch(/pause|loops/u);
    expect(last([])[1]?.text).toContain("w loops");
    expect(frame(begin("dashboard"), recorded())[0]?.text).toBe("repo-1  running  0/30  recorded  dashboard");
  });

  test.each<[what: string, keys: readonly string[], page: string, head: string, status: string | RegExp]>([
    ["as it ended", [], "dashboard", "completed  3/30", /^Status: {3}completed/mu],
    ["back", ["["], "dashboard", "running  2/30", /iteration 2 of 30: It went on after it\./u],
    ["back twice", ["[", "["], "dashboard", "running  1/30", "as it was after iteration 1"],
    ["back further than there are", ["[", "[", "["], "dashboard", "running  1/30", "no iteration before"],
    ["and on again", ["[", "[", "]"], "dashboard", "running  2/30", "as it was after iteration 2"],
    ["to how it ended", ["[", "]"], "dashboard", "completed  3/30", "Next: "],
    ["no further", ["]"], "dashboard", "completed  3/30", "no iteration behind"],
    ["on another page", ["s", "["], "stories", "running  2/30", "as it was after iteration 2"],
    ["in the log, which goes along", ["[", "l"], "logs", "running  2/30", /^21:10:07 \[2\/30\] iteration 2 started/mu],
    ["from the log", ["l", "[", "[", "d"], "dashboard", "running  2/30", "as it was after iteration 2"],
    ["to the end of the log", ["l", "[", "]", "]", "d"], "dashboard", "completed  3/30", "Next: "],
  ])("steps through a recorded loop, iteration by iteration: %s [C125]", (_, keys, page, head, status) => {
    const view = aView(ENDED, { isRecorded: true });
    const steps = [1, 2].map((iteration) => ({ ...view, state: aView({ iteration }).state }));
    const scene = aScene({ watched: aWatched({ view, steps }), rows: 30 });
    const [ui] = pressed(keys, scene);
    const rows = frame(ui, scene).map(({ text }) => text);
    expect(rows[0]).toBe(`repo-1  ${head}  recorded  ${page}`);
    expect(rows.join("\n")).toMatch(status);
    expect(rows.at(-1)).toContain("[ ] iteration");
    expect(rows.filter((row) => row.startsWith("Next: "))).toHaveLength(
      ui.step === null && page === "dashboard" ? 1 : 0,
    );
  });

  test("lists the loops of the repository with their progress, and keeps the chosen one on it [D-05]", () => {
    const loops = Array.from({ length: 9 }, (_, at) => aRow(`loop-${at}`, at === 1 ? "running" : "completed"));
    const scene = aScene({ loops, watched: null, rows: 3 });
    expect(frame(begin("loops"), scene)[0]?.text).toBe("smithers  9 loops, 1 running  loops");
    expect(frame(begin("loops"), scene)[1]?.text).toBe("› loop-0  completed  0 of 30  5 min ago  Fix the tests");
    const [ui] = pressed(["G"], scene, "loops");
    expect(frame(ui, scene)[3]?.text).toMatch(/^› loop-8/u);
    expect(shownText(ui, scene)).toBe(bodyText(ui, scene));
    expect(frame(begin("loops"), { ...scene, loops: [] })[1]?.text).toBe("There is no loop here any more.");
  });

  test.each([
    ["the last", ["G"], 3, "8"],
    ["one in the middle", ["j", "j", "j"], 3, "3"],
    ["one with more rows than there are", ["j", "j"], 1, "2"],
  ])(
    "a loop that takes several rows of a narrow pane is seen when it is chosen: %s [D-05, C124]",
    (_, keys, rows, at) => {
      const loops = Array.from({ length: 9 }, (__, n) => aRow(`loop-${n}`));
      const scene = aScene({ loops, watched: null, rows, columns: 30 });
      expect(bodyText(pressed(keys, scene, "loops")[0], scene)).toMatch(new RegExp(`^› loop-${at} `, "mu"));
    },
  );

  test("the chosen loop stays chosen when others go past it, and Enter means what is marked [D-29]", () => {
    const [first, second, third] = [aRow("a"), aRow("b"), { ...aRow("b"), where: "tree" }];
    const before = aScene({ loops: [first, second, third], watched: null });
    const [ui] = pressed(["j"], before, "loops");
    const after = { ...before, loops: [third, first, second] };
    expect(bodyText(ui, after)).toMatch(/^› b {2}/mu);
    expect(press(ui, "enter", after)[1]).toEqual({ kind: "watch", loopId: "b", where: "" });
    const gone = { ...before, loops: [third, first] };
    expect(press(ui, "enter", gone)[1]).toEqual({ kind: "watch", loopId: "b", where: "tree" });
  });
});
