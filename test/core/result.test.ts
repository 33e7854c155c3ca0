import { expect, test } from "vitest";
import { done, DONE, failed, type Result } from "../../src/core/result.ts";

const said = (result: Result<number>): string =>
  result.ok ? `is ${result.value}` : `is not: ${result.trouble.because}`;

test("a result is a value, or the trouble that kept it from coming about", () => {
  expect(said(done(7))).toBe("is 7");
  expect(said(failed({ because: "nobody answered" }))).toBe("is not: nobody answered");
  expect(failed({ because: "it moved", kind: "moved" })).toEqual({
    ok: false,
    trouble: { because: "it moved", kind: "moved" },
  });
});

test("an operation with nothing to hand over is done all the same", () => {
  expect(DONE).toEqual({ ok: true, value: undefined });
});
