/** One measured figure and what it has to be. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** as a person reads it: `<= 1.10` */
  readonly goal: string;
  readonly holds: boolean;
}

export function atMost(name: string, value: number, unit: string, goal: number): Figure {
  return { name, value: rounded(value), unit, goal: `<= ${goal}`, holds: value <= goal };
}

export function atLeast(name: string, value: number, unit: string, goal: number): Figure {
  return { name, value: rounded(value), unit, goal: `>= ${goal}`, holds: value >= goal };
}

/** A figure that explains others and has no goal of its own. */
export function plain(name: string, value: number, unit: string): Figure {
  return { name, value: rounded(value), unit, goal: "-", holds: true };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
