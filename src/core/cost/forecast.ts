/** What a loop will still need, as far as its own history tells. Costs in millionths of a USD. */
export interface Forecast {
  /** turns until nothing fails any more, at the pace so far */
  readonly turns: number;
  readonly least: number;
  readonly most: number;
}

/** An iteration as far as the forecast looks at it. */
export interface PastTurn {
  /** null: not known */
  readonly cost: number | null;
  /** how many tests failed after it; null: not known */
  readonly failing: number | null;
}

/** Fewer turns say nothing of the next ones. */
const FEWEST = 2;
/** A guess that far ahead is none. */
const FARTHEST = 20;

/**
 * Guesses from the turns so far. Undefined where there is too little to guess from: fewer than two turns whose costs are
 * known, no count of failing tests, or no progress in it.
 *
 * @param failingAtStart null: not known
 */
export function forecast(turns: readonly PastTurn[], failingAtStart: number | null): Forecast | undefined {
  const costs = turns.flatMap(({ cost }) => (cost === null ? [] : [cost])).toSorted((a, b) => a - b);
  const now = turns.findLast(({ failing }) => failing !== null)?.failing ?? null;
  if (costs.length < FEWEST || now === null || now === 0 || failingAtStart === null) return undefined;
  const pace = (failingAtStart - now) / turns.length;
  if (pace <= 0) return undefined;
  const left = Math.ceil(now / pace);
  if (left > FARTHEST) return undefined;
  return { turns: left, least: left * quantile(costs, 0.25), most: left * quantile(costs, 0.75) };
}

/** @param sorted not empty */
function quantile(sorted: readonly number[], part: number): number {
  const at = Math.round((sorted.length - 1) * part);
  return sorted.slice(at).reduce((first) => first);
}
