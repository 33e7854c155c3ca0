/** Draws that follow from a number alone, so that a story can be told again. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1));
  }

  /** True once in `times` on average. */
  onceIn(times: number): boolean {
    return this.between(1, times) === 1;
  }

  one<const T>(among: readonly [T, ...T[]]): T {
    return among[this.between(0, among.length - 1)] ?? among[0];
  }
}
