/** Shorter values would blank out words of the log (T24); UTF-16 units. */
export const SHORTEST_SECRET = 8;

/** Shorter values are not taken for secrets by their looks alone. */
const SHORTEST_RANDOM = 16;

/** What the runner gives a step to speak for its job. */
const RUNTIME_TOKENS: ReadonlySet<string> = new Set(["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"]);

/** A part of a variable's name that says that its value is secret. */
const SECRET_PART = /^(?:API|ACCESS)?(?:TOKENS?|KEYS?|SECRETS?|PAT|AUTH|CREDENTIALS?)$/u;
const PASSWORD_PART = /^(?:PASS|PASSWD|PASSWORDS?|PASSPHRASE|PGPASSWORD)$/u;

/** Settings of ours, which say themselves which of them are secret. */
const OWN = /^(?:INPUT_|SMITHERS_)/u;

/** Names that the runner fills with ids, addresses and names that everybody may read. */
const OF_THE_RUNNER = /^(?:GITHUB_|RUNNER_|ACTIONS_)/u;

/** The user part of an address; no blank ends up in it, so it is looked at once. */
const USER_INFO = /^[a-z][a-z\d+.-]{0,30}:\/\/([^\s/?#@]*)@/iu;
const ADDRESS_OR_PATH = /^(?:[a-z][a-z\d+.-]{0,30}:\/\/|[a-z]:\\|~?\/|\.{1,2}\/)/iu;

const MAIL_HOST = /@[\w.-]+\.[a-z]+$/iu;

/** Ids of git, which are public and stand in records. */
const OBJECT_ID = /^(?:[\da-f]{40}|[\da-f]{64})$/u;

type Variables = Readonly<Record<string, string | undefined>>;

/** What service containers, keystores and their like are started with in everybody's example. */
const DEVELOPMENT = new Set([
  ...["postgres", "password", "passwd", "pass", "root", "test", "testing", "tester", "secret", "admin", "mysql"],
  ...["mariadb", "example", "changeme", "changeit", "guest", "user", "redis", "minio", "minioadmin", "rabbitmq"],
  ...["mongo", "mongodb", "elastic", "dev", "development", "local", "ci", "dummy", "fake", "insecure", "sa"],
]);

/** Words that say themselves that they are no secret: `test-secret-key`, `dummy_password`. */
const PLACEHOLDER =
  /^(?:[a-z]{1,20}[-_ ]){0,6}(?:test|testing|tests|dummy|example|fake|insecure|changeme|placeholder|ci|dev)(?:[-_ ][a-z]{1,20}){0,6}$/iu;

/** Whether a password is one that everybody knows: no secret, and hiding it would blank out words of every text (T24). */
export function isDevelopmentPassword(value: string): boolean {
  return DEVELOPMENT.has(value.toLowerCase()) || PLACEHOLDER.test(value);
}

/** Whether a pattern of `pass-env` means a variable: `NAME`, or `PREFIX_*`; a `*` alone means none. */
export function coversVariable(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return name === pattern;
  return pattern !== "*" && name.startsWith(pattern.slice(0, -1));
}

/**
 * The values of a run's variables that nobody may read in what leaves it (T2, T16): the runner's tokens, what a name
 * calls secret, user and password of addresses such as a proxy's, and what looks random or is called secret in those that
 * `pass-env` hands on.
 *
 * @param env all variables of the step or the shell
 * @returns each one once, `SHORTEST_SECRET` or longer
 */
export function secretVariables(env: Variables, passEnv: readonly string[]): readonly string[] {
  const secrets = Object.entries(env).flatMap(([name, value = ""]): readonly string[] => {
    if (RUNTIME_TOKENS.has(name)) return [value];
    if (OWN.test(name)) return [];
    const passed = !OF_THE_RUNNER.test(name) && passEnv.some((pattern) => coversVariable(pattern, name));
    const inside = passed ? partsIn("", jsonIn(value) ?? value, false) : userInfo(value);
    const whole = isNamedSecret(name, value) || (passed && looksRandom(value));
    return whole ? [value, ...inside] : inside;
  });
  return [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST_SECRET);
}

/** User with password, and each of them alone, as written and as meant: without a password, the user is a token. */
function userInfo(value: string): readonly string[] {
  const written = USER_INFO.exec(value)?.[1];
  if (written === undefined) return [];
  const at = written.indexOf(":");
  const secret = at === -1 ? written : written.slice(at + 1);
  return secret === "" || isDevelopmentPassword(secret) ? [] : [secret, meant(secret), ...(at === -1 ? [] : [written])];
}

/** A part of an address as it is meant. */
export function meant(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

function isNamedSecret(name: string, value: string): boolean {
  if (ADDRESS_OR_PATH.test(value) || isDevelopmentPassword(value)) return false;
  const parts = name.toUpperCase().split(/[^A-Z\d]+/u);
  if (parts.some((part) => PASSWORD_PART.test(part))) return true;
  // `TOKEN_MODE=strictest` and `KEY_COUNT=10000000` would blank out words and numbers everywhere (T24).
  return parts.some((part) => SECRET_PART.test(part)) && !/^(?:[a-z]+|[A-Z]+|\d+)$/u.test(value);
}

/** Whether a value is made by chance: long runs of letters and digits in which none prevails. */
export function looksRandom(value: string): boolean {
  if (value.length < SHORTEST_RANDOM || /\s/u.test(value)) return false;
  if (ADDRESS_OR_PATH.test(value) || OBJECT_ID.test(value)) return false;
  // Versions, host names and lists are words with something between them; an account of a service is named after both.
  const run = Math.max(
    ...value
      .replace(MAIL_HOST, "")
      .split(/[-_.:,;@=/\\]+/u)
      .map((part) => part.length),
  );
  return run >= 12 && /\d/u.test(value) && /[A-Za-z]/u.test(value) && bitsOf(value) >= 3;
}

/** Shannon's entropy, in bits for each character. */
export function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** More parts of one secret would make everything slow that is looked through. */
const MOST_PARTS = 256;

/** What everybody may read of a key pair, and repositories hold. */
export const PUBLIC_BLOCK = /-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----[^-]*-----END \1-----/gu;

/** A line of JSON, YAML or of variables: its name, and its value. The end of a base64 text is none. */
const NAMED_VALUE = /^(?:export\s|-\s)?\s*["']?([\w.-]+)["']?\s*[:=]\s*["']?([^=\s"'].*?)["']?,?$/u;

/** Words, numbers and what stands between them: they are in many texts (T24). */
const WORD = /^(?:[A-Z]?[a-z]*|[A-Z]+|\d+)$/u;

/**
 * What is secret by itself inside of a secret of several lines, or in JSON: a private key's lines, the values that a name
 * calls secret, what looks random. Not what is there in other texts too: words, numbers, addresses, certificates.
 *
 * @returns each one once, `SHORTEST_SECRET` or longer, not the whole; the first 256
 */
export function partsOfSecret(secret: string): readonly string[] {
  const parts = partsIn("", jsonIn(secret) ?? secret, true).filter((part) => part.length >= SHORTEST_SECRET);
  return [...new Set(parts)].filter((part) => part !== secret).slice(0, MOST_PARTS);
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param isSecret whether it is so as a whole, whatever it looks like */
function partsIn(name: string, value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === "string") {
    const isMeant = isNamedSecret(name, value) || looksRandom(value);
    const lines = value.includes("\n") ? partsOfLines(value, isSecret || isMeant) : [];
    return [...(isMeant ? [value] : []), ...userInfo(value), ...lines];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => partsIn(Array.isArray(value) ? name : key, one, false));
}

function partsOfLines(text: string, isSecret: boolean): readonly string[] {
  return text
    .replaceAll(PUBLIC_BLOCK, "")
    .split("\n")
    .flatMap((row): readonly string[] => {
      const line = row.trim();
      const [, name, value] = NAMED_VALUE.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return partsIn(name, value, false);
      return [...(isSecret && !isWords(line) ? [line] : []), ...line.split(/[\s"',;]+/u).filter(looksRandom)];
    });
}

function isWords(text: string): boolean {
  return text.split(/[^A-Za-z\d]+/u).every((word) => WORD.test(word));
}
