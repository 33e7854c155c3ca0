import { describe, expect, test } from "vitest";
import type { CarriedRecord, Restored, Wanted, RefAnswer } from "../../src/core/carry.ts";
import { restoreLoop } from "../../src/carry/restore.ts";
import { aCarriedBundle, aCarriedRecord, aPointer, fakeCarrier, fakeRef } from "../support/fake-carriers.ts";

const found = (record: CarriedRecord, more: object = {}): Restored => ({
  ok: true,
  value: { bundle: aCarriedBundle(record), ...more },
});
const down = (why: string): Restored => ({ ok: false, trouble: { kind: "unreachable", because: why } });
const newest = (restored: Restored) => (wanted: Wanted) =>
  wanted.unnamed ? restored : ({ ok: false, trouble: { kind: "absent", because: "gone" } } as const);
const atRef = (record: CarriedRecord): RefAnswer => ({ answer: "found", commit: "c1", record });
const ABSENT: RefAnswer = { answer: "absent" };
const DOWN: RefAnswer = { answer: "unreachable", why: "the ref is down" };

interface Asking {
  readonly ref?: RefAnswer;
  readonly artifact?: (wanted: Wanted) => Restored;
  readonly cache?: (wanted: Wanted) => Restored;
  readonly provesCopies?: boolean;
}

async function ask({ ref = ABSENT, artifact, cache, provesCopies = false }: Asking) {
  const carriers = {
    artifact: fakeCarrier("artifact", artifact === undefined ? {} : { restored: artifact }),
    cache: fakeCarrier("cache", cache === undefined ? {} : { restored: cache }),
  };
  const notices: string[] = [];
  const answer = await restoreLoop({
    ...carriers,
    provesCopies,
    loopId: "a-loop",
    ref: fakeRef(ref),
    folder: async (name) => `/${name}`,
    withinMs: 1000,
    notice: (text) => notices.push(text),
  });
  const asked = Object.values(carriers).flatMap(({ name, wanted }) =>
    wanted.map(({ named, unnamed }) => `${name} ${unnamed ? "newest" : (named?.digest ?? "")}`),
  );
  const { copy } = answer;
  return {
    asked,
    notices,
    copy: copy && [copy.from, copy.record.revision, copy.bundle?.record.revision, copy.proved],
  };
}

const five = aCarriedRecord(5, { bulk: aPointer(5) });

describe("the newest copy that holds [C11]", () => {
  test.each<[string, Asking, unknown, readonly string[]]>([
    ["nobody has one", {}, undefined, ["artifact newest", "cache newest"]],
    [
      "the ref names an entry of the cache",
      { ref: atRef(five), cache: () => found(five) },
      ["ref", 5, 5, true],
      ["cache digest-5"],
    ],
    [
      "the cache was evicted, so the artifact is taken",
      { ref: atRef(five), artifact: () => found(five) },
      ["ref", 5, 5, true],
      ["artifact digest-5", "cache digest-5"],
    ],
    [
      "the run died before it told the ref of its artifact",
      { ref: atRef(five), artifact: newest(found(aCarriedRecord(6, { follows: "c1" }))), cache: () => found(five) },
      ["ref", 5, 5, true],
      ["cache digest-5"],
    ],
    [
      "the ref went further than its bulk",
      {
        ref: atRef(aCarriedRecord(6, { bulk: aPointer(5) })),
        artifact: newest(found(aCarriedRecord(7, { follows: "c1" }))),
        cache: () => found(five),
      },
      ["artifact", 7, 7, true],
      ["artifact newest", "cache digest-5"],
    ],
    [
      "somebody else's newer copy does not count",
      { ref: atRef(aCarriedRecord(6)), artifact: newest(found(aCarriedRecord(9, { follows: "c0" }))) },
      ["ref", 6, undefined, false],
      ["artifact newest"],
    ],
    [
      "there is no ref, but an artifact",
      { artifact: newest(found(five)) },
      ["artifact", 5, 5, true],
      ["artifact newest", "cache newest"],
    ],
    [
      "only the cache can be asked: by the beginning of its key, and nothing proves it",
      { ref: DOWN, artifact: () => down("no artifacts"), cache: newest(found(five)) },
      ["cache", 5, 5, false],
      ["artifact newest", "cache newest"],
    ],
    [
      "the artifacts say that they have none, and the cache has one",
      { ref: DOWN, cache: newest(found(five)) },
      ["cache", 5, 5, false],
      ["artifact newest", "cache newest"],
    ],
  ])("%s", async (_name, asking, copy, asked) => {
    expect(await ask(asking)).toMatchObject({ copy, asked });
  });

  test("a carrier that is down is named, with what is missing", async () => {
    const named = { ref: atRef(five), cache: () => down("the cache is down"), artifact: () => down("artifacts too") };
    const { copy, notices } = await ask(named);
    expect(copy).toEqual(["ref", 5, undefined, false]);
    expect(notices).toEqual(["the cache is down", "artifacts too", expect.stringContaining("a fresh session")]);
    expect((await ask({ ref: DOWN })).notices).toEqual([
      "the ref is down",
      "Nothing that could answer holds this loop, so it starts again. If it is kept in the loop's git ref, this run does not know of its iterations, and pays for them again.",
    ]);
  });

  test("what a later version has written is never passed over", async () => {
    const artifact = newest({ ok: false, trouble: { kind: "newer", because: "written by version 9" } });
    await expect(ask({ artifact })).rejects.toMatchObject({ code: "STATE_NEWER", message: "written by version 9" });
  });
});

test("a newer copy that does not hold is told, though an older one is taken", async () => {
  const passedOver = "The loop's files could not be had from an artifact. It is damaged.";
  const { notices, copy } = await ask({ artifact: () => found(five, { passedOver }) });
  expect(copy).toEqual(["artifact", 5, 5, true]);
  expect(notices).toContain(`${passedOver} An older copy is taken instead.`);
});
