import type { ToolkitAnswer } from "./toolkit.ts";

/** Whether a failure may be told from an answer's texts: the first that fits says it. */
interface Failure {
  readonly pattern: RegExp;
  readonly why: string;
}

/**
 * The toolkit's own words mislead: every save that fails in reserving is "another job may be creating this cache". What
 * went wrong is in what it prints for debugging (`actions-services.md` section 5).
 */
const FAILURES: readonly Failure[] = [
  {
    pattern: /cache write denied/iu,
    why: "this run may only read caches, because of the event that started it (cache write denied)",
  },
  {
    pattern: /cache read denied/iu,
    why: "this run may not read caches, because of the event that started it (cache read denied)",
  },
  {
    pattern: /already[ _]exists|\(409\)/iu,
    why: "there is one of this name already, which nobody can replace (409)",
  },
  { pattern: /Unauthorized|\(401\)|unauthenticated/u, why: "the service does not know the run's token (401)" },
  { pattern: /Forbidden|\(403\)/u, why: "the service refuses this to the run's token (403)" },
  { pattern: /rate limit|\(429\)/iu, why: "the service is asked too often at the moment (429)" },
  { pattern: /tar failed with error|tar: |unzstd|gzip: /u, why: "its archive is damaged" },
  { pattern: /ECONNREFUSED/u, why: "nobody answers there (ECONNREFUSED)" },
  { pattern: /ENOTFOUND|EAI_AGAIN/u, why: "the name of its host cannot be found (ENOTFOUND)" },
  { pattern: /ECONNRESET|socket hang up|ETIMEDOUT|EPIPE/u, why: "the connection broke off (ECONNRESET)" },
  { pattern: /\(5\d\d\)|\b50[0-4]\b/u, why: "the service has trouble of its own (500)" },
];

/** Why the service did not do what it was asked, in our own words. */
export function failureOf(answer: ToolkitAnswer): string {
  const texts = answer.ok ? [answer.said] : [answer.message, answer.said];
  for (const text of texts) {
    const failure = FAILURES.find(({ pattern }) => pattern.test(text));
    if (failure !== undefined) return failure.why;
  }
  return "the service gave no reason that is known";
}
