import { isDeepStrictEqual } from "node:util";
import {
  beginWave,
  emptyLedger,
  entryOf,
  ledgerText,
  parseLedger,
  retried,
  sentBack,
} from "../../src/core/story/ledger.ts";
import { mutatedJson } from "../mutate.ts";
import { hold, target } from "../target.ts";

const BACK = { attempts: 1, most: 3, feedback: "It does not fit.", paths: ["src/a.ts"] };
const AT = { commit: "a".repeat(40), run: 7, begun_at: "2026-03-01T12:00:00+00:00" };
const FULL = beginWave(sentBack(emptyLedger("shop"), "US-001", BACK), [{ id: "US-001", candidates: 2 }], AT);

export const ledgers = target({
  name: "ledgers",
  covers: ["core/story/ledger.ts#parseLedger"],
  draw: (random) =>
    mutatedJson(random, { seeds: [ledgerText(FULL)], words: ["../x", "US-001", "shop", "__proto__", "c".repeat(40)] }),
  check(text) {
    const read = parseLedger(text, "shop");
    if (!read.ok) return;
    hold(isDeepStrictEqual(parseLedger(ledgerText(read.value), "shop"), read), "a ledger is read as it was written");
    hold(entryOf(retried(read.value, "US-001", ""), "US-001").state === "pending", "a story can be tried again");
  },
});
