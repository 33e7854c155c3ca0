import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readClaim } from "../../../src/core/claim/read-claim.ts";
import type { Claim } from "../../../src/core/claim/claim.ts";
import { countSignals, saysDone, effectiveClaim } from "../../../src/core/claim/effective-claim.ts";
import { NO_SIGNALS } from "../../../src/core/state.ts";
import type { PromiseRule } from "../../../src/core/task.ts";
import { aFailure, aLastTurn, aState, aTask, type TaskOverrides } from "../../support/builders.ts";
import { fakeMatcher } from "../../support/fake-matcher.ts";
import {
  anyText,
  mentionedPromises,
  mutatedBlocks,
  promiseRules,
  quotedPromises,
  TOKEN,
  tornBlocks,
  withoutBlocks,
} from "./claim-texts.ts";

const TAG: PromiseRule = { text: "DONE", mode: "tag", guard: "off" };
const everything = fc.oneof(anyText, withoutBlocks, tornBlocks, mutatedBlocks, quotedPromises, mentionedPromises);

async function read(lastMessage: string, promise: PromiseRule = TAG, earlier: readonly string[] = []): Promise<Claim> {
  return readClaim({ lastMessage, earlier }, { promise, doneToken: null }, null, fakeMatcher());
}

/** Every way in which a task can take an agent's word. */
const TRUSTING: readonly TaskOverrides[] = [
  {},
  { runtime: { exitGate: "signal" } },
  { limits: { doneSignals: 1 } },
  { identity: { checks: { quality: ["true"] } } },
];

/** What the loop takes a claim for, as the last of as many turns that said the same as anybody could ask for. */
function taken(claim: Claim): readonly unknown[] {
  const signals = [1, 2, 3].reduce((before) => countSignals(before, claim, true), NO_SIGNALS);
  return TRUSTING.map((overrides) => {
    const task = aTask(overrides);
    return effectiveClaim(task, aState({ last_turn: aLastTurn({ claim }), signals }, task));
  });
}

describe("the claim of any text", () => {
  it("is read without an error, within its bounds, and the same again [C8, section 5.1]", async () => {
    await fc.assert(
      fc.asyncProperty(
        everything,
        fc.array(everything, { maxLength: 3 }),
        promiseRules,
        async (text, earlier, rule) => {
          const claim = await read(text, rule, earlier);
          expect(claim.notes.length).toBeLessThanOrEqual(10);
          expect(claim.notes.every((note) => note.length <= 300)).toBe(true);
          expect(claim.blocked?.length ?? 0).toBeLessThanOrEqual(1024);
          expect(claim.block?.summary?.length ?? 0).toBeLessThanOrEqual(500);
          expect(Object.keys(claim.block?.other ?? {}).length).toBeLessThanOrEqual(20);
          expect(await read(text, rule, earlier)).toEqual(claim);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("of a turn that failed it says that nothing is done [section 4.3]", async () => {
    await fc.assert(
      fc.asyncProperty(everything, promiseRules, async (text, rule) => {
        const said = { lastMessage: `${text}\n${TOKEN}\nDONE`, earlier: [] };
        const claim = await readClaim(said, { promise: rule, doneToken: "DONE" }, aFailure("timed_out"), fakeMatcher());
        expect(claim).toMatchObject({ done: false, token_done: false });
      }),
      { numRuns: 200 },
    );
  });
});

describe("status blocks", () => {
  it("no text without the start of a block is one, and without a promise it claims nothing [B12, B16]", async () => {
    await fc.assert(
      fc.asyncProperty(withoutBlocks, async (text) => {
        const claim = await read(text);
        expect(claim.block).toBeNull();
        expect(saysDone(claim, null)).toBe(false);
        expect(taken(claim)).toEqual([null, null, null, null]);
      }),
      { numRuns: 600 },
    );
  });

  it("what is read is in the text: a name, a signal that says yes, a status that says complete [W-58, B4 to B8]", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutatedBlocks, tornBlocks, anyText), async (text) => {
        const { block } = await read(text);
        // Emoji and characters without a width may be in between (C24).
        const plain = text.normalize("NFKC").replaceAll(/[^\x21-\x7E]/gu, "");
        expect({
          named: block === null || /(?:RALPH|LOOPR|LISA|SMITHERS)_STATUS/iu.test(plain),
          signal: block?.exit_signal !== true || /EXIT[_-]?SIGNAL[^A-Za-z0-9]*(?:true|yes|1|y)/iu.test(plain),
          status: block?.status !== "COMPLETE" || /STATUS[^A-Za-z0-9]*(?:COMPLETE|DONE)/iu.test(plain),
        }).toEqual({ named: true, signal: true, status: true });
      }),
      { numRuns: 1500 },
    );
  });

  it("whatever is around it, a signal that says no is a veto [B7, section 4.3]", async () => {
    await fc.assert(
      fc.asyncProperty(
        withoutBlocks,
        withoutBlocks,
        fc.constantFrom("false", "no", "0", "maybe", "true?"),
        async (a, b, no) => {
          const block = `---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\nEXIT_SIGNAL: ${no}\n---END_LOOPR_STATUS---`;
          const claim = await read(`${a}\n\n${block}\n\n${b}\n${TOKEN}`);
          expect(claim.block?.exit_signal).toBe(false);
          expect(taken(claim)).toEqual([null, null, null, null]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("promises", () => {
  it("what does not hold the exact text does not count, whatever it holds [W-37]", async () => {
    await fc.assert(
      fc.asyncProperty(everything, promiseRules, async (text, rule) => {
        const token = rule.mode === "tag" ? `<promise>${rule.text}</promise>` : rule.text;
        const { detected, done } = await read(text, rule);
        const there = rule.mode !== "off" && text.includes(token);
        expect([detected, detected && done]).toEqual([there, done]);
      }),
      { numRuns: 600 },
    );
  });

  it("one that is only quoted does not count, one that is said besides does [P5, P6, C22]", async () => {
    await fc.assert(
      fc.asyncProperty(quotedPromises, async (text) => {
        expect((await read(text, { ...TAG, guard: "code" })).done).toBe(false);
        expect((await read(`${text}\n\n${TOKEN}`, { ...TAG, guard: "code" })).done).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("followed by another line does not count, however often it is there [P1 to P6, P8]", async () => {
    await fc.assert(
      fc.asyncProperty(mentionedPromises, async (text) => {
        expect((await read(text, { ...TAG, guard: "final-line" })).done).toBe(false);
        expect((await read(`${text}\n\nAll of it.\n${TOKEN}\n`, { ...TAG, guard: "final-line" })).done).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
