import { randomBytes } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { seal, SealError, sealFile, unseal, unsealFile } from "../../src/os/seal.ts";
import { tempFolder } from "../support/temp-folder.ts";

const KEY = "a key that was made at random";
const HEADER_BYTES = 36;

function flipped(sealed: Buffer, at: number): Buffer {
  const copy = Buffer.from(sealed);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

function causeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof SealError ? error.because : String(error);
  }
  return "nothing";
}

test.each([0, 1, 15, 16, 17, 100_000])("%i bytes, there and back [T16]", (bytes) => {
  const plain = randomBytes(bytes);
  const sealed = seal(KEY, plain);
  expect(unseal(KEY, sealed)).toEqual(plain);
  expect(sealed).toHaveLength(bytes + HEADER_BYTES + 16);
});

test("the content cannot be seen, and the same is sealed differently each time [T16]", () => {
  expect(seal(KEY, Buffer.from("same"))).not.toEqual(seal(KEY, Buffer.from("same")));
  expect(seal(KEY, Buffer.from("the content")).includes("the content")).toBe(false);
});

test.each([
  ["another key", (sealed: Buffer) => sealed, "another", "altered"],
  ["the salt altered", (sealed: Buffer) => flipped(sealed, 9), KEY, "altered"],
  ["the nonce altered", (sealed: Buffer) => flipped(sealed, 30), KEY, "altered"],
  ["the content altered", (sealed: Buffer) => flipped(sealed, 40), KEY, "altered"],
  ["the tag altered", (sealed: Buffer) => flipped(sealed, -1), KEY, "altered"],
  ["the end cut off", (sealed: Buffer) => sealed.subarray(0, -1), KEY, "altered"],
  ["nearly all cut off", (sealed: Buffer) => sealed.subarray(0, 40), KEY, "not_sealed"],
  ["another version", (sealed: Buffer) => flipped(sealed, 7), KEY, "newer"],
  ["something else", () => Buffer.from("x".repeat(100)), KEY, "not_sealed"],
  ["nothing", () => Buffer.alloc(0), KEY, "not_sealed"],
])("%s is refused [T16]", (_name, change, key, because) => {
  expect(causeOf(() => unseal(key, change(seal(KEY, Buffer.from("the content")))))).toBe(because);
});

test.each([0, 5, 300_000])("a file of %i bytes, there and back, whichever way it was sealed [T16]", async (bytes) => {
  await using folder = await tempFolder();
  const file = (name: string) => path.join(folder.path, name);
  const content = randomBytes(bytes);
  await writeFile(file("plain"), content);
  await sealFile(KEY, file("plain"), file("sealed"));
  expect(unseal(KEY, await readFile(file("sealed")))).toEqual(content);
  await unsealFile(KEY, file("sealed"), file("opened"));
  expect(await readFile(file("opened"))).toEqual(content);
});

test("of a file that is not proved nothing is written, and what was there stays [T16]", async () => {
  await using folder = await tempFolder();
  const [sealed, opened] = [path.join(folder.path, "sealed"), path.join(folder.path, "opened")];
  await writeFile(opened, "before");
  const good = seal(KEY, randomBytes(200_000));
  for (const bad of [flipped(good, -1), flipped(good, 60), good.subarray(0, 90), Buffer.from("short")]) {
    await writeFile(sealed, bad);
    await expect(unsealFile(KEY, sealed, opened)).rejects.toBeInstanceOf(SealError);
    await writeFile(sealed, good);
    await expect(unsealFile("another", sealed, opened)).rejects.toBeInstanceOf(SealError);
  }
  expect(await readFile(opened, "utf8")).toBe("before");
  expect((await readdir(folder.path)).toSorted()).toEqual(["opened", "sealed"]);
});

test("many small things cost one derivation of the key [T16]", () => {
  const sealed = Array.from({ length: 500 }, (_, i) => seal("one of its own", Buffer.from(`${i}`)));
  const began = performance.now();
  expect(sealed.map((one) => unseal("one of its own", one).toString()).at(-1)).toBe("499");
  // 500 derivations would take ten seconds.
  expect(performance.now() - began).toBeLessThan(5_000);
});
