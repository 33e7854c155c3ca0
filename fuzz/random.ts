/**
 * Numbers that follow from a text alone: the same seed, target and case give the same input on every machine, so that a
 * case can be repeated by its number.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    [this.#a, this.#b, this.#c] = [hash(seed, 0x9e3779b9), hash(seed, 0x243f6a88), hash(seed, 0xb7e15162)];
    for (let i = 0; i < 12; i += 1) this.bits();
  }

  /** 32 of them (sfc32). */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to `limit` - 1; 0 for a limit below 1. */
  below(limit: number): number {
    return limit < 1 ? 0 : Math.floor((this.bits() / 2 ** 32) * limit);
  }

  /** Once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** @throws RangeError when there is nothing to choose from */
  one<T>(of: readonly T[]): T {
    const at = this.below(of.length);
    for (const chosen of of.slice(at, at + 1)) return chosen;
    throw new RangeError("There is nothing to choose from.");
  }

  /** A text of these characters. */
  text(characters: string, length: number): string {
    const all = Array.from(characters);
    return Array.from({ length }, () => this.one(all)).join("");
  }
}

/** FNV-1a, begun with `from`. */
function hash(text: string, from: number): number {
  let value = from | 0;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value ^ (value >>> 15);
}
