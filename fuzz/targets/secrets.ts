import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { secretVariables } from "../../src/core/policy/secret-variables.ts";
import { copyWithout, SecretValues } from "../../src/os/secrets.ts";
import { tokensIn } from "../../src/os/token-formats.ts";
import type { Config } from "../../src/config/config.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import { withoutSecretsIn } from "../../src/store/redaction.ts";
import { mutated } from "../mutate.ts";
import type { Random } from "../random.ts";
import { hold, target } from "../target.ts";
import { workFolder } from "../work-folder.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A token of a known form. Its characters are dealt out rather than drawn, so that it looks random every time. */
function token(random: Random): string {
  const dealt = (characters: string, length: number): string => {
    const rest = Array.from(characters);
    return Array.from({ length }, (_, i) =>
      i % 7 === 3 && characters === LETTERS ? String(i % 10) : (rest.splice(random.below(rest.length), 1)[0] ?? "x"),
    ).join("");
  };
  return random.one([
    () => `ghp_${dealt(LETTERS, 36)}`,
    () => `github_pat_${dealt(LETTERS, 22)}_${dealt(LETTERS, 50)}`,
    () => `sk-proj-${dealt(LETTERS, 48)}`,
    () => `AKIA${dealt(UPPER, 14)}27`,
    () => `xoxb-${dealt(LETTERS, 40)}`,
    () => `npm_${dealt(LETTERS, 36)}`,
    () => `hf_${dealt(LETTERS, 34)}`,
    () => `AIza${dealt(LETTERS, 35)}`,
    () => `eyJ${dealt(LETTERS, 20)}.eyJ${dealt(LETTERS, 40)}.${dealt(LETTERS, 43)}`,
  ])();
}

const TEXTS = [
  'curl -H "Authorization: Bearer X" https://api.example.org/v1?key=X&a=b\n',
  '{"env":{"KEY":"X","other":["X","a"]},"text":"line\\nX\\n"}',
  "KEY=X\nexport TOKEN='X'\nX\n",
  "no secret here, only words and numbers 1234567890\n",
];

/** Nothing that is written for a secret may stand in a secret. */
function value(random: Random): string {
  const length = 8 + random.below(40);
  return random.one([
    () => random.text(LETTERS, length),
    () => random.text(`${LETTERS}+/=_-`, length),
    () => random.text('aé😀"\\\n &%?ß', length),
    () => random.text("ab", length),
    () => token(random),
  ])();
}

/** How a program writes a value down. */
function spelled(random: Random, secret: string): string {
  return random.one([
    () => secret,
    () => encodeURIComponent(secret),
    () => JSON.stringify(secret).slice(1, -1),
    () =>
      Buffer.from(`${random.text("ab", random.below(4))}${secret}${random.text("cd", random.below(4))}`).toString(
        "base64",
      ),
  ])();
}

interface Case {
  readonly secrets: readonly string[];
  readonly text: string;
  readonly end: number;
}

function draw(random: Random): Case {
  const secrets = Array.from({ length: 1 + random.below(2) }, () => value(random));
  let text = mutated(random, { seeds: TEXTS, words: secrets }).replaceAll(/\p{Surrogate}/gu, "?");
  for (let i = random.below(5); i > 0; i -= 1) {
    const at = random.once(2) ? Math.max(0, text.indexOf("X")) : random.below(text.length + 1);
    text = `${text.slice(0, at)}${spelled(random, random.one(secrets))}${text.slice(at)}`.replaceAll(
      /\p{Surrogate}/gu,
      "?",
    );
  }
  return { secrets, text, end: random.below(text.length + 1) };
}

function isThere(text: string, secret: string): boolean {
  const inBase64 = (text.match(/[A-Za-z\d+/]{8,}={0,2}/gu) ?? []).some((run) =>
    Buffer.from(run, "base64").includes(secret),
  );
  return (
    text.includes(secret) ||
    text.includes(encodeURIComponent(secret)) ||
    text.includes(JSON.stringify(secret).slice(1, -1)) ||
    inBase64
  );
}

