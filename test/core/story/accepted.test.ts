import { expect, test } from "vitest";
import { whyNoNext } from "../../../src/core/story/landing.ts";
import {
  acceptedInVain,
  acceptedLanded,
  beginWave,
  closed,
  emptyLedger,
  entryOf,
  type Ledger,
  ledgerText,
  parseLedger,
  retried,
  sentBack,
  unlandedAccepted,
} from "../../../src/core/story/ledger.ts";
import type { Prd } from "../../../src/core/story/story.ts";

const COMMIT = "a".repeat(40);
const NEW = emptyLedger("shop");

const PRD: Prd = {
  ...{ name: "shop", folder: ".daedalus/prds/shop", project: "Shop", description: "" },
  ...{ branchName: null, provider: null },
  stories: ["US-001", "US-002"].map((id, index) => ({
    ...{ id, title: "x", description: "", criteria: ["It works."], checks: [], priority: index + 1 },
    ...{ dependsOn: [], paths: null, provider: null, attempts: 1, pauseAfter: true, passes: false },
  })),
};

function accept(ledger: Ledger, id: string): Ledger {
  const entry = { ...entryOf(ledger, id), state: "passed", passed: "accepted", blocked: null } as const;
  return { ...ledger, stories: { ...ledger.stories, [id]: entry } };
}

const ids = (ledger: Ledger) => unlandedAccepted(ledger, PRD).map(({ id }) => id);
const begun = beginWave(NEW, [{ id: "US-001", candidates: 1 }], {
  ...{ commit: COMMIT, run: 7, begun_at: "2026-03-01T12:00:00.000+00:00" },
});
const back = sentBack(begun, "US-001", { attempts: 1, most: 1, feedback: "red", paths: [] });

test("what is accepted is looked at once: while its wave is the last one, or after it was sent back", () => {
  expect(ids(accept(NEW, "US-001"))).toEqual([]);
  expect(ids(accept(begun, "US-001"))).toEqual(["US-001"]);
  expect(ids(accept(begun, "US-002"))).toEqual([]);
  const sent = accept(back, "US-001");
  expect(ids(sent)).toEqual(["US-001"]);
  const there = acceptedLanded(sent, "US-001", COMMIT);
  expect(entryOf(there, "US-001")).toMatchObject({ commit: COMMIT, settled_take: 2, passed: "accepted" });
  expect(ids(there)).toEqual([]);
  expect(parseLedger(ledgerText(there), "shop")).toEqual({ ok: true, value: there });
  expect(ids(accept(retried(there, "US-001", ""), "US-001"))).toEqual(["US-001"]);
  expect(entryOf(acceptedLanded(sent, "US-001", null), "US-001").commit).toBeNull();
});

test("what is accepted in vain is blocked, at the take behind the one that cannot land", () => {
  const vain = acceptedInVain(accept(back, "US-001"), "US-001", 1, "It does not fit.");
  expect(entryOf(vain, "US-001")).toMatchObject({
    ...{ state: "pending", passed: null, blocked: "It does not fit.", take: 2 },
  });
});

test("a story that a person lets try again meanwhile stays so", () => {
  expect(acceptedLanded(back, "US-001", COMMIT)).toBe(back);
  expect(acceptedInVain(back, "US-001", 1, "x")).toBe(back);
});

test("what was accepted while its wave ran is landed by the next run; nothing pauses behind it then", () => {
  const question = { prd: PRD, waveSize: 1, onBlocked: "stop", isOff: false } as const;
  const all = closed(accept(accept(begun, "US-001"), "US-002"));
  expect(whyNoNext({ ...question, ledger: all })).toBeNull();
  expect(whyNoNext({ ...question, ledger: all, isOff: true })).toMatch(/Every story/u);
  expect(whyNoNext({ ...question, ledger: acceptedLanded(all, "US-001", COMMIT) })).toMatch(/Every story/u);
  const one = acceptedLanded(closed(accept(begun, "US-001")), "US-001", COMMIT);
  expect(whyNoNext({ ...question, ledger: one })).toBeNull();
});
