import { generateKeyPairSync, randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { SecretValues } from "../../src/os/secrets.ts";
import { tokensIn } from "../../src/os/token-formats.ts";

const LETTERS = "aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCdEfGh";
const PEM = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
}).privateKey.trim();
const JWT = [{ alg: "HS256" }, { sub: "a person", exp: 1 }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat(randomBytes(32).toString("base64url"))
  .join(".");

const TOKENS = [
  ...["ghp_", "gho_", "ghs_", "ghu_", "ghr_"].map((begin) => `${begin}${LETTERS.slice(0, 36)}`),
  `github_pat_${LETTERS}_${LETTERS}`,
  `sk-${LETTERS}`,
  `sk-proj-${LETTERS}-${LETTERS}`,
  `sk-ant-api03-${LETTERS}`,
  "AKIAQ7RTSUVW2X3YZABC",
  `xoxb-123456789012-${LETTERS.slice(0, 24)}`,
  `glpat-${LETTERS.slice(0, 20)}`,
  `npm_${LETTERS.slice(0, 36)}`,
  JWT,
  PEM,
];

test.each(TOKENS)("a token is known by its form and hidden as a whole: %s [T16]", (token) => {
  const secrets = new SecretValues([]);
  for (const around of [token, `key=${token} end`, `"${token}"`, `\\n${token}\\n`]) {
    expect(secrets.hiddenInWords(around)).toBe(around.replace(token, "***"));
  }
  const json = JSON.stringify({ before: "…", text: `a\n${token}\n"b`, after: token });
  expect(JSON.parse(secrets.hiddenInWords(json))).toMatchObject({ before: "…", after: "***" });
});

test.each([
  "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "sk-learn-is-a-library-for-machine-learning",
  "a disk-usage-of-all-machines-2024-is-here",
  "npm_config_registry and eyJhIjoxfQ alone",
  "xghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCd",
  "-----BEGIN PUBLIC KEY----- MIIB -----END PUBLIC KEY-----",
])("words and placeholders are no tokens: %s [T24]", (words) => {
  expect(tokensIn(words)).toEqual([]);
});

test("a private key cannot reach over the end of a text in JSON, so that what is left is still JSON [T16]", () => {
  const begun = "-----BEGIN PRIVATE KEY-----MIIE";
  const json = JSON.stringify([begun, `${begun}\\`, `${begun}"x`, `${begun}\\"`, "-----END PRIVATE KEY-----"]);
  const hidden: unknown = JSON.parse(new SecretValues([]).hiddenInWords(json));
  expect(hidden).toEqual(["***", "***\\", '***"x', '***\\"', "-----END PRIVATE KEY-----"]);
});

test("looking for tokens takes time that grows with the length alone [T16]", () => {
  const hostile = [
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    `eyJ${"a".repeat(50)}.`,
    `-----BEGIN PRIVATE KEY-----${"\\".repeat(500)}`,
  ];
  for (const piece of hostile) {
    const of = (length: number): number => {
      const long = piece.repeat(length / piece.length);
      const begin = performance.now();
      tokensIn(long);
      return performance.now() - begin;
    };
    of(100_000);
    expect(of(2_000_000)).toBeLessThan(5_000);
  }
});

test("the job's log shows no token and no masked value, however it is written and cut [T2, T16]", async () => {
  const value = "a value/that is+masked";
  const stream = new PassThrough();
  const log = createRunnerLog(stream, { lineLength: 100, total: 100_000 });
  log.mask(value);
  const said = [value, encodeURIComponent(value), Buffer.from(`x${value}y`).toString("base64"), ...TOKENS];
  for (const one of said) {
    log.line(`we ${one.split("\n")[0]}`);
    log.warning(`warned ${one}`, { title: one });
    log.foreign(`they ${one}`);
    log.foreign(`${"-".repeat(90)}${one}`);
    const cut = log.foreignStream();
    for (const character of `they ${one}\nnext`) cut.write(character);
    cut.end();
  }
  stream.end();
  const shown = (await text(stream))
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");
  for (const one of said.flatMap((all) => all.split("\n")).filter((line) => !line.startsWith("-----")))
    expect(shown).not.toContain(one.slice(2, 12));
  expect(shown).toContain("│ next");
});

test.each([":", "\n", " "])("a token behind the first line of a key, and%j, is hidden as a whole [T16]", (between) => {
  const [token = ""] = TOKENS.slice(-3);
  const text = `-----BEGIN RSA PRIVATE KEY-----${between}${token} npm_${LETTERS.slice(0, 36)} end`;
  const hidden = new SecretValues([]).hiddenInWords(text);
  expect(hidden.replaceAll("***", "")).not.toMatch(/[A-Za-z\d]{9}/u);
  expect(hidden).toMatch(/end$/u);
});

test("a token that another one runs into is hidden as a whole [T16]", () => {
  expect(new SecretValues([]).hiddenInWords(`a sk-${JWT} b`)).toBe("a *** b");
});

test("a megabyte of beginnings takes no more than a moment [T16]", () => {
  const began = performance.now();
  for (const text of ["eyJ-".repeat(1 << 18), `${"eyJ-".repeat(900)}.eyJ-`.repeat(280)]) tokensIn(text);
  // It was eight seconds for each.
  expect(performance.now() - began).toBeLessThan(4_000);
});
