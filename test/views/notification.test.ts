import { expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import { notification, notificationOf } from "../../src/views/notification.ts";
import { started } from "./a-state.ts";

const AT = "2026-01-06T21:10:00.000+00:00";
const wait = (why: "interval" | "usage_limit" | "calls_per_hour"): LoopEvent => ({
  ...{ type: "wait_started", at: AT, until: AT, why },
});

test.each<[what: string, event: LoopEvent, said: unknown]>([
  [
    "an end",
    { type: "loop_stopped", at: AT, reason: { kind: "time_budget" }, commit: null },
    expect.stringMatching(/^fix paused_time_budget: /u),
  ],
  [
    "a limit",
    wait("usage_limit"),
    expect.stringMatching(/^fix waiting until 2026-01-06T21:10:00\.000\+00:00: the provider's usage limit/u),
  ],
  [
    "the hour's calls",
    wait("calls_per_hour"),
    expect.stringMatching(/^fix waiting until .*: the calls of this hour are used up$/u),
  ],
  ["the interval", wait("interval"), undefined],
  ["a beginning", started(), undefined],
])("--notify, of %s [C129]", (_, event, said) => {
  expect(notificationOf(event, "fix")).toEqual(said);
});

const OSC_9 = "\u0007\u001B]9;smithers: done\u0007";
const OSC_777 = "\u0007\u001B]777;notify;smithers;done\u0007";
const TMUX = "/tmp/tmux-0/default,1,0";

test.each<[env: Record<string, string>, bytes: string]>([
  [{ TERM: "xterm-256color" }, OSC_9],
  [{ TERM: "xterm-kitty", TMUX: "", VTE_VERSION: "" }, OSC_9],
  [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, OSC_777],
  [{ TERM: "tmux-256color", TMUX }, "\u0007\u001BPtmux;\u001B\u001B]9;smithers: done\u0007\u001B\\"],
  [
    { TERM: "screen-256color", TMUX, VTE_VERSION: "7600" },
    "\u0007\u001BPtmux;\u001B\u001B]777;notify;smithers;done\u0007\u001B\\",
  ],
  ...["", "dumb", "linux", "vt100", "vt220", "screen", "screen-256color", "screen.xterm-256color"].map(
    (TERM): [Record<string, string>, string] => [{ TERM, VTE_VERSION: "7600" }, "\u0007"],
  ),
  [{}, "\u0007"],
])("a terminal with %j is told in its way [C129]", (env, bytes) => {
  expect(notification("done", env)).toBe(bytes);
});

test.each([
  ["a\u0007b", "ab"],
  ["a\u001B]52;c;AAAA\u0007b", "ab"],
  ["a\u001B\\b", "ab"],
  ["a\u009Cb\u0000c", "abc"],
  ["a\r\nb\tc", "a b c"],
  ["a\u202Eb", "ab"],
  ["x".repeat(500), `${"x".repeat(160)}…`],
])("nothing in its text ends it or is long: %j [C129, T9]", (text, said) => {
  expect(notification(text, { TERM: "xterm" })).toBe(`\u0007\u001B]9;smithers: ${said}\u0007`);
});
