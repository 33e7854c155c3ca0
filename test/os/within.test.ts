import { describe, expect, it, onTestFinished } from "vitest";
import { within } from "../../src/os/within.ts";

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
