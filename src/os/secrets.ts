/** Names of files that hold secrets, as part of any path; in lower case (C13). `*` stands for anything. */
export const SECRET_NAMES: readonly string[] = [
  ".env*",
  "*.pem",
  "*.key",
  "*.p8",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.ppk",
  "*.kdbx",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  ".netrc",
  ".pgpass",
  ".pypirc",
  ".git-credentials",
  "auth.json",
];

const SECRET_NAME = new RegExp(`^(?:${SECRET_NAMES.map(toPattern).join("|")})$`, "iu");

/** Whether a path, or one of the folders in it, has the name of a file of secrets. */
export function isNamedSecret(path: string): boolean {
  return path.split("/").some((name) => SECRET_NAME.test(name));
}

/** Shorter values are in every file. */
const SHORTEST = 6;

/** Finds given values, also the way that they are written in URLs, JSON and base64. All texts are byte strings. */
export class SecretValues {
  readonly #values: readonly string[];

  constructor(values: readonly string[]) {
    const written = new Set(values.flatMap((value) => (value.length < SHORTEST ? [] : spellings(value))));
    // The longest first: a shorter one may be a part of it.
    this.#values = [...written]
      .map((value) => Buffer.from(value).toString("latin1"))
      .toSorted((a, b) => b.length - a.length);
  }

  /** How long the longest is; 0: there are none. */
  get longest(): number {
    return Math.max(0, ...this.#values.map((value) => value.length));
  }

  areInBytes(bytes: Buffer): boolean {
    return this.#values.some((value) => bytes.includes(value, 0, "latin1"));
  }

  areIn(text: string): boolean {
    return this.#values.some((value) => text.includes(value));
  }

  /** The text without them. */
  hiddenIn(text: string): string {
    return this.#values.reduce((hidden, value) => hidden.replaceAll(value, "***"), text);
  }
}

function spellings(value: string): readonly string[] {
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...withinBase64(value)];
}

/** How the value looks in base64, alone or inside of a longer text: one way for each place where it may begin. */
function withinBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function toPattern(name: string): string {
  return name.replaceAll(".", String.raw`\.`).replaceAll("*", ".*");
}
