/** Documents for the tests. */
export const AT = { name: "web", folder: ".daedalus/prds/web" } as const;

type Json = Readonly<Record<string, unknown>>;

/** A story in which nothing is wrong, with `overrides`; undefined takes a key away. */
export function aStory(id: string, overrides: Json = {}): Json {
  const number = Number(id.replace(/\D/gu, ""));
  return {
    id,
    title: `Add part ${number}`,
    description: "As a reader I want this part.",
    acceptanceCriteria: ["The page shows the part", "Its test passes"],
    checks: [{ criterion: 2, run: `npm test -- part-${number}` }],
    priority: number,
    passes: false,
    ...overrides,
  };
}

/** The text of a document with these stories, and `overrides` of the rest. */
export function aDocument(stories: unknown = [aStory("US-001")], overrides: Json = {}): string {
  return `${JSON.stringify({ project: "Web", description: "A site.", userStories: stories, ...overrides }, null, 2)}\n`;
}
