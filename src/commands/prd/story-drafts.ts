/** A story as a person told it, or as it was found in a text. */
export interface StoryDraft {
  /** null: the next one that is free */
  readonly id: string | null;
  readonly title: string;
  readonly description: string;
  readonly criteria: readonly CriterionDraft[];
  /** ids; null: it does not say */
  readonly dependsOn: readonly string[] | null;
}

export interface CriterionDraft {
  readonly text: string;
  /** shell text that shows it; null: none */
  readonly run: string | null;
}

/** The text of a `prd.json` with these stories; the order says their priorities. */
export function documentOf(project: string, description: string, drafts: readonly StoryDraft[]): string {
  const ids = idsOf(drafts);
  const userStories = drafts.map(({ title, description: about, criteria, dependsOn }, index) => {
    const checks = criteria.flatMap(({ run }, at) => (run === null ? [] : [{ criterion: at + 1, run }]));
    return {
      id: ids[index],
      title,
      description: about,
      acceptanceCriteria: criteria.map(({ text }) => text),
      ...(checks.length === 0 ? {} : { checks }),
      priority: index + 1,
      ...(dependsOn === null ? {} : { dependsOn }),
      passes: false,
    };
  });
  return `${JSON.stringify({ project, description, userStories }, null, 2)}\n`;
}

/** `US-001` and on; numbers that a draft has given itself are not given twice. */
export function idsOf(drafts: readonly Pick<StoryDraft, "id">[]): readonly string[] {
  const taken = new Set(drafts.map(({ id }) => id));
  let number = 0;
  return drafts.map(({ id }) => {
    if (id !== null) return id;
    let free: string;
    do free = `US-${String((number += 1)).padStart(3, "0")}`;
    while (taken.has(free));
    return free;
  });
}
