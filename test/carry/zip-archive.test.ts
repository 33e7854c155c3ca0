import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openZip, type ZipArchive } from "../../src/carry/zip-archive.ts";
import { sha256 } from "../../src/os/digest.ts";
import { tempFolder } from "../support/temp-folder.ts";

interface Member {
  readonly name: string;
  readonly content: string;
  readonly method?: number;
  readonly flags?: number;
  /** how long it says that it is; in bytes */
  readonly claimed?: number;
}

/** An archive as the toolkit makes it, or nearly so. */
function zip(members: readonly Member[], { shift = 0 } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 8, flags = 0, claimed } of members) {
    const plain = Buffer.from(content);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claimed ?? plain.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at + shift, 10);
    bodies.push(Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, Buffer.from(name), packed]));
    directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), shared, place, Buffer.from(name)]));
    at += bodies.at(-1)?.length ?? 0;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}

const BEYOND = 2n ** 62n;

/** The same archive, told as one of more than 4 GiB, with where its last record and its directory are. */
function large(archive: Buffer, where: { readonly record?: bigint; readonly directory?: bigint }): Buffer {
  const [files, end] = [archive.subarray(0, -22), archive.subarray(-22)];
  const record = Buffer.alloc(56);
  record.write("PK\u0006\u0006", "latin1");
  record.writeBigUInt64LE(1n, 32);
  record.writeBigUInt64LE(where.directory ?? BigInt(end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\u0006\u0007", "latin1");
  locator.writeBigUInt64LE(where.record ?? BigInt(files.length), 8);
  return Buffer.concat([files, record, locator, end]);
}

/** Their directory is longer than 1 MiB. */
const MANY = Array.from({ length: 20 }, (_, n) => ({ name: `${n}`.padStart(60_000, "0"), content: "", method: 0 }));
const LOG = '{"type":"turn.started"}\n'.repeat(50_000);

async function opened(folder: string, bytes: Buffer): Promise<ZipArchive> {
  const file = path.join(folder, "archive.zip");
  await writeFile(file, bytes);
  const archive = await openZip(file);
  onTestFinished(() => archive.close());
  return archive;
}

describe("an archive", () => {
  it.each([
    ["deflated", 8, LOG],
    ["stored", 0, LOG],
    ["deflated and empty", 8, ""],
    ["stored and empty", 0, ""],
  ])("gives a file that is %s, and its digest [C11]", async (_how, method, content) => {
    await using folder = await tempFolder();
    const archive = await opened(folder.path, zip([{ name: "loop/events.jsonl", content, method }]));
    const digested = await archive.extract("loop/events.jsonl", folder.path, content.length);
    expect(digested).toEqual({ bytes: content.length, sha256: sha256(content) });
    expect(await readFile(path.join(folder.path, "loop/events.jsonl"), "utf8")).toBe(content);
  });

  it("gives what it is asked for, and nothing else [T14]", async () => {
    await using folder = await tempFolder();
    const names = ["../outside", "/tmp/outside", "loop/config.toml", "loop/events.jsonl"];
    const archive = await opened(folder.path, zip(names.map((name) => ({ name, content: name }))));
    expect(await archive.extract("loop/progress.md", folder.path, 100)).toBeUndefined();
    expect(await archive.extract("loop/events.jsonl", folder.path, 100)).toMatchObject({ bytes: 17 });
    expect(existsSync(path.join(folder.path, "loop/config.toml"))).toBe(false);
    expect(existsSync(path.join(folder.path, "../outside"))).toBe(false);
  });

  it("a file that is longer than it may be is not written to its end [T14]", async () => {
    await using folder = await tempFolder();
    const archive = await opened(folder.path, zip([{ name: "bomb", content: "0".repeat(50 << 20) }]));
    expect(await archive.extract("bomb", folder.path, 1 << 20)).toBeUndefined();
    expect((await readFile(path.join(folder.path, "bomb"))).length).toBeLessThanOrEqual(1 << 20);
  });

  it("one that is told as a large one is read as well", async () => {
    await using folder = await tempFolder();
    const archive = await opened(folder.path, large(zip([{ name: "a", content: "b" }]), {}));
    expect(await archive.extract("a", folder.path, 100)).toMatchObject({ bytes: 1 });
  });

  it("a file is never written over [T14]", async () => {
    await using folder = await tempFolder();
    const archive = await opened(folder.path, zip([{ name: "a", content: "new" }]));
    await writeFile(path.join(folder.path, "a"), "old");
    await expect(archive.extract("a", folder.path, 100)).rejects.toThrow("EEXIST");
    expect(await readFile(path.join(folder.path, "a"), "utf8")).toBe("old");
  });

  it.each([
    ["no archive", Buffer.from("this is no archive, whatever its name says"), "does not end as one"],
    ["empty", Buffer.alloc(0), "cut off"],
    ["cut off", zip([{ name: "a", content: LOG }]).subarray(0, -10), "does not end as one"],
    ["of a record where no file has bytes", large(zip([{ name: "a", content: "b" }]), { record: BEYOND }), "cut off"],
    ["of a directory where none has", large(zip([{ name: "a", content: "b" }]), { directory: BEYOND }), "cut off"],
    ["without its beginning", zip([{ name: "a", content: "b" }]).subarray(40), "cut off"],
    ["encrypted", zip([{ name: "a", content: "b", flags: 1 }]), "not deflated"],
    ["compressed in another way", zip([{ name: "a", content: "b", method: 93 }]), "not deflated"],
    ["of two files of one name", zip(["b", "c"].map((content) => ({ name: "a", content }))), "twice"],
    ["of more names than any bundle has", zip(MANY), "its directory has more than"],
  ])("one that is %s is refused [T14]", async (_how, bytes, why) => {
    await using folder = await tempFolder();
    await expect(opened(folder.path, bytes)).rejects.toThrow(why);
  });

  it.each([
    ["lies elsewhere", zip([{ name: "a", content: LOG }], { shift: 3 }), "not where"],
    ["lies beyond the end", zip([{ name: "a", content: LOG }], { shift: 1 << 30 }), "cut off"],
    ["is damaged", damaged(zip([{ name: "a", content: LOG }])), "invalid"],
    ["is longer than its directory says", zip([{ name: "a", content: LOG, claimed: 10 }]), "too many bytes"],
  ])("a file that %s is refused [T14]", async (_how, bytes, why) => {
    await using folder = await tempFolder();
    const archive = await opened(folder.path, bytes);
    await expect(archive.extract("a", folder.path, LOG.length)).rejects.toThrow(why);
  });
});

function damaged(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(8, 0xff), bytes.subarray(48)]);
}
