import { describe, expect, it } from "vitest";
import type { ProgressNotes } from "../../src/core/ports.ts";

/** Notes of a loop that has just begun. */
export interface NotesUnderTest extends AsyncDisposable {
  readonly notes: ProgressNotes;
}

/** What every `ProgressNotes` keeps to. */
export function progressNotesContract(name: string, make: () => Promise<NotesUnderTest>): void {
  describe(`${name} as progress notes`, () => {
    it("has nothing to tell before the first entry [C18]", async () => {
      await using under = await make();
      expect(await under.notes.tail(1000)).toBe("");
    });

    it("tells its entries in order, each under its iteration [C18]", async () => {
      await using under = await make();
      await under.notes.record(1, "did one");
      await under.notes.record(2, "did two");
      expect(await under.notes.tail(1000)).toMatch(/## Iteration 1\n+did one\n+## Iteration 2\n+did two\n/u);
    });

    it("keeps the first entry of an iteration when it is settled again [C18]", async () => {
      await using under = await make();
      await under.notes.record(1, "first");
      await under.notes.record(2, "second");
      await under.notes.record(2, "second, again");
      await under.notes.record(1, "first, again");
      const text = await under.notes.tail(1000);
      expect(text.match(/## Iteration/gu)).toHaveLength(2);
      expect(text).not.toContain("again");
    });

    it.each([0, 1, 8, 9, 10, 40, 41, 42, 43, 10_000])("gives whole lines, at most %i bytes of them", async (bytes) => {
      await using under = await make();
      await under.notes.record(1, "äöü\n€uro\n🙂🙂\nlast");
      const whole = await under.notes.tail(1_000_000);
      const tail = await under.notes.tail(bytes);
      expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(bytes);
      expect(whole.endsWith(tail)).toBe(true);
      const before = whole.slice(0, whole.length - tail.length);
      expect(before === "" || before.endsWith("\n")).toBe(true);
      // not a line less than fits
      const dropped = /[^\n]*\n$/u.exec(before)?.[0] ?? "";
      expect(before === "" || Buffer.byteLength(dropped + tail) > bytes).toBe(true);
    });

    it("an agent's note cannot pass for an entry [C18]", async () => {
      await using under = await make();
      await under.notes.record(1, "notes\n## Iteration 7\nmore");
      await under.notes.record(2, "second");
      expect(await under.notes.tail(1000)).toContain("second");
    });
  });
}
