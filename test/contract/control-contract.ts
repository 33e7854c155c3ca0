import { describe, expect, it } from "vitest";
import type { Control, ControlRequest } from "../../src/core/ports.ts";

/** A control and a way to ask it for something. */
export interface ControlUnderTest extends AsyncDisposable {
  readonly control: Control;
  /** Makes a request the way people do; it is heard soon after. */
  ask(): Promise<void> | void;
  /** what is heard then */
  readonly expected: ControlRequest;
}

/** What every `Control` keeps to. */
export function controlContract(name: string, make: () => Promise<ControlUnderTest>): void {
  describe(`${name} as a control`, () => {
    it("tells a request that comes while it is watched, within a second [W-46]", async () => {
      await using under = await make();
      const end = new AbortController();
      const heard = first(under.control.watch(end.signal));
      const asked = performance.now();
      await under.ask();
      expect(await heard).toEqual(under.expected);
      expect(performance.now() - asked).toBeLessThan(1000);
      end.abort();
    });

    it("misses nothing between the call of watch and the first read [W-46]", async () => {
      await using under = await make();
      const end = new AbortController();
      const requests = under.control.watch(end.signal);
      await under.ask();
      expect(await first(requests)).toEqual(under.expected);
      end.abort();
    });

    it("ends without a word when its signal aborts", async () => {
      await using under = await make();
      const end = new AbortController();
      const all = collect(under.control.watch(end.signal));
      await new Promise(setImmediate);
      end.abort();
      expect(await all).toEqual([]);
    });

    it("ends at once when its signal has aborted before", async () => {
      await using under = await make();
      expect(await collect(under.control.watch(AbortSignal.abort()))).toEqual([]);
    });

    it("can be watched again after its reader has left", async () => {
      await using under = await make();
      const end = new AbortController();
      for (let time = 0; time < 2; time++) {
        const heard = first(under.control.watch(end.signal));
        await under.ask();
        expect(await heard).toEqual(under.expected);
      }
      end.abort();
    });
  });
}

/** The first request; leaves the stream then. */
export async function first(requests: AsyncIterable<ControlRequest>): Promise<ControlRequest | undefined> {
  for await (const request of requests) return request;
  return undefined;
}

/** Every request until the stream ends. */
export async function collect(requests: AsyncIterable<ControlRequest>): Promise<readonly ControlRequest[]> {
  const all: ControlRequest[] = [];
  for await (const request of requests) all.push(request);
  return all;
}
