const HOUR_MS = 3_600_000;

/** The calls of the agent in the hour that is counted now (R-32, L-14, L-22); it holds over runs and machines. */
export interface Rate {
  /** when the first of them began; null: there was none yet */
  readonly hour_began: string | null;
  readonly calls: number;
}

export const NO_CALLS: Rate = { hour_began: null, calls: 0 };

/** How the rate stands at a moment. */
export interface RateNow {
  readonly calls: number;
  /** when they are forgotten, in milliseconds since the epoch; null: no hour has begun */
  readonly resetsAt: number | null;
}

/** @param now in milliseconds since the epoch; the clock of another machine may be a little ahead of it */
export function rateAt({ hour_began: began, calls }: Rate, now: number): RateNow {
  if (began === null || Math.abs(now - Date.parse(began)) >= HOUR_MS) return { calls: 0, resetsAt: null };
  return { calls, resetsAt: Date.parse(began) + HOUR_MS };
}

/** When the hour that was counted last ends; null: none has begun. */
export function hourEnds({ hour_began: began }: Rate): string | null {
  return began === null ? null : new Date(Date.parse(began) + HOUR_MS).toISOString();
}

/** A turn is a call as soon as it begins: one that the provider refuses gives its iteration back, yet it was asked. */
export function countCall(rate: Rate, at: string): Rate {
  const { calls, resetsAt } = rateAt(rate, Date.parse(at));
  return resetsAt === null ? { hour_began: at, calls: 1 } : { ...rate, calls: calls + 1 };
}
