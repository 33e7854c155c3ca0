/** A line of the measure. */
export interface Row {
  readonly what: string;
  readonly now: string;
  readonly limit: string;
  readonly holds: boolean;
  /** where the limit is missed, or what is close to it: one line each */
  readonly places: readonly string[];
}

/** How many places are told of a limit that is missed, unless all are asked for. */
const PLACES = 12;

/** A row whose limit is the highest number allowed. */
export function atMost(limit: number, what: string, now: number, places: readonly string[]): Row {
  return { what, now: String(now), limit: `≤ ${limit}`, holds: now <= limit, places };
}

/** The rows as a table, followed by where each missed limit is missed. */
export function tableOf(rows: readonly Row[], { all }: { readonly all: boolean }): string {
  const cells = [
    ["what", "now", "limit", ""],
    ...rows.map(({ what, now, limit, holds }) => [what, now, limit, holds ? "holds" : "MISSED"]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const missed = rows.filter(({ holds }) => !holds).flatMap((row) => ["", `${row.what}:`, ...placesOf(row, all)]);
  return [...lines, ...missed].join("\n");
}

function placesOf({ places }: Row, all: boolean): readonly string[] {
  const told = all ? places : places.slice(0, PLACES);
  const more = places.length - told.length;
  return [...told.map((place) => `  ${place}`), ...(more > 0 ? [`  … and ${more} more (npm run house -- --all)`] : [])];
}
