import { afterAll, expect, test } from "vitest";
import { commandFor, SEED, tryCases } from "../../fuzz/run.ts";
import { TARGETS } from "../../fuzz/targets.ts";

/** What reads files or asks a port takes ten times as long as the others. */
const SLOW = new Set([
  "archives",
  "bundles",
  "hand-overs",
  "histories",
  "key-proxy",
  "markdown",
  "redaction-of-files",
  "specs",
]);

afterAll(async () => {
  for (const target of TARGETS) await target.close();
});

test.for(TARGETS.map(({ name }) => name))(
  "nothing that others write breaks what holds of %s [T15, T16]",
  async (name) => {
    const target = TARGETS.find((one) => one.name === name);
    const faults = target && (await tryCases(target, { seed: SEED, first: 0, end: SLOW.has(name) ? 25 : 250 }));
    expect(faults?.map((fault) => `${fault.what}\n→ ${commandFor(name, SEED, fault.case)}`)).toEqual([]);
  },
);
