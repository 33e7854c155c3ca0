import { describe, expect, it, onTestFinished } from "vitest";
import { eachInBatches, inBatches, oneAtATime, settledBy, within } from "../../src/os/concurrency.ts";

const never = new Promise<void>(() => {});

it("work that fails, or that there is none of, is over", async () => {
  const later = Date.now() + 60_000;
  await settledBy(Promise.reject(new Error("no")), later);
  await settledBy(undefined, later);
  expect(Date.now()).toBeLessThan(later);
});

it("work that does not end is waited for until the deadline", async () => {
  const deadline = Date.now() + 20;
  await settledBy(never, deadline);
  expect(Date.now()).toBeGreaterThanOrEqual(deadline - 1);
});

describe("within", () => {
  it("gives what comes in time, an error as well", async () => {
    expect(await within(5000, () => Promise.resolve(1))).toEqual({ ok: true, value: 1 });
    await expect(within(5000, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("waits no longer, and what fails afterwards disturbs nobody", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    let fail: (reason: Error) => void = () => undefined;
    let told: AbortSignal | undefined;
    const late = await within(5, (signal) => {
      told = signal;
      return new Promise((_resolve, reject) => (fail = reject));
    });
    expect(late).toEqual({ ok: false, trouble: { because: "time is over" } });
    expect(told?.aborted).toBe(true);
    fail(new Error("too late"));
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });
});

describe("oneAtATime", () => {
  it("keeps the order, and goes on after a failure", async () => {
    const inTurn = oneAtATime();
    const seen: string[] = [];
    const slow = inTurn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.push("first");
      throw new Error("no");
    });
    const next = inTurn(async () => seen.push("second"));
    await expect(slow).rejects.toThrow("no");
    await next;
    expect(seen).toEqual(["first", "second"]);
  });
});

describe("inBatches", () => {
  it("gives the results in order, and works on eight at a time", async () => {
    let running = 0;
    let most = 0;
    const results = await inBatches([...Array(20).keys()], async (item) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20 - item));
      running -= 1;
      return item * 2;
    });
    expect(results).toEqual([...Array(20).keys()].map((item) => item * 2));
    expect(most).toBe(8);
  });

  async function* twentyMore(): AsyncGenerator<number> {
    yield* Array(20).keys();
  }

  it.each([
    ["a list", () => [...Array(20).keys()]],
    ["what comes one by one", twentyMore],
  ])("gives result by result of %s, in order, and begins on no item that nobody asks for", async (_, items) => {
    const begun: number[] = [];
    const work = async (item: number): Promise<number> => {
      begun.push(item);
      return item;
    };
    for await (const result of eachInBatches(items(), work)) if (result === 3) break;
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const results: number[] = [];
    for await (const result of eachInBatches(items(), work)) results.push(result);
    expect(results).toEqual([...Array(20).keys()]);
  });
});
