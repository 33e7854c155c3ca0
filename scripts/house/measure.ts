import { violations } from "../../test/architecture/layers.ts";
import { agentsNamedOutside } from "./agents-named.ts";
import { importers } from "./importers.ts";
import { outcomeSpellings } from "./outcomes.ts";
import { atMost, type Row } from "./row.ts";
import { singlePlaces } from "./single-places.ts";
import { sizes } from "./sizes.ts";
import type { SourceFile } from "./tree.ts";

/** Every limit that always holds for `src`. */
export function measured(tree: readonly SourceFile[]): readonly Row[] {
  return [
    ...sizes(tree),
    ...importers(tree),
    layers(tree),
    agentsNamedOutside(tree),
    ...singlePlaces(tree),
    ...outcomeSpellings(tree),
  ];
}

function layers(tree: readonly SourceFile[]): Row {
  const found = tree.flatMap(({ file, text }) => violations(file, text));
  return atMost(0, "imports against the layers", found.length, found);
}
