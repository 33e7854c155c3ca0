import { describe, expect, test, vi } from "vitest";
import { Checkpoints } from "../../src/carry/checkpoints.ts";
import type { CarriedRecord, LoopRef, RefWritten } from "../../src/core/carry.ts";
import type { LoopEvent } from "../../src/core/events.ts";
import type { ControlRequest, Store } from "../../src/core/ports.ts";
import { startCounters } from "../../src/core/progress/counters.ts";
import { CLOSED, type LoopState } from "../../src/core/state.ts";
import { aLoopStarted, aState, AT, THE_ITEM } from "../support/builders.ts";

const written = (commit: string, notices: readonly string[] = []): RefWritten => ({
  ok: true,
  value: { commit, notices },
});
const SUPERSEDED: RefWritten = { ok: false, trouble: { kind: "superseded", because: "run 7" } };
const UNREACHABLE: RefWritten = { ok: false, trouble: { kind: "unreachable", because: "503" } };
const REFUSED: RefWritten = { ok: false, trouble: { kind: "refused", because: "add contents: write" } };

const turnStarted: LoopEvent = { type: "turn_started", at: AT, iteration: 1, item: THE_ITEM, session: "fresh" };
const settled: LoopEvent = {
  type: "settled",
  at: AT,
  iteration: 1,
  commit: null,
  snapshot: null,
  hard_stops: [],
  progress: startCounters(null),
  circuit: CLOSED,
  next_at: null,
};
const opened: LoopEvent = { type: "session_opened", at: AT, session_id: "s" };
const stateAt = (revision: number): LoopState => aState({ revision });

/** A ref whose writes end when the test says so. */
function slowRef() {
  const asked: CarriedRecord[] = [];
  const times: number[] = [];
  const answers: ((result: RefWritten) => void)[] = [];
  const ref: LoopRef = {
    read: async () => ({ answer: "absent" }),
    restoreTree: async () => ({ restored: "nothing" }),
    write: (record, _tree, within) => {
      asked.push(record);
      times.push(within);
      return new Promise((resolve) => answers.push(resolve));
    },
  };
  const answer = async (result: RefWritten): Promise<void> => {
    await new Promise(setImmediate);
    answers.shift()?.(result);
    await new Promise(setImmediate);
  };
  return { ref, asked, times, answer };
}

function given() {
  const slow = slowRef();
  const notices: string[] = [];
  const noted: [string | null, number][] = [];
  const appended: LoopEvent["type"][] = [];
  const store: Store = {
    load: async () => undefined,
    append: async (event) => void appended.push(event.type),
  };
  const checkpoints = new Checkpoints({
    ref: slow.ref,
    follows: "c0",
    recordOf: (state, follows) => ({
      schema: 1,
      loop_id: state.loop_id,
      generation: 1,
      revision: state.revision,
      saved_at: AT,
      run: { id: "1", attempt: "1" },
      nonce: "n",
      follows,
      base: null,
      bulk: null,
      state,
    }),
    treeOf: () => null,
    seen: true,
    since: null,
    note: async ({ follows, sent }) => void noted.push([follows, sent.length]),
    notice: (text) => notices.push(text),
    withinMs: 60_000,
  });
  return { ...slow, notices, noted, appended, checkpoints, store: checkpoints.over(store) };
}

