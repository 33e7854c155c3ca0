import { generateKeyPairSync } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { copyWithout, SecretValues } from "../../src/os/secrets.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SECRET = 'ghs_schlüssel/"0123456789';
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const MEGABYTE = 1 << 20;

async function copied(content: string | Buffer): Promise<Buffer> {
  await using folder = await tempFolder();
  const [source, target] = [path.join(folder.path, "a"), path.join(folder.path, "b")];
  await writeFile(source, content);
  await copyWithout(new SecretValues([SECRET, "short"]), source, target);
  return await readFile(target);
}

test.each([
  ["as it is", `a ${SECRET} b`],
  ["in JSON", JSON.stringify({ text: SECRET })],
  ["in an address", encodeURIComponent(SECRET)],
  ["in base64", base64(SECRET)],
  ...[1, 2, 3, 4, 5].map((before) => [
    `in base64 of more, ${before} before it`,
    base64(`${"x".repeat(before)}${SECRET}yz`),
  ]),
])("a secret does not travel %s [T2]", async (_how, content = "") => {
  const text = (await copied(content)).toString();
  const cores = [SECRET, base64(SECRET).slice(0, -4), JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)];
  expect(text).toContain("***");
  expect(cores.filter((core) => text.includes(core))).toEqual([]);
});

test("a line of a private key, and a value of a JSON key file, are found alone; words of it are not [T16]", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const account = {
    type: "service_account",
    project_id: "shop-2",
    private_key: pem,
    client_secret: "Zk3pQ9vT7mB2xL8wR4nC6",
  };
  const values = new SecretValues([JSON.stringify(account, null, 2)], false);
  const lines = pem.trim().split("\n").slice(1, -1);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    expect(values.hiddenIn(`a ${line} b`)).toBe("a *** b");
    expect(values.areIn(Buffer.from(line).toString("base64"))).toBe(true);
  }
  expect(values.hiddenIn('  "client_secret": "Zk3pQ9vT7mB2xL8wR4nC6"')).toBe('  "client_secret": "***"');
  const words = `{\n  "type": "service_account",\n  "project_id": "shop-2"\n-----BEGIN PRIVATE KEY-----\n}`;
  expect(values.hiddenIn(words)).toBe(words);
});

/** With a sign for each way of writing. */
const ODD = `pa$s&w<o>r'd "ü/1+2=3?~`;

test.each([
  ["a shell's quotation marks", String.raw`'pa$s&w<o>r'\''d "ü/1+2=3?~'`],
  ["backslashes of a shell", String.raw`pa\$s\&w\<o\>r\'d\ \"\ü/1+2=3\?\~`],
  ["HTML", `pa$s&amp;w&lt;o&gt;r&#39;d &quot;ü/1+2=3?~`],
  ["HTML of another program", `pa$s&amp;w&lt;o&gt;r&#x27;d &quot;ü/1+2=3?~`],
  ["JSON in JSON", JSON.stringify(JSON.stringify({ text: ODD }))],
  ["JSON in ASCII", String.raw`pa$s\u0026w\u003co\u003er\u0027d \"\u00fc/1+2=3?~`],
  ["JSON with its slashes escaped", JSON.stringify(ODD).replaceAll("/", String.raw`\/`)],
  ["an address in lower case", "pa%24s%26w%3co%3er'd%20%22%c3%bc%2f1%2b2%3d3%3f~"],
  ["a form", "pa%24s%26w%3Co%3Er'd+%22%C3%BC%2F1%2B2%3D3%3F~"],
  ["an address that spares nothing", "pa%24s%26w%3Co%3Er%27d%20%22%C3%BC%2F1%2B2%3D3%3F~"],
  ["hex", Buffer.from(ODD).toString("hex")],
  ["base64 for addresses", Buffer.from(`x${ODD}`).toString("base64url")],
])("a secret is hidden in %s [T16]", (_how, text) => {
  const hidden = new SecretValues([ODD], false).hiddenInWords(`before ${text} after`);
  expect(hidden).toMatch(/^before .{0,16}\*{3}.{0,16} after$/u);
});

test("a secret is found wherever the file is cut, and everything else stays as it is, byte for byte [T2]", async () => {
  const cuts = [-1, -10, -Buffer.byteLength(SECRET), 0];
  for (const cut of cuts) {
    const before = Buffer.alloc(MEGABYTE + cut, "a");
    const content = Buffer.concat([before, Buffer.from(SECRET), Buffer.from([0xff, 0x00, 0xc3])]);
    const expected = Buffer.concat([before, Buffer.from("***"), Buffer.from([0xff, 0x00, 0xc3])]);
    expect((await copied(content)).equals(expected)).toBe(true);
  }
  expect(await copied("")).toEqual(Buffer.alloc(0));
});

test("a token without a known value is found wherever the file is cut, and hidden whole [T2, T16]", async () => {
  const token = "ghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCd";
  for (const cut of [-30_000, -16_384, -16_384 - 20, -20, 0, 20]) {
    const before = `${"a ".repeat(MEGABYTE / 2).slice(0, MEGABYTE + cut - 1)} `;
    expect((await copied(`${before}${token} ${SECRET}${SECRET} b`)).toString()).toBe(`${before}*** ****** b`);
  }
});

test("values that overlap for ever are hidden in one, and the copy comes to its end [T2]", async () => {
  const begin = "a".repeat(SECRET.length);
  const values = new SecretValues(["aaaaaaaaa", "aaaaaaa"]);
  expect(values.hiddenIn(`x${begin}${"a".repeat(50)}y`)).toMatch(/^x\*+a*y$/u);
  await using folder = await tempFolder();
  const [source, target] = [path.join(folder.path, "a"), path.join(folder.path, "b")];
  await writeFile(source, `x${"a".repeat(2 * MEGABYTE)}y`);
  await copyWithout(new SecretValues(["abababab", "aaaaaaaa", "aaaaaaaaaa"]), source, target);
  expect(await readFile(target, "utf8")).toMatch(/^x\*+a{0,7}y$/u);
});
