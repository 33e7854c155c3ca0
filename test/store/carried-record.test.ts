import { describe, expect, it } from "vitest";
import { parseRecord, recordText, refuseTooLarge } from "../../src/store/carried-record.ts";
import { aRecord } from "../carry/a-loop.ts";

const BULK = {
  digest: "a".repeat(64),
  revision: 3,
  cache_key: "smithers-v1-a-loop-00000003-101-1",
  artifact: { id: 5, name: "smithers-a-loop-101-1", run_id: 101 },
};

const decode = (text: string) => parseRecord(JSON.parse(text), "the ref");

describe("a record", () => {
  it.each([
    aRecord(3),
    aRecord(3, { bulk: BULK, follows: "b".repeat(40), base: "c".repeat(40) }),
    aRecord(3, { follows: "b".repeat(64) }),
  ])("survives a round trip [C11]", (record) => {
    expect(decode(recordText(record))).toEqual(record);
  });

  it("keeps what it does not know in the state, and drops it elsewhere", () => {
    const record = aRecord(3);
    const later = { ...record, command: "rm", state: { ...record.state, x_later: 1 } };
    expect(decode(JSON.stringify(later))).toEqual({ ...record, state: { ...record.state, x_later: 1 } });
  });

  it.each([
    ["no object", "[]", "expected object"],
    ["a long nonce", JSON.stringify({ ...aRecord(3), nonce: "n".repeat(200) }), "nonce"],
    ["a commit that is none", JSON.stringify({ ...aRecord(3), follows: "--upload-pack=x" }), "follows"],
    ["a run that is none", JSON.stringify({ ...aRecord(3), run: { id: "../1", attempt: "1" } }), "run.id"],
    ["a digest that is none", JSON.stringify({ ...aRecord(3), bulk: { ...BULK, digest: "x" } }), "bulk.digest"],
    ["a loop id that goes up", JSON.stringify({ ...aRecord(3), loop_id: "a..b" }), "loop_id"],
    ["another generation's state", JSON.stringify({ ...aRecord(3), generation: 2 }), "generation"],
    ["a damaged state", JSON.stringify({ ...aRecord(3), state: {} }), "state"],
  ])("is refused with %s [T15]", (_what, text, told) => {
    expect(() => decode(text)).toThrow(told);
    expect(() => decode(text)).toThrow(expect.objectContaining({ code: "RECORD_DAMAGED" }));
  });

  it.each([
    ["record", { ...aRecord(3), schema: 2 }],
    ["state", { ...aRecord(3), state: { ...aRecord(3).state, schema: 2 } }],
  ])("says so when a later version wrote its %s", (_what, record) => {
    const newer = () => decode(JSON.stringify(record));
    expect(newer).toThrow(expect.objectContaining({ code: "STATE_NEWER" }));
  });

  it("refuses to write what could not be read again", () => {
    const state = { ...aRecord(3).state, prompt: "p".repeat(5 << 20) };
    expect(() => refuseTooLarge(aRecord(3, { state }))).toThrow(expect.objectContaining({ code: "RECORD_TOO_LARGE" }));
  });
});
