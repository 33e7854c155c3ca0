import { importGraph } from "./imports.ts";
import { atMost, type Row } from "./row.ts";
import { linesOf, type SourceFile } from "./tree.ts";

/** A file this long may have a single user. */
const PAGE = 60;
const PAGES = 25;

/** Who imports whom: few short files have a single user, and no file is its own, by whatever detour. */
export function importers(tree: readonly SourceFile[]): readonly Row[] {
  const graph = importGraph(tree);
  const pages = tree.flatMap(({ file, text }) => {
    const users = [...graph].filter(([user, imported]) => user !== file && imported.has(file));
    const [user] = users[0] ?? [];
    if (users.length !== 1 || linesOf(text) > PAGE) return [];
    return [`${file}: ${linesOf(text)} lines, only for ${user}`];
  });
  const circles = circlesIn(graph);
  return [
    atMost(PAGES, `files with one importer and at most ${PAGE} lines`, pages.length, pages),
    atMost(
      0,
      "file circles, types included",
      circles.length,
      circles.map((circle) => circle.join(" → ")),
    ),
  ];
}

/** The shortest circle through each group of files that import each other. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const circles: (readonly string[])[] = [];
  for (const file of graph.keys()) {
    const circle = seen.has(file) ? undefined : wayBack(graph, file);
    if (circle === undefined) continue;
    circles.push(circle);
    for (const member of graph.keys()) {
      if (reaches(graph, file, member) && reaches(graph, member, file)) seen.add(member);
    }
  }
  return circles;
}

function reaches(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  return from === to || search(graph, from, to) !== undefined;
}

/** `[file, …, file]`, or undefined when no way leads back. */
function wayBack(graph: ReadonlyMap<string, ReadonlySet<string>>, file: string): readonly string[] | undefined {
  return search(graph, file, file);
}

/** The shortest way of at least one step. */
function search(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const visited = new Set<string>();
  let ways: readonly (readonly string[])[] = [[from]];
  while (ways.length > 0) {
    const longer: (readonly string[])[] = [];
    for (const way of ways) {
      for (const next of graph.get(way.at(-1) ?? "") ?? []) {
        if (next === to) return [...way, next];
        if (visited.has(next)) continue;
        visited.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return undefined;
}
