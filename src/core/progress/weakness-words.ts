import type { Weakness } from "./strength.ts";

/** What weakens a proof, in words that can follow "because": one text each. Paths are of others. */
export function weaknessWords(weaknesses: readonly Weakness[]): readonly string[] {
  return weaknesses.map((weakness) => {
    switch (weakness.kind) {
      case "no_tests_ran":
        return "no test ran";
      case "tests_unseen":
        return `the checks tell of no test any more, and what runs them was changed: ${named(weakness.paths, weakness.count)}`;
      case "tests_deleted":
        return deletedWords(weakness);
      case "tests_emptied":
        return `${many(weakness.count, "test file was", "test files were")} emptied: ${named(weakness.paths, weakness.count)}`;
      case "newly_skipped": {
        const places = weakness.skips.map(({ path, marker }) => `${path} (${marker})`);
        const where = places.length === 0 ? "" : `: ${named(places, weakness.count)}`;
        return `${many(weakness.count, "test or group of tests is", "tests or groups of tests are")} newly kept from running${where}`;
      }
    }
  });
}

function deletedWords({ count, paths, fewer }: Extract<Weakness, { kind: "tests_deleted" }>): string {
  const files =
    count === 0 ? [] : [`${many(count, "test file was", "test files were")} deleted: ${named(paths, count)}`];
  const tests = fewer === 0 ? [] : [`${many(fewer, "test", "tests")} fewer than when the loop began`];
  return [...files, ...tests].join("; ");
}

function many(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

function named(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return names.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
