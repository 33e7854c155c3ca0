import { done, failed, type Result, type Trouble } from "../core/result.ts";

/** Why GitHub refused or did not answer. */
export interface Refused extends Trouble {
  /** `absent`: it does not exist, or the token may not see it; `unreachable`: it may work at another time */
  readonly kind: "absent" | "refused" | "unreachable";
}

/** @param permission the line of `permissions:` that the request needed */
export function troubleOf(error: unknown, permission: string): Refused {
  const kind = isPassing(error) ? "unreachable" : ABSENT.has(statusOf(error)) ? "absent" : "refused";
  return { kind, because: refusalOf(error, permission) };
}

/** GitHub's answer for what does not exist, or no longer. */
export const ABSENT: ReadonlySet<number | null> = new Set([404, 410]);

/**
 * Asks something of GitHub. Never throws.
 *
 * @param permission the line of `permissions:` that it needs
 */
export async function ask<T>(permission: string, operation: () => Promise<T>): Promise<Result<T, Refused>> {
  try {
    return done(await operation());
  } catch (error) {
    return failed(troubleOf(error, permission));
  }
}

/** What went wrong with a request, of either of GitHub's two APIs. */
interface Answered {
  /** null: GitHub has not answered, or not with a status */
  readonly status: number | null;
  /** GitHub's words, in the message and the details, or those of what could not reach it; one line, without addresses */
  readonly said: string;
  readonly retryAfter: string | undefined;
}

/** GitHub's words that need other ones, with any status. */
const KNOWN: readonly (readonly [said: RegExp, why: string])[] = [
  [
    /not permitted to create or approve pull requests/iu,
    "GitHub Actions may not create pull requests here; allow it in the repository's Settings, Actions, General: “Allow " +
      "GitHub Actions to create and approve pull requests” (an organisation can forbid it for all of its repositories)",
  ],
  [/permission to create labels/iu, "the token may not make labels; give the job permissions: issues: write"],
  [/archived so is read-only|repository was archived/iu, "the repository is archived; unarchive it"],
  [/issue is locked|lock prevents/iu, "the conversation is locked; unlock it on its page"],
  [
    /maximum number of statuses/iu,
    "the commit has 1,000 statuses of this name already, and GitHub takes no more; the next commit gets one",
  ],
  [/body is too long/iu, "the text is longer than the 65,536 characters that GitHub takes"],
  [
    /event '?(\w+)'? is not allowed to trigger actions workflows/iu,
    "a policy of the organisation or enterprise does not let this event start workflows",
  ],
];

/**
 * Why a request was not done, as part of a sentence, with the cure where there is one.
 *
 * @param permission the line of `permissions:` that the request needs, as in `actions: read`
 */
export function refusalOf(error: unknown, permission: string): string {
  if (isAbort(error)) return "GitHub did not answer in time";
  const { status, said, retryAfter } = answerIn(error);
  if (isRateLimited(error)) {
    return `GitHub's rate limit is used up${retryAfter === undefined ? "" : `; it may be asked again in ${retryAfter} s`}`;
  }
  const missing = `the token may not do this; give the job permissions: ${permission}`;
  if (/resource not accessible/iu.test(said)) return missing;
  const known = KNOWN.find(([pattern]) => pattern.test(said));
  if (known !== undefined) return known[1];
  switch (status) {
    case null:
      return said;
    case 401:
      return "GitHub does not know the token";
    case 403:
      return `GitHub refused (${said})`;
    case 404:
      return `GitHub does not know it, or ${missing}`;
    default:
      return isUnanswered(error) ? `GitHub cannot be reached (${said})` : `GitHub answered ${status} (${said})`;
  }
}

/** The status that GitHub answered with; null: it has not answered, or in GraphQL, which has none. */
export function statusOf(error: unknown): number | null {
  return isUnanswered(error) ? null : answerIn(error).status;
}

/** GitHub's words, in the message of its answer and in the details; one line, without addresses */
export function saidIn(error: unknown): string {
  return answerIn(error).said;
}

/** Whether GitHub said this, in the message of its answer or in the details. */
export function saysThat(error: unknown, words: RegExp): boolean {
  return words.test(answerIn(error).said);
}

/** Whether it was GitHub, not the request: the same may work at another time, and may even have been done. */
export function isPassing(error: unknown): boolean {
  return isAbort(error) || isRateLimited(error) || isUnavailable(error);
}

/** Whether GitHub had a fault or could not be reached, so that the same may be done a moment later. */
export function isUnavailable(error: unknown): boolean {
  return !isAbort(error) && (answerIn(error).status ?? 0) >= 500;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

function isRateLimited(error: unknown): boolean {
  const { status, said } = answerIn(error);
  return status === 429 || ((status === 403 || status === null) && /\brate limit/iu.test(said));
}

/** Octokit gives a status to what never reached GitHub, too. */
function isUnanswered(error: unknown): boolean {
  return isRecord(error) && "status" in error && !isRecord(error["response"]);
}

function answerIn(error: unknown): Answered {
  if (!isRecord(error)) return { status: null, said: oneLine(String(error)), retryAfter: undefined };
  const { status, response, errors, message } = error;
  const { data, headers } = isRecord(response) ? response : {};
  const retryAfter = isRecord(headers) ? headers["retry-after"] : undefined;
  return {
    status: typeof status === "number" ? status : null,
    said: oneLine(
      wordsOf(data) ?? wordsOf({ errors }) ?? (isRecord(message) ? "an error without words" : String(message)),
    ),
    retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
  };
}

/** The message of an answer with its details, which are texts or objects; undefined where there is neither. */
function wordsOf(answer: unknown): string | undefined {
  if (!isRecord(answer)) return undefined;
  const { message, errors } = answer;
  const details = Array.isArray(errors) ? errors.map(detailOf) : typeof errors === "string" ? [errors] : [];
  const words = [message, details.join("; ")].filter((part) => typeof part === "string" && part !== "");
  return words.length === 0 ? undefined : words.join(": ");
}

function detailOf(detail: unknown): string {
  if (!isRecord(detail)) return String(detail);
  const { message, field, code } = detail;
  return typeof message === "string" ? message : [field, code].filter((part) => typeof part === "string").join(" ");
}

function oneLine(words: string): string {
  const line = words.replaceAll(/\s+/gu, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
