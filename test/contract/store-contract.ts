import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../src/core/events.ts";
import type { Store } from "../../src/core/ports.ts";
import { aState } from "../support/builders.ts";

/** A store with nothing in it, and the way to look at what it kept as the next run would. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly store: Store;
  /** Ends the use of `store` and opens the same record again. */
  reopen(): Promise<Store>;
}

const EVENT: LoopEvent = { type: "session_opened", at: "2026-03-01T10:00:00.000Z", session_id: "s-1" };

/** What every `Store` keeps to. */
export function storeContract(name: string, make: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store`, () => {
    it("knows nothing of a loop that was never begun", async () => {
      await using under = await make();
      expect(await under.store.load("a-loop")).toBeUndefined();
    });

    it("gives back the last state that was appended, to the next run too [W-40]", async () => {
      await using under = await make();
      await under.store.load("a-loop");
      const states = [1, 2, 3].map((revision) => aState({ revision, iteration: revision }));
      for (const state of states) await under.store.append(EVENT, state);
      expect(await under.store.load("a-loop")).toEqual(states.at(-1));
      expect(await (await under.reopen()).load("a-loop")).toEqual(states.at(-1));
    });

    it("goes on from where the last run ended", async () => {
      await using under = await make();
      await under.store.append(EVENT, aState({ revision: 1 }));
      const next = await under.reopen();
      await next.load("a-loop");
      await next.append(EVENT, aState({ revision: 2 }));
      expect((await (await under.reopen()).load("a-loop"))?.revision).toBe(2);
    });

    it.each([1, 2, 4])("refuses revision %i after revision 2 and keeps what it has [W-58]", async (revision) => {
      await using under = await make();
      await under.store.append(EVENT, aState({ revision: 1 }));
      await under.store.append(EVENT, aState({ revision: 2 }));
      const refused = under.store.append(EVENT, aState({ revision, prompt: "another run" }));
      await expect(refused).rejects.toMatchObject({ code: "STATE_STALE" });
      expect(await under.store.load("a-loop")).toEqual(aState({ revision: 2 }));
      await under.store.append(EVENT, aState({ revision: 3 }));
      expect((await under.store.load("a-loop"))?.revision).toBe(3);
    });

    it("keeps appends in order when they are not waited for", async () => {
      await using under = await make();
      await Promise.all([1, 2, 3, 4].map((revision) => under.store.append(EVENT, aState({ revision }))));
      expect((await (await under.reopen()).load("a-loop"))?.revision).toBe(4);
    });

    it("keeps keys that this version does not know [W-48]", async () => {
      await using under = await make();
      const state = { ...aState(), x_later: { deep: [1, { y: null }] } };
      await under.store.append(EVENT, state);
      expect(await (await under.reopen()).load("a-loop")).toEqual(state);
    });
  });
}
