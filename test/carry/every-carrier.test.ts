import { describe, expect, test } from "vitest";
import { restoreLoop } from "../../src/carry/restore.ts";
import type { CarriedRecord, RefAnswer, Restored, Wanted } from "../../src/core/carry.ts";
import { aCarriedBundle, aCarriedRecord, aPointer, fakeCarrier, fakeRef } from "../support/fake-carriers.ts";

type Says = (wanted: Wanted) => Restored;

interface World {
  /** undefined: it is no carrier */
  readonly ref?: RefAnswer | undefined;
  readonly artifact?: Says;
  readonly cache?: Says;
  /** whether a `state-key` is set */
  readonly key?: true;
}

const has =
  (revision: number, more: Partial<CarriedRecord> = {}): Says =>
  ({ unnamed }) =>
    unnamed ? { ok: true, value: { bundle: aCarriedBundle(aCarriedRecord(revision, more)) } } : none("gone");
const none = (because = "none here"): Restored => ({ ok: false, trouble: { kind: "absent", because } });
const says =
  (kind: "unreachable" | "refused", because: string): Says =>
  () => ({ ok: false, trouble: { kind, because } });
const DENIED = says("unreachable", "Give the job actions: read.");
const CLOSED = says("unreachable", "This job's cache-mode is none.");
const ABSENT: RefAnswer = { answer: "absent" };
const DOWN: RefAnswer = { answer: "unreachable", why: "The ref is down." };
const at = (record: CarriedRecord): RefAnswer => ({ answer: "found", commit: "c1", record });

/** @param later what the carriers say when they are asked again */
async function begin(world: World, later: readonly World[] = [], tries = later.length) {
  let round = 0;
  const now = (): World => [world, ...later][Math.min(round, later.length)] ?? world;
  const artifact = fakeCarrier("artifact", { restored: (wanted) => now().artifact?.(wanted) ?? none() });
  const cache = fakeCarrier("cache", { restored: (wanted) => now().cache?.(wanted) ?? none() });
  const notices: string[] = [];
  const within: number[] = [];
  const read = async (withinMs: number) => {
    within.push(withinMs);
    return now().ref ?? ABSENT;
  };
  const ref = { ...fakeRef(ABSENT), read };
  const found = await restoreLoop(
    {
      ref: "ref" in world ? ref : undefined,
      artifact: "artifact" in world ? artifact : undefined,
      cache: "cache" in world ? cache : undefined,
      provesCopies: world.key === true,
      loopId: "a-loop",
      folder: async (name) => {
        // The artifact is the first that is asked in each round.
        if (name === "artifact-newest" && artifact.wanted.length > 0) round += 1;
        return `/${name}`;
      },
      withinMs: 60_000,
      notice: (text) => notices.push(text),
    },
    Array.from({ length: tries }, () => 1),
  );
  const { copy, unanswered } = found;
  const asked = [artifact, cache].flatMap(({ name, wanted }) => wanted.filter((w) => w.unnamed).map(() => name));
  return { copy: copy && `${copy.from} ${copy.record.revision}`, unanswered, asked, notices, within };
}

describe("the newest copy of all that could be asked [C53]", () => {
  test.each<[string, World, string | undefined]>([
    [
      "a token that may neither write refs nor read artifacts has the cache",
      { ref: ABSENT, artifact: DENIED, cache: has(5) },
      "cache 5",
    ],
    [
      "an artifact is taken where the cache was evicted",
      { ref: ABSENT, artifact: has(5), cache: () => none() },
      "artifact 5",
    ],
    ["of both the cache's is newer", { ref: ABSENT, artifact: has(5), cache: has(7) }, "cache 7"],
    ["of both the artifact's is newer", { ref: ABSENT, artifact: has(7), cache: has(5) }, "artifact 7"],
    [
      "a later generation is newer than a higher revision",
      { ref: ABSENT, artifact: has(2, { generation: 2 }), cache: has(30) },
      "artifact 2",
    ],
    ["the ref cannot be read, and the cache is newer", { ref: DOWN, artifact: has(5), cache: has(7) }, "cache 7"],
    ["without a ref among the carriers", { artifact: () => none(), cache: has(3) }, "cache 3"],
    [
      "what is refused in the cache does not hide the artifact",
      { ref: ABSENT, artifact: has(4), cache: says("refused", "Another branch saved it.") },
      "artifact 4",
    ],
    [
      "a copy that the state-key proves, and that follows the ref's record, is later than that",
      {
        ref: at(aCarriedRecord(6, { bulk: aPointer(5) })),
        artifact: DENIED,
        cache: has(9, { follows: "c1" }),
        key: true,
      },
      "cache 9",
    ],
    ["nobody has one: the loop begins", { ref: ABSENT, artifact: () => none(), cache: () => none() }, undefined],
  ])("%s", async (_name, world, copy) => {
    expect(await begin(world)).toMatchObject({ copy, unanswered: [] });
  });
});