export const redaction = target({
  name: "redaction",
  covers: ["os/secrets.ts#SecretValues"],
  draw,
  check({ secrets, text, end }) {
    const values = new SecretValues(secrets);
    const clean = values.hiddenInWords(text);
    for (const secret of secrets) hold(!isThere(clean, secret), "no secret is left");
    hold(values.areIn(Buffer.from(text).toString("latin1")) || clean === text, "what holds none stays as it is");
    const shown = values.hiddenInWords(text, end);
    for (const secret of secrets) hold(!isThere(shown, secret), "no secret is left in the beginning");
    // In two parts, as a long file is read.
    const bytes = Buffer.from(text).toString("latin1");
    const first = values.cleaned(bytes, Math.min(end, bytes.length), 0);
    const second = values.cleaned(bytes.slice(Math.min(end, bytes.length)), bytes.length, first.more);
    const joined = Buffer.from(first.text + second.text, "latin1").toString();
    for (const secret of secrets) hold(!isThere(joined, secret), "no secret is left between two parts");
  },
});

export const tokens = target({
  name: "token-formats",
  covers: ["os/token-formats.ts#tokensIn", "core/policy/secret-variables.ts#secretVariables"],
  draw(random) {
    const found = token(random);
    const before = random.one([" ", "\n", '"', "=", ":", "/", "\\n", "", "(", "é", "token="]);
    const after = random.one([" ", "\n", '"', "&", "\\n", "", ")", "'"]);
    const text = mutated(random, { seeds: TEXTS, words: ["ghp_", "sk-", "-----BEGIN RSA PRIVATE KEY-----", "eyJ"] });
    return {
      found,
      text: `${text}${/\w$/u.test(text) && before === "" ? " " : ""}${before}${found}${after}${random.once(2) ? "" : " rest"}`,
    };
  },
  check({ found, text }) {
    const ranges = tokensIn(text);
    const at = text.lastIndexOf(found);
    hold(
      ranges.some(({ start, end }) => start <= at && end >= at + found.length),
      "a token is found",
    );
    hold(
      ranges.every(({ start, end }, i) => start < end && start >= (ranges[i - 1]?.end ?? 0)),
      "in their order",
    );
    hold(!new SecretValues([]).hiddenInWords(text).includes(found), "a token is hidden");
    hold(
      secretVariables({ MY_TOKEN: found, ADDRESS: `https://u:${found}@h/` }, []).includes(found),
      "a variable is secret",
    );
  },
});

const CONFIG = resolveSettings({ flags: { prompt: ["x"] }, env: {} }).config;

export const carriedRedaction = target({
  name: "redaction-of-data",
  covers: [
    "store/redaction.ts#withoutSecretsIn",
    "store/redaction.ts#textWithoutSecrets",
    "store/redaction.ts#secretsOf",
  ],
  draw(random) {
    const secret = value(random);
    const text = (): string =>
      random.once(2)
        ? `a ${secret} b`
        : mutated(random, { seeds: TEXTS, words: [] })
            .slice(0, 200)
            .replaceAll(/\p{Surrogate}/gu, "?");
    const data = { a: text(), b: [text(), { c: text(), [random.once(2) ? secret : "d"]: text() }], [text()]: 1 };
    return { secret, data };
  },
  check({ secret, data }) {
    const config: Config = { ...CONFIG, apiKey: secret };
    const clean = JSON.stringify(withoutSecretsIn(data, config));
    hold(!clean.includes(JSON.stringify(secret).slice(1, -1)), "no secret leaves in a value or a name");
  },
});

export const copies = target({
  name: "redaction-of-files",
  covers: ["os/secrets.ts#copyWithout"],
  draw,
  async check({ secrets, text }) {
    const folder = mkdtempSync(path.join(workFolder(), "copy-"));
    try {
      writeFileSync(path.join(folder, "a"), text);
      const { bytes } = await copyWithout(new SecretValues(secrets), path.join(folder, "a"), path.join(folder, "b"));
      const copy = readFileSync(path.join(folder, "b"));
      hold(copy.length === bytes, "the length is that of the copy");
      for (const secret of secrets) hold(!isThere(copy.toString(), secret), "no secret is left");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
});
