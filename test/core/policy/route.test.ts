import { expect, test } from "vitest";
import { COMMANDS, type LoopCommand } from "../../../src/core/policy/command.ts";
import { type KnownLoop, type Route, route } from "../../../src/core/policy/route.ts";

const LOOPS: Readonly<Record<string, KnownLoop | null>> = {
  none: null,
  running: { status: "running", running: true },
  vanished: { status: "running", running: false },
  paused: { status: "paused_hard_stop", running: false },
  completed: { status: "completed", running: false },
  canceled: { status: "canceled", running: false },
};

/** Where each command goes, in the order of `LOOPS`; `-` is nobody. */
const TABLE: Readonly<Record<LoopCommand, string>> = {
  continue: "- - continue continue continue continue",
  start: "start - - - start start",
  fix: "fix - fix fix fix fix",
  "reset-circuit": "- - reset-circuit reset-circuit reset-circuit reset-circuit",
  accept: "- - accept accept - -",
  pause: "- run:pause - - - -",
  stop: "- run:stop - - - -",
  cancel: "- run:cancel cancel cancel - -",
  status: "reply reply reply reply reply reply",
};

function inWord(found: Route): string {
  if (found.to === "worker") return found.command;
  if (found.to === "run") return `run:${found.kind}`;
  return found.to === "nobody" ? "-" : found.to;
}

test.for(COMMANDS.filter((command) => command !== "prd"))("%s goes where it can be done", (command) => {
  expect(
    Object.values(LOOPS)
      .map((loop) => inWord(route(command, loop, false)))
      .join(" "),
  ).toBe(TABLE[command]);
});

test("a check that failed starts a loop where there is none or it is over, and lets none go on that runs", () => {
  const words = Object.values(LOOPS).map((loop) => inWord(route("continue", loop, true)));
  expect(words.join(" ")).toBe("start - continue continue start start");
});

test("a request that leads nowhere is answered with why, and what to do", () => {
  const [none = null, running = null, , paused = null, completed = null] = Object.values(LOOPS);
  const said = (found: Route): string => (found.to === "nobody" ? `${found.reason} ${found.next}` : "");
  expect(said(route("continue", none, false))).toContain("Start one with /smithers start.");
  expect(said(route("start", paused, false))).toContain("it is paused_hard_stop. Let it go on with");
  expect(said(route("stop", paused, false))).toContain("The loop does not run: it is paused_hard_stop.");
  expect(said(route("cancel", completed, false))).toContain("The loop is over: it is completed.");
  expect(said(route("accept", completed, false))).toContain("There is no proof that could be accepted.");
  expect(said(route("continue", running, false))).toContain("is running.");
});
