import { expect, test } from "vitest";
import { smithersProgram } from "../support/smithers-program.ts";
import { Draws } from "./draws.ts";
import { tell } from "./story.ts";

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

test.concurrent.each(SEEDS)(
  "a loop to which everything happens ends as it would have, with nothing lost, paid twice or left over: seed %i [W-06, W-58, C60]",
  async (seed) => {
    const { broken, troubles, said } = await tell(seed, smithersProgram());
    expect(broken, `${troubles}\n${said}`).toEqual([]);
  },
  120_000,
);

test("what is drawn follows from the seed alone", () => {
  const drawn = (seed: number) => {
    const draws = new Draws(seed);
    return Array.from({ length: 50 }, () => draws.between(0, 1_000));
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(8)).not.toEqual(drawn(7));
  expect(new Set(drawn(9)).size).toBeGreaterThan(30);
});
