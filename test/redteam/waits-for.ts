/**
 * Attacks that get through on this branch, because what stops them is being built elsewhere: the attack, and the topic
 * that it waits for. A row has to go as soon as its attack is stopped: the tests that name it fail until it does.
 */
export const WAITS_FOR = {
  "a turn reads credentials": "turn",
  "credentials that a turn read leave": "turn",
  "a command agent finds secrets": "turn",
  "a command agent plants": "turn",
  "a command agent stays": "turn",
  "a pull request brings settings": "base",
  "a pull request brings instructions": "base",
  "a tool cache is believed": "tools",
  "off is not told": "iso",
  "drop-sudo is recommended": "exec",
  "split jobs are recommended": "split",
  "main shows its environment": "exec",
  "main shows its memory": "exec",
} as const satisfies Readonly<Record<string, string>>;

/**
 * What an attack got that it should not have, one line for each: nothing, where all is well. While the attack waits for
 * its defence it has to get something.
 */
export function unexpected(attack: string, booty: readonly string[]): readonly string[] {
  const topic = new Map<string, string>(Object.entries(WAITS_FOR)).get(attack);
  if (topic === undefined) return booty;
  return booty.length > 0 ? [] : [`stopped now, by ${topic}: take "${attack}" out of WAITS_FOR`];
}
