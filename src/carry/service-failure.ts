import type { ToolkitAnswer } from "./toolkit.ts";

/** A failure that can be told from what the toolkit prints; `$1` is what the pattern's group has found. */
interface Failure {
  readonly pattern: RegExp;
  readonly why: string;
  /** somebody answered, and what came is not what it should be */
  readonly damaged?: true;
  /** there is one of this name */
  readonly taken?: true;
}

/**
 * The toolkit's own words mislead: every save that fails in reserving is "another job may be creating this cache". What
 * went wrong is in what it prints for debugging.
 */
const FAILURES: readonly Failure[] = [
  {
    pattern: /cache write denied/giu,
    why: "this run may only read caches, because of the event that started it (cache write denied)",
  },
  {
    pattern: /cache read denied/giu,
    why: "this run may not read caches, because of the event that started it (cache read denied)",
  },
  {
    pattern: /request: \((409)\)/gu,
    why: "there is one of this name already, which nobody can replace ($1)",
    taken: true,
  },
  { pattern: /request: \((401)\)/gu, why: "the service does not know the run's token ($1)" },
  { pattern: /request: \((403)\)/gu, why: "the service refuses this to the run's token ($1)" },
  { pattern: /request: \((429)\)/gu, why: "the service is asked too often at the moment ($1)" },
  { pattern: /request: \((5\d\d)\)/gu, why: "the service has trouble of its own ($1)" },
  { pattern: /blob storage: (\d{3})/gu, why: "the blob store refuses it ($1)" },
  { pattern: /(ECONNREFUSED)/gu, why: "nobody answers there ($1)" },
  { pattern: /(ENOTFOUND|EAI_AGAIN)/gu, why: "the name of its host cannot be found ($1)" },
  { pattern: /(ECONNRESET|socket hang up|ETIMEDOUT|EPIPE)/gu, why: "the connection broke off ($1)" },
  {
    pattern: /tar"? failed with error/giu,
    why: "its archive is damaged",
    damaged: true,
  },
];

/** What went wrong, in our own words. */
export interface ServiceFailure {
  readonly why: string;
  readonly damaged: boolean;
  readonly taken: boolean;
}

/** Why the service did not do what it was asked: the last thing it said that is known to be bad. */
export function failureOf(answer: ToolkitAnswer): ServiceFailure {
  const text = answer.ok ? answer.said : `${answer.said}\n${answer.message}`;
  let last: { at: number; found: string; failure: Failure } | undefined;
  for (const failure of FAILURES) {
    const match = [...text.matchAll(failure.pattern)].at(-1);
    if (match !== undefined && match.index > (last?.at ?? -1)) {
      last = { at: match.index, found: match[1] ?? "", failure };
    }
  }
  if (last === undefined) return { why: "the service gave no reason that is known", damaged: false, taken: false };
  const { why, damaged = false, taken = false } = last.failure;
  return { why: why.replace("$1", last.found), damaged, taken };
}
