/**
 * Complaints about what GitHub knows and the linters do not know yet, word for word. A newer linter that has learnt one
 * makes its line useless; nothing else may be added here.
 */
const KNOWN: readonly RegExp[] = [
  /^label "ubuntu-24\.04" is unknown\. available labels are /u,
  /^unexpected key "cache-mode" for "workflow" section\. expected one of /u,
  /^unexpected key "cache-mode" for "job" section\. expected one of /u,
  /^unknown permission scope "attestations"\. all available permission scopes are /u,
  // GitHub's changelog of 2026-05-07; the rule concurrency-queue judges its value.
  /^unexpected key "queue" for "concurrency" section\. expected one of /u,
  /^Unexpected value 'cache-mode'$/u,
  /^undefined variable "vars"\. available variables are /u,
];

export function isKnown(message: string): boolean {
  return KNOWN.some((known) => known.test(message));
}
