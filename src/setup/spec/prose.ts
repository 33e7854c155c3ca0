import type { Assigned } from "./assign.ts";
import type { Section } from "./outline.ts";

/** What of a spec's sections goes to one place, below the spec's own headings; "" when there is nothing. */
export function proseText(
  assigned: readonly Assigned[],
  blocksOf: (part: Assigned) => readonly (readonly string[])[],
  isWanted: (part: Assigned) => boolean,
): string {
  const wanted = new Set<Section>();
  for (const part of assigned) {
    if (blocksOf(part).length === 0 && !isWanted(part)) continue;
    for (let section: Section | undefined = part.section; section !== undefined; section = section.parent)
      wanted.add(section);
  }
  return assigned
    .filter(({ section }) => wanted.has(section))
    .flatMap((part) => {
      const { heading, isTitle } = part.section;
      return [...(heading === undefined || isTitle ? [] : [heading.lines]), ...blocksOf(part)];
    })
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}
