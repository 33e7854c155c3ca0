/** The word of `known` that `word` was probably meant to be, or undefined. Allows a typo for every three letters. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const meant = word.toLowerCase().replaceAll("_", "-");
  let best: string | undefined;
  let least = Math.min(2, Math.floor(meant.length / 3)) + 1;
  for (const candidate of known) {
    // It is at least as far as their lengths are apart, and a hostile word is long.
    if (Math.abs(meant.length - candidate.length) >= least) continue;
    const distance = editDistance(meant, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          cell(i - 1, j - 1) + (same ? 0 : 1),
          swapped ? cell(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return cell(a.length, b.length);
}
