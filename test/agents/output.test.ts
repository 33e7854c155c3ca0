import { open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { LineSplitter, MAX_LINE_BYTES, readLines } from "../../src/agents/output.ts";
import { RawFile } from "../../src/agents/turn-files.ts";
import { tempFolder } from "../support/temp-folder.ts";

function split(bytes: Buffer, size: number): { lines: string[]; skipped: number } {
  const splitter = new LineSplitter();
  const batches = [];
  for (let at = 0; at < bytes.length; at += size) batches.push(splitter.push(bytes.subarray(at, at + size)));
  batches.push(splitter.rest());
  return {
    lines: batches.flatMap((batch) => batch.lines),
    skipped: batches.reduce((sum, batch) => sum + batch.skipped, 0),
  };
}

describe("a stream of bytes is cut into lines [W-26]", () => {
  const texts: readonly [name: string, text: string, lines: readonly string[]][] = [
    ["nothing", "", []],
    ["whole lines", "a\nbc\n\nd\n", ["a", "bc", "", "d"]],
    ["a torn last line", "a\nbc", ["a", "bc"]],
    ["only a torn line", "abc", ["abc"]],
    ["characters of two, three and four bytes", "ä\n€uro\n😀😀\n", ["ä", "€uro", "😀😀"]],
    ["a first empty line", "\na\n", ["", "a"]],
  ];
  test.each(texts)("%s, wherever the chunks end", (_name, text, lines) => {
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length + 1; size += 1) expect(split(bytes, size)).toEqual({ lines, skipped: 0 });
  });

  test("a line over 16 MiB is left out, the ones around it are not [D-37]", () => {
    const bytes = Buffer.concat([
      Buffer.from("before\n"),
      Buffer.alloc(MAX_LINE_BYTES + 1, "x"),
      Buffer.from("\nafter\n"),
    ]);
    expect(split(bytes, 65_536)).toEqual({ lines: ["before", "after"], skipped: 1 });
  });

  test("a line of exactly 16 MiB is read", () => {
    const { lines, skipped } = split(Buffer.concat([Buffer.alloc(MAX_LINE_BYTES, "x"), Buffer.from("\n")]), 65_536);
    expect([lines.map((line) => line.length), skipped]).toEqual([[MAX_LINE_BYTES], 0]);
  });

  test("a torn line over 16 MiB is left out as well", () => {
    expect(split(Buffer.alloc(MAX_LINE_BYTES + 1, "x"), 65_536)).toEqual({ lines: [], skipped: 1 });
  });
});

describe("the raw file [W-26]", () => {
  test("holds every byte of the stream, the lines that are not parsed included", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "raw.jsonl");
    const chunks = Array.from({ length: 300 }, (_, index) => Buffer.alloc(65_536, index % 7 === 0 ? "x\n" : "y"));
    const raw = await RawFile.over(await open(file, "a+"));
    let lines = 0;
    for await (const batch of readLines(Readable.from(chunks), raw)) lines += batch.lines.length;
    await raw.close();
    expect(Buffer.concat(chunks).equals(await readFile(file))).toBe(true);
    expect(lines).toBe(43 * 32_768 + 1);
  });

  test.each([
    ["torn", '{"a":1}\n{"b"', '{"a":1}\n{"b"\n{"c":1}\n'],
    ["whole", '{"a":1}\n', '{"a":1}\n{"c":1}\n'],
    ["empty", "", '{"c":1}\n'],
  ])("another attempt is added on a line of its own after a %s one", async (_name, before, after) => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "raw.jsonl");
    await writeFile(file, before);
    const raw = await RawFile.over(await open(file, "a+"));
    await raw.write(Buffer.from('{"c":1}\n'));
    await raw.close();
    expect(await readFile(file, "utf8")).toBe(after);
  });

  test("a stream without an end is cut, which is said once in the file, and the lines still come [T16]", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "raw.jsonl");
    const raw = await RawFile.over(await open(file, "a+"), 10);
    const chunks = Array.from({ length: 64 }, () => Buffer.from('{"a":1}\n'));
    let lines = 0;
    for await (const batch of readLines(Readable.from(chunks), raw)) lines += batch.lines.length;
    await raw.writeLine("more");
    expect(raw.isCut).toBe(true);
    await raw.close();
    expect(lines).toBe(64);
    const [whole, torn, said = "", ...others] = (await readFile(file, "utf8")).split("\n");
    expect([whole, torn, others]).toEqual(['{"a":1}', '{"', [""]]);
    expect(JSON.parse(said)).toMatchObject({ type: "smithers.cut" });
  });

  test.runIf(process.platform === "linux")("a full disk does not end the turn: the lines still come", async () => {
    const raw = await RawFile.over(await open("/dev/full", "a+"));
    const chunks = Array.from({ length: 64 }, () => Buffer.alloc(65_536, "x\n"));
    let lines = 0;
    for await (const batch of readLines(Readable.from(chunks), raw)) lines += batch.lines.length;
    await raw.close();
    expect(lines).toBe(64 * 32_768);
    expect(raw.failed?.message).toContain("ENOSPC");
  });
});
