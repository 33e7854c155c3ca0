import { expect, test } from "vitest";
import { emptyLedger, entryOf, type Ledger } from "../../../src/core/story/ledger.ts";
import { failed, done } from "../../../src/core/result.ts";
import type { Prd } from "../../../src/core/story/story.ts";
import type { LedgerRef } from "../../../src/git/ledger/ledger-ref.ts";
import { KeptLedger } from "../../../src/job/waves/kept-ledger.ts";
import { obey, wasObeyed } from "../../../src/job/waves/obey.ts";

test.each([
  ["nothing was obeyed yet", null, "comment:7", 2, false],
  ["the same", "comment:7", "comment:7", 1, true],
  ["a newer one", "comment:7", "comment:8", 2, false],
  ["an older one whose run is started again", "comment:7", "comment:6", 2, true],
  ["an older one whose turn comes late", "comment:7", "comment:6", 1, false],
  ["one of another kind", "run:9", "comment:6", 2, false],
] as const)("%s: whether a request was obeyed", (_, last, request, attempt, was) => {
  expect(wasObeyed(last, request, attempt)).toBe(was);
});

const PRD: Prd = {
  ...{
    name: "shop",
    folder: ".daedalus/prds/shop",
    project: "Shop",
    description: "",
    branchName: null,
    provider: null,
  },
  stories: [
    {
      ...{
        id: "US-001",
        title: "Buy",
        description: "",
        criteria: ["It works."],
        checks: [],
        priority: 1,
        passes: false,
      },
      ...{ dependsOn: [], paths: null, provider: null, attempts: 1, pauseAfter: false },
    },
  ],
};

const ASKED = {
  ...({ prd: "shop", verb: "retry", story: "US-001", words: "Blue.", by: "person", asker: "me" } as const),
  ...{ request: "comment:7", head: null, branch: null, place: null },
};

/** A ledger that others change before the first writings. */
function contested(times: number): { readonly ref: LedgerRef; readonly written: Ledger[] } {
  const written: Ledger[] = [];
  let left = times;
  const ref: LedgerRef = {
    read: async () => done({ ledger: { ...emptyLedger("shop"), idle_waves: times - left }, commit: null, notes: "" }),
    write: async (_, ledger) => {
      left -= 1;
      if (left >= 0) return failed({ kind: "moved", because: "somebody else was faster" } as const);
      written.push(ledger);
      return done({ ledger, commit: "c", notes: "" });
    },
  };
  return { ref, written };
}

const RUN = { asked: ASKED, runId: 9, attempt: 1, notice: () => undefined };

test("a request is obeyed on what somebody else has written meanwhile", async () => {
  const { ref, written } = contested(2);
  const ledger = await KeptLedger.open(ref, "run 9, attempt 1");
  await obey(ledger, PRD, RUN);
  expect(written).toEqual([ledger.now]);
  expect(ledger.now).toMatchObject({ idle_waves: 2, obeyed: "comment:7" });
  expect(entryOf(ledger.now, "US-001")).toMatchObject({ words: "Blue.", take: 2 });
});

test("it is not tried for ever", async () => {
  const { ref, written } = contested(10);
  const ledger = await KeptLedger.open(ref, "run 9, attempt 1");
  await expect(obey(ledger, PRD, RUN)).rejects.toMatchObject({ code: "LEDGER_UNKNOWN" });
  expect(written).toEqual([]);
});

test.each([
  ["refused", "Merge what has landed, then delete that ref"],
  ["unreachable", "Put that right, and run it again"],
] as const)("a ledger that is %s says what to do", async (kind, next) => {
  const read = async () => failed({ kind, because: "x" });
  const opening = KeptLedger.open({ read, write: read }, "run 9, attempt 1");
  await expect(opening).rejects.toMatchObject({ code: "LEDGER_UNKNOWN", next: expect.stringContaining(next) });
});
