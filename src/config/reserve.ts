/** At least so many minutes, or this part of the time, are kept free at its end. */
const LEAST_MINUTES = 5;
const PART = 0.1;

/**
 * The reserve, in minutes, of a run whose time ends after `minutes`, where nobody set another one (section 9).
 *
 * @param minutes of time budget or job time-out, whichever ends first; null: neither is known
 */
export function usualReserve(minutes: number | null): number {
  return minutes === null ? LEAST_MINUTES : Math.max(LEAST_MINUTES, minutes * PART);
}