describe("the ref's record wins where there is one [C53]", () => {
  const six = at(aCarriedRecord(6));
  test.each<[string, World, readonly string[]]>([
    [
      "over a later copy of another lineage",
      { ref: six, artifact: has(9, { follows: "c0" }), cache: has(9) },
      ["artifact"],
    ],
    ["over an older copy", { ref: six, artifact: has(5), cache: has(4) }, ["artifact"]],
    [
      "over a later copy in the cache that nothing proves, though it follows it",
      { ref: six, artifact: () => none(), cache: has(9, { follows: "c1" }) },
      ["artifact"],
    ],
    [
      "over a proved copy of before it was deleted and made again",
      { ref: six, artifact: () => none(), cache: has(9, { follows: "c0" }), key: true },
      ["artifact", "cache"],
    ],
    ["over those who are silent", { ref: six, artifact: DENIED, cache: CLOSED, key: true }, ["artifact", "cache"]],
  ])("%s", async (_name, world, asked) => {
    expect(await begin(world)).toMatchObject({ copy: "ref 6", unanswered: [], asked });
  });
});

describe("what cannot answer is named with its consequence [C53]", () => {
  test("where the loop starts over, though it may be somewhere", async () => {
    const { notices } = await begin({ ref: ABSENT, artifact: DENIED, cache: () => none() });
    expect(notices).toEqual([
      "Give the job actions: read.",
      expect.stringMatching(/starts again\. If it is kept in an artifact, .* pays for them again/u),
    ]);
  });

  test("where a newer copy may be elsewhere", async () => {
    const { notices } = await begin({ ref: DOWN, artifact: DENIED, cache: has(5) });
    expect(notices).toEqual([
      "The ref is down.",
      "Give the job actions: read.",
      expect.stringMatching(/the copy in the cache\. If a newer one is kept in the loop's git ref or an artifact/u),
    ]);
  });

  test.each<[string, World]>([
    ["all have answered", { ref: ABSENT, artifact: has(5), cache: () => none() }],
    ["there is nothing to ask", {}],
    ["there is no such loop", { ref: ABSENT, artifact: () => none(), cache: () => none() }],
  ])("nothing is said where %s", async (_name, world) => {
    expect((await begin(world)).notices).toEqual([]);
  });
});

describe("when no carrier can answer [C55]", () => {
  const silent: World = { ref: DOWN, artifact: DENIED, cache: CLOSED };
  test("all are asked again, and what they say then counts", async () => {
    const again = await begin(silent, [silent, { ref: DOWN, artifact: has(5), cache: CLOSED }]);
    expect(again).toMatchObject({ copy: "artifact 5", unanswered: [] });
    expect(again.asked).toHaveLength(6);
  });

  test("what hung once is not waited for as long again", async () => {
    expect((await begin(silent, [silent, silent])).within).toEqual([60_000, 15_000, 15_000]);
  });

  test("it is not known whether there is such a loop, and each is named", async () => {
    const { copy, unanswered, asked } = await begin(silent, [silent, silent]);
    expect(copy).toBeUndefined();
    expect(unanswered).toEqual([
      { carrier: "ref", why: "The ref is down." },
      { carrier: "artifact", why: "Give the job actions: read." },
      { carrier: "cache", why: "This job's cache-mode is none." },
    ]);
    expect(asked).toHaveLength(6);
  });

  test.each<[string, World]>([
    ["the ref is absent", { ref: ABSENT, artifact: DENIED, cache: CLOSED }],
    ["the artifacts have none", { ref: DOWN, artifact: () => none(), cache: CLOSED }],
    ["the cache has none", { ref: DOWN, artifact: DENIED, cache: () => none() }],
    [
      "there is a copy that does not hold",
      { ref: DOWN, artifact: DENIED, cache: says("refused", "It is not proved.") },
    ],
    ["no carrier is wanted", {}],
  ])("one answer is enough, and nobody is asked again: %s", async (_name, world) => {
    const { copy, unanswered, asked } = await begin(world, [], 2);
    expect({ copy, unanswered }).toEqual({ copy: undefined, unanswered: [] });
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
