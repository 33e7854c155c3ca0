import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/config/settings.ts";
import { DOORS } from "./doors.ts";
import { proofOf, type Row, verdictOf } from "./row.ts";
import { THREATS } from "./threats.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const ROWS: readonly Row[] = [...THREATS, ...DOORS];
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");
const SECURITY = read("SECURITY.md");

describe("the table of attacks", () => {
  test("has each threat that there is, and each door that was open", () => {
    const threats = [...read("docs/threats.md").matchAll(/^### (T\d+) /gmu)].map(([, id = ""]) => id);
    const doors = Array.from({ length: 9 }, (_, at) => `door ${at + 1}`);
    expect(new Set(ROWS.map(({ id }) => id))).toEqual(new Set([...threats, ...doors]));
    expect(threats).toHaveLength(24);
  });

  test.each(ROWS)("$id is proved by tests that exist: $attack", ({ proofs }) => {
    expect(proofs).not.toEqual([]);
    for (const proof of proofs) {
      const { file, words } = proofOf(proof);
      const at = path.join(ROOT, "test", file);
      expect([proof, existsSync(at)]).toEqual([proof, true]);
      // What a table of cases fills in stands elsewhere in the same file.
      const source = readFileSync(at, "utf8");
      const fixed = words.split(/ \[T|: |-guard /u).filter((part) => part !== "");
      for (const part of fixed) expect(source).toContain(part);
    }
  });
});

describe("SECURITY.md", () => {
  test("names only rows of the table, and has a row for each claim", () => {
    const lines = SECURITY.replaceAll(/\n {2}/gu, " ").split("\n");
    const claims = lines.filter((line) => /^(?:\| (?!--|What)|- )/u.test(line));
    const known = new Set(ROWS.map(({ id }) => id));
    expect(claims.length).toBeGreaterThan(15);
    for (const claim of claims) {
      const ids = [...claim.matchAll(/\b(?:T\d+|door \d+)\b/gu)].map(([id]) => id);
      expect([claim, ids.length > 0, ids.filter((id) => !known.has(id))]).toEqual([claim, true, []]);
    }
  });

  test("recommends only what there is", () => {
    const settings = new Map(SETTINGS.map((setting) => [setting.name, JSON.stringify(setting)]));
    const advice = /## How to harden\n([^]*)/u.exec(SECURITY)?.[1] ?? "";
    const named = [...advice.matchAll(/`([a-z-]+)(?:: ([a-z]+))?`/gu)].map(([, name = "", value = ""]) => ({
      name,
      value,
    }));
    const missing = named
      .filter(({ name }) => !["persist-credentials", "workspace-write"].includes(name))
      .filter(({ name, value }) => !(settings.get(name) ?? "").includes(name === "job" ? `"${value}"` : name))
      .map(({ name, value }) => `${name} ${value}`);
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  const told = ROWS.filter((row) => row.told !== undefined);
  test.each(told)("what nothing stops is said, in words of its own: $attack", ({ id, told: words = "" }) => {
    const open = /## What is not defended\n([^]*?)\n## /u.exec(SECURITY)?.[1] ?? "";
    const claims = open.replaceAll(/\n {2}/gu, " ").split("\n");
    expect(claims.filter((claim) => claim.includes(words) && new RegExp(`\\b${id}\\b`, "u").test(claim))).toHaveLength(
      1,
    );
    expect(ROWS.filter((row) => row.told === words)).toHaveLength(1);
  });
});

describe("the verdict on a row", () => {
  const row = { id: "T1", attack: "a", by: "b", proofs: ["a.test.ts: stops it"] };
  const tried = (who: string, status = "passed") => ({ file: "a.test.ts", title: `x stops it (${who}) [T1]`, status });

  test.each([
    ["a proof that passes as everybody", [tried("root"), tried("me")], undefined, []],
    ["a proof as one of them", [tried("me")], undefined, ["root"]],
    ["a proof that is nobody's", [tried("anybody")], undefined, []],
    ["a proof that fails as one of them", [tried("me"), tried("root", "failed")], "failed: x stops it (root) [T1]", []],
    ["a proof that is skipped", [tried("me", "skipped")], "skipped: x stops it (me) [T1]", ["root"]],
    ["a proof of another file", [{ ...tried("me"), file: "b.test.ts" }], "no such test: a.test.ts: stops it", []],
  ])("%s", (_what, ran, open, notTriedAs) => {
    expect(verdictOf(row, ran, ["root", "me"])).toEqual({ open, notTriedAs });
  });
});
