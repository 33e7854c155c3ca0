import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import type { Clock } from "../../src/core/ports.ts";
import type { LoopState } from "../../src/core/state.ts";
import { DONE, failed } from "../../src/core/result.ts";
import { type Doing, statusCommentReporter, type WrittenComment } from "../../src/reporters/status-comment.ts";
import { aCheck, aState, settled, started, turnEnded, turnStarted } from "../views/a-state.ts";
import { aProved } from "../support/builders.ts";

const SECOND = 1_000;

/** A promise that waits until somebody opens it. */
function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** A clock that only a test moves. */
class StillClock implements Clock {
  #now = 1_000_000;
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  now(): number {
    return this.#now;
  }

  async sleepUntil(at: number, signal: AbortSignal): Promise<void> {
    if (at <= this.#now || signal.aborted) return;
    const { promise, open } = gate();
    const sleeper = { at, wake: open };
    this.#sleepers.add(sleeper);
    signal.addEventListener("abort", open, { once: true });
    await promise;
    this.#sleepers.delete(sleeper);
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const { at, wake } of this.#sleepers) if (at <= this.#now) wake();
    await nextTurn();
  }
}

/** A comment whose requests take as long as the test wants. */
function aComment(answers: WrittenComment[] = []) {
  const bodies: string[] = [];
  let held: Promise<void> | undefined;
  let atOnce = 0;
  let most = 0;
  return {
    bodies,
    most: () => most,
    hold: () => {
      const { promise, open } = gate();
      held = promise;
      return open;
    },
    async put(body: string): Promise<WrittenComment> {
      most = Math.max(most, ++atOnce);
      await held;
      atOnce -= 1;
      bodies.push(body);
      return answers.shift() ?? DONE;
    },
  };
}

function atWork({
  answers = [],
  render = shown,
}: { answers?: WrittenComment[]; render?: (state: LoopState, doing: Doing) => string } = {}) {
  const clock = new StillClock();
  const comment = aComment(answers);
  const lines: string[] = [];
  const reporter = statusCommentReporter({ comment, render, clock, log: (line) => lines.push(line) });
  const tell = async (iteration: number, event: LoopEvent = turnStarted(iteration)): Promise<void> => {
    reporter.report(event, aState({ iteration }));
    await nextTurn();
  };
  return { clock, comment, lines, reporter, tell };
}

function shown({ iteration }: LoopState): string {
  return `iteration ${iteration}`;
}

const REFUSED: WrittenComment = failed({ kind: "refused", because: "the token may not do this" });
const UNREACHABLE: WrittenComment = failed({ kind: "unreachable", because: "GitHub did not answer in time" });

test("the first word is written at once, further ones every 30 s, the latest state only", async () => {
  const { clock, comment, tell } = atWork();
  await tell(1, started());
  expect(comment.bodies).toEqual(["iteration 1"]);
  await tell(2);
  await tell(3);
  await clock.pass(29 * SECOND);
  expect(comment.bodies).toEqual(["iteration 1"]);
  await clock.pass(SECOND);
  expect(comment.bodies).toEqual(["iteration 1", "iteration 3"]);
  await clock.pass(300 * SECOND);
  expect(comment.bodies).toHaveLength(2);
  await tell(4);
  expect(comment.bodies).toEqual(["iteration 1", "iteration 3", "iteration 4"]);
});

test("the item and the checks that have ended are told; a new turn begins with none", async () => {
  const doing: Doing[] = [];
  const { reporter, tell } = atWork({ render: (_state, now) => `${doing.push(now)}` });
  const item = { id: "1", title: "the first", text: "Do it." };
  reporter.observe({ type: "check.ended", check: aCheck() });
  await tell(1, { type: "turn_started", at: "2026-01-06T21:10:00.000+00:00", iteration: 1, item, session: "fresh" });
  reporter.observe({ type: "check.ended", check: aCheck() });
  expect(doing).toEqual([{ item: "the first", checks: [], activity: null }]);
  await tell(1, turnEnded());
  await reporter.flush(Number.MAX_SAFE_INTEGER);
  expect(doing.at(-1)).toMatchObject({ item: "the first", checks: [{ text: expect.stringContaining("npm test") }] });
});

test("a wait inside the run is told with its reason and its end, until the next turn begins [C12, R-30]", async () => {
  const { clock, comment, tell } = atWork({ render: (_state, { activity }) => String(activity) });
  await tell(1, { type: "wait_started", at: "2026-01-06T21:10:00.000+00:00", until: "noon", why: "calls_per_hour" });
  await clock.pass(30 * SECOND);
  await tell(2);
  expect(comment.bodies).toEqual(["waiting until noon: the calls of this hour are used up", "null"]);
});

test("what follows within moments, or is nobody's business, costs no request", async () => {
  const { comment, tell, reporter } = atWork();
  await tell(1, { type: "session_opened", session_id: "s", at: "2026-01-06T21:10:00.000+00:00" });
  await tell(1, aProved({ result: "passed", checks: [] }));
  await tell(1, settled(1, "abc"));
  reporter.observe({ type: "message", text: "hello" });
  await nextTurn();
  expect(comment.bodies).toEqual([]);
});

test("API thrift: ten iterations of minutes each cost two requests each", async () => {
  const { clock, comment, tell } = atWork();
  for (let iteration = 1; iteration <= 10; iteration += 1) {
    await tell(iteration);
    await clock.pass(180 * SECOND);
    await tell(iteration, turnEnded());
    await clock.pass(60 * SECOND);
    await tell(iteration, settled(iteration, "abc"));
  }
  expect(comment.bodies).toHaveLength(20);
});

test("only one request is under way, however long it takes", async () => {
  const { clock, comment, tell } = atWork();
  const release = comment.hold();
  await tell(1);
  await clock.pass(60 * SECOND);
  await tell(2);
  await clock.pass(60 * SECOND);
  await tell(3);
  expect(comment.bodies).toEqual([]);
  release();
  await nextTurn();
  expect(comment.bodies).toEqual(["iteration 1", "iteration 3"]);
  expect(comment.most()).toBe(1);
});

test("flush writes what waits, without the wait", async () => {
  const { clock, comment, reporter, tell } = atWork();
  await tell(1);
  await tell(2);
  await reporter.flush(clock.now() + SECOND);
  expect(comment.bodies).toEqual(["iteration 1", "iteration 2"]);
  await reporter.flush(clock.now() + SECOND);
  expect(comment.bodies).toHaveLength(2);
});

test("flush waits for the request under way, and writes what has come since", async () => {
  const { clock, comment, reporter, tell } = atWork();
  const release = comment.hold();
  await tell(1);
  await tell(2);
  const flushed = reporter.flush(clock.now() + SECOND);
  await nextTurn();
  expect(comment.bodies).toEqual([]);
  release();
  await flushed;
  expect(comment.bodies).toEqual(["iteration 1", "iteration 2"]);
});

test("flush waits no longer than it may", async () => {
  const { clock, comment, reporter, tell } = atWork();
  const release = comment.hold();
  await tell(1);
  const flushed = reporter.flush(clock.now() + SECOND);
  await clock.pass(SECOND);
  await flushed;
  expect(comment.bodies).toEqual([]);
  release();
});

test("after a flush the pace is the same as before", async () => {
  const { clock, comment, reporter, tell } = atWork();
  await tell(1);
  await reporter.flush(clock.now() + SECOND);
  await tell(2);
  expect(comment.bodies).toEqual(["iteration 1"]);
  await clock.pass(30 * SECOND);
  expect(comment.bodies).toEqual(["iteration 1", "iteration 2"]);
});

test("where GitHub refuses, it is told once and not asked again", async () => {
  const { clock, comment, lines, reporter, tell } = atWork({ answers: [REFUSED] });
  await tell(1);
  await clock.pass(60 * SECOND);
  await tell(2);
  await reporter.flush(clock.now() + SECOND);
  expect(comment.bodies).toHaveLength(1);
  expect(lines).toEqual(["The status comment on the pull request is not up to date: the token may not do this."]);
});

test("where GitHub is not reached, it is told once and asked again with the next word", async () => {
  const { clock, comment, lines, tell } = atWork({ answers: [UNREACHABLE, UNREACHABLE] });
  for (const iteration of [1, 2, 3]) {
    await tell(iteration);
    await clock.pass(60 * SECOND);
  }
  expect(comment.bodies).toEqual(["iteration 1", "iteration 2", "iteration 3"]);
  expect(lines).toEqual(["The status comment on the pull request is not up to date: GitHub did not answer in time."]);
});

test("a text that cannot be made is a line in the log, never an exception in the loop", async () => {
  const { lines, reporter, clock, tell } = atWork({
    render: () => {
      throw new Error("no such view");
    },
  });
  await tell(1);
  await reporter.flush(clock.now() + SECOND);
  expect(lines).toEqual([expect.stringContaining("no such view")]);
});