describe("the loop's ref beside the loop [C11, C13]", () => {
  test("nothing but a beginning or an ending waits for a write, and of several states the newest is written", async () => {
    const { store, asked, answer, checkpoints } = given();
    await store.append(opened, stateAt(1));
    expect(asked).toEqual([]);
    checkpoints.note(stateAt(2));
    checkpoints.note(stateAt(3));
    checkpoints.note(stateAt(4));
    await answer(written("c1"));
    expect(asked.map(({ revision, follows }) => [revision, follows])).toEqual([
      [2, "c0"],
      [4, "c1"],
    ]);
  });

  test.for([
    { what: "a loop on a pull request is on its ref from its first moment", number: 7, revisions: [1] },
    { what: "a loop without one once its first turn begins", number: null, revisions: [] },
  ])("$what", async ({ number, revisions }) => {
    const { store, asked } = given();
    const link = { branch: "b", head: null, authorised_by: null, obeyed: null, continuations: 0 };
    const github = { ...link, pull_request: number === null ? null : { number, url: "", own: false } };
    await store.append(aLoopStarted(), { ...stateAt(1), github });
    await new Promise(setImmediate);
    expect(asked.map(({ revision }) => revision)).toEqual(revisions);
  });

  test.each([
    ["the next turn does wait, so that a run that lost the loop begins none", turnStarted],
    ["the end of an iteration does wait, so that a run that lost the loop is never done", settled],
  ])("%s", async (_name, event) => {
    const { store, appended, answer, checkpoints } = given();
    checkpoints.note(stateAt(1));
    const going = store.append(event, stateAt(2));
    await new Promise(setImmediate);
    expect(appended).toEqual([]);
    await answer(written("c1"));
    await answer(written("c2"));
    await going;
    expect(appended).toEqual([event.type]);
  });

  test("a turn is begun once its own beginning is in the ref, so that no other machine begins one of its number", async () => {
    const { store, asked, answer, appended } = given();
    let isBegun = false;
    const going = store.append(turnStarted, stateAt(1)).then(() => (isBegun = true));
    await new Promise(setImmediate);
    expect([appended, asked.length, isBegun]).toEqual([["turn_started"], 1, false]);
    await answer(written("c1"));
    await going;
  });

  test("a run that loses the loop by the beginning of a turn has heard of it before the turn is begun", async () => {
    const { store, answer, checkpoints } = given();
    const ended = new AbortController();
    const heard: ControlRequest[] = [];
    const listening = (async () => {
      for await (const request of checkpoints.control.watch(ended.signal)) heard.push(request);
    })();
    const going = store.append(turnStarted, stateAt(1));
    await answer(SUPERSEDED);
    await going;
    expect(heard).toEqual([{ kind: "supersede", by: "run 7" }]);
    ended.abort();
    await listening;
  });

  test("a server that could not be reached is asked again within seconds, and each answer counts", async () => {
    const { asked, answer, checkpoints, notices } = given();
    checkpoints.note(stateAt(1));
    await answer(UNREACHABLE);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    await answer(written("c1"));
    expect([checkpoints.failure, notices]).toEqual([null, []]);
  });

  test("what another run has is not written again, and the loop hears of it", async () => {
    const { asked, answer, checkpoints } = given();
    const ended = new AbortController();
    const heard: ControlRequest[] = [];
    const listening = (async () => {
      for await (const request of checkpoints.control.watch(ended.signal)) heard.push(request);
    })();
    checkpoints.note(stateAt(1));
    await answer(SUPERSEDED);
    await checkpoints.keep(stateAt(2), 1000);
    ended.abort();
    await listening;
    expect(await checkpoints.isOurs()).toBe(false);
    expect([heard, asked.length, checkpoints.superseded]).toEqual([[{ kind: "supersede", by: "run 7" }], 1, true]);
  });

  test("a server that does not answer holds up the turns for seconds each, and the ending as long as is allowed", async () => {
    const { answer, times, checkpoints } = given();
    for (let revision = 1; revision < 4; revision += 1) {
      checkpoints.note(stateAt(revision));
      await answer(REFUSED);
    }
    const kept = checkpoints.keep(stateAt(4), 60_000);
    await answer(written("c1"));
    await kept;
    checkpoints.note(stateAt(5));
    await answer(written("c2"));
    expect(times).toEqual([60_000, 5_000, 5_000, 60_000, 60_000]);
  });

  test("a ref that cannot be written is told once, and tried again", async () => {
    const { answer, notices, checkpoints, asked } = given();
    const failures: (string | null)[] = [];
    for (const result of [REFUSED, REFUSED, written("c1", ["kept out: .env"])]) {
      const kept = checkpoints.keep(stateAt(failures.length + 1), 1000);
      await answer(result);
      await kept;
      failures.push(checkpoints.failure);
    }
    expect(failures).toEqual(["add contents: write", "add contents: write", null]);
    expect([notices, asked.length]).toEqual([["add contents: write", "kept out: .env"], 3]);
  });

  test("what was sent is noted before it is sent, in case a write without an answer moved the ref", async () => {
    const { answer, noted, checkpoints } = given();
    checkpoints.note(stateAt(1));
    await answer(REFUSED);
    checkpoints.note(stateAt(2));
    await answer(written("c1"));
    expect(noted).toEqual([
      ["c0", 1],
      ["c0", 2],
      ["c1", 0],
    ]);
  });

  test("a write that nobody waited for, and that ends late, notes nothing any more: the run has had its last word", async () => {
    const { answer, noted, checkpoints } = given();
    await checkpoints.keep(stateAt(1), 1);
    await checkpoints.close();
    await answer(written("c1"));
    expect([noted, checkpoints.follows]).toEqual([[["c0", 1]], "c1"]);
  });

  test("nobody waits longer than is allowed, and no turn at all once the run has to end", async () => {
    const { store, appended, checkpoints } = given();
    checkpoints.note(stateAt(1));
    await checkpoints.keep(stateAt(2), 1);
    expect(checkpoints.failure).toMatch(/did not take the last state within/u);
    const turn = store.append(turnStarted, stateAt(3));
    checkpoints.release();
    await turn;
    expect(appended).toEqual(["turn_started"]);
  });
});
