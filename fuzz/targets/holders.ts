import { nameOfHolder, parseHolder } from "../../src/os/holder.ts";
import { mutated } from "../mutate.ts";
import { hold, target } from "../target.ts";

const SEEDS = ["4711.123456-0a1b2c3d.0f0f0f0f.host", "1.unknown.00000000.a.b-c_d", "free"];

export const holders = target({
  name: "holders",
  covers: ["os/holder.ts#parseHolder"],
  draw: (random) => mutated(random, { seeds: SEEDS, words: [".", "..", "/", "ended", "unknown", "9".repeat(20)] }),
  check(name) {
    const holder = parseHolder(name);
    hold(holder === undefined || !name.includes("/"), "a holder's name is a file's name");
    const isSame = holder === undefined || !Number.isSafeInteger(holder.pid) || /^0\d/u.test(name);
    hold(isSame || nameOfHolder(holder) === name, "what is read is what was written");
  },
});
