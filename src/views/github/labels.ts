/** A label of ours, as a repository has it. */
export interface Label {
  readonly name: string;
  /** six hexadecimal digits */
  readonly color: string;
  /** at most 100 characters */
  readonly description: string;
}

/** The labels with which people and the loop communicate; each is made once in a repository. */
export const LABELS = {
  /** put on an issue by a person: a loop works on it */
  start: { name: "smithers", color: "5319e7", description: "Put on an issue: a loop works on it" },
  /** put on a pull request by a person: what is red there is repaired */
  fix: { name: "smithers:fix", color: "1d76db", description: "Put on a pull request: the loop repairs what is red" },
  /** put on by a person: go on; taken off when it is used */
  continue: {
    name: "smithers:continue",
    color: "0e8a16",
    description: "Put on by a person: the loop goes on, and a HARD STOP is confirmed",
  },
  /** put on by a person: end for good */
  cancel: { name: "smithers:cancel", color: "b60205", description: "Put on by a person: the loop ends for good" },
  /** put on by the loop: a HARD STOP waits for a person */
  paused: { name: "smithers:paused", color: "fbca04", description: "The loop waits for a person at a HARD STOP" },
} as const satisfies Record<string, Label>;

/** All of them. */
export const ALL_LABELS: readonly Label[] = Object.values(LABELS);

/** GitHub does not have two labels that only differ in capitals. */
export function isLabel(label: Label, name: string): boolean {
  return name.toLowerCase() === label.name;
}
