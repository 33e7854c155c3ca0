/** A whole number with its thousands apart: `1,234,567`. Without `Intl`, whose first use takes 10 ms. */
export function grouped(value: number): string {
  return String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/gu, ",");
}

/** A number with its noun: `1 file`, `1,200 files`, `2 stories`. */
export function counted(value: number, noun: string): string {
  const plural = /[^aeiou]y$/u.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(value)} ${value === 1 ? noun : plural}`;
}

/** A length of time a person can take in at a glance; two units at most: `0.4 s`, `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

const CENT = 10_000;

/** An amount of money in whole cents, as it is told: `0.42 USD`. @param millionths of a USD */
export function usd(millionths: number): string {
  if (millionths > 0 && millionths < CENT) return "less than 0.01 USD";
  const cents = Math.round(millionths / CENT);
  return `${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")} USD`;
}

/** A time limit in its own unit, as people set it: `0.5 s`, `300 s`. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
