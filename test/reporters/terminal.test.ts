import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import { terminalReporter } from "../../src/reporters/terminal.ts";
import { aState, started, turnStarted } from "../views/a-state.ts";
import { Sink } from "./sink.ts";

/** A terminal of 40 columns that keeps what is written. */
class Terminal extends Sink {
  readonly isTTY = true;
  readonly columns = 40;
  readonly rows = 10;
}

const shown = (terminal: Terminal): string => stripVTControlCharacters(terminal.text);

test("what happened stays, what happens now is redrawn and gone at the end", async () => {
  const terminal = new Terminal();
  const reporter = terminalReporter({ stream: terminal, color: false, now: () => 0, deadline: null });
  reporter.report(started(), aState());
  reporter.report(turnStarted(1), aState({ iteration: 1 }));
  reporter.observe({ type: "command.started", command: `npm run \u001B[2J${"x".repeat(100)}` });
  await vi.waitFor(() => expect(shown(terminal)).toContain("the agent runs: npm run x"), 10_000);
  expect(shown(terminal)).toContain("Iteration 1 of 30");
  expect(terminal.text).not.toContain("\u001B[2J");
  expect(terminal.text).not.toContain("\u001B[?25l");
  reporter.observe({ type: "notice", text: "last words" });
  await reporter.flush(Date.now() + 2_000);
  expect(terminal.text.endsWith("notice: last words\n")).toBe(true);
});

test("colours are there when they are wanted", async () => {
  const terminal = new Terminal();
  const reporter = terminalReporter({ stream: terminal, color: true, now: () => 0, deadline: null });
  reporter.report(started(), aState());
  await reporter.flush(Date.now() + 2_000);
  expect(terminal.text).toContain("\u001B[1mloop repo-1 started");
});

test("a run without events leaves no trace", async () => {
  const terminal = new Terminal();
  await terminalReporter({ stream: terminal, color: true, now: () => 0, deadline: null }).flush(Date.now() + 2_000);
  expect(terminal.text).toBe("");
});

test("what happens while something else has the terminal is not told later, and what was waiting is told before [C127]", async () => {
  const terminal = new Terminal();
  const reporter = terminalReporter({ stream: terminal, color: false, now: () => 0, deadline: null });
  reporter.report(started(), aState());
  reporter.hide();
  expect(shown(terminal)).toMatch(/^loop repo-1 started.*\n$/u);
  const before = terminal.text;
  reporter.report(turnStarted(1), aState({ iteration: 1 }));
  reporter.observe({ type: "notice", text: "meanwhile" });
  await vi.waitFor(() => import("log-update"));
  expect(terminal.text).toBe(before);
  reporter.show();
  await vi.waitFor(() => expect(shown(terminal)).toContain("Iteration 1 of 30"), 10_000);
  reporter.hide();
  reporter.observe({ type: "notice", text: "at the end" });
  const hidden = terminal.text;
  await reporter.flush(Date.now() + 2_000);
  expect(terminal.text).toBe(hidden);
  expect(shown(terminal)).not.toContain("meanwhile");
});
