/** The labels by which people and the loop speak to each other on a pull request. */
export const LABELS = {
  /** put on by a person: go on; taken off when it is used */
  continue: "smithers:continue",
  /** put on by a person: end for good */
  cancel: "smithers:cancel",
  /** put on by the loop: a HARD STOP waits for a person */
  paused: "smithers:paused",
} as const;
