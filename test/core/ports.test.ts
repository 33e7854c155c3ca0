import { expect, test } from "vitest";
import { type RenewedToken, tokenNow, valuesOf } from "../../src/core/ports.ts";

test("a token that is renewed is asked what it is now, and all that it has been is secret [C90]", async () => {
  const renewed: RenewedToken = {
    current: () => Promise.resolve("second"),
    afterRefusal: () => Promise.resolve("third"),
    values: ["first", "second"],
  };
  expect([await tokenNow("given"), await tokenNow(renewed)]).toEqual(["given", "second"]);
  expect([valuesOf(null), valuesOf("given"), valuesOf(renewed)]).toEqual([[], ["given"], ["first", "second"]]);
});
