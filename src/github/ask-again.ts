import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable, saysThat } from "./refusal.ts";

/** How long to wait before GitHub is asked again; milliseconds. */
const PAUSES = [500, 1_500, 3_000];

/**
 * What GitHub says of something that was made a moment ago and that not all of its machines know of yet: a pull request,
 * the branch of one, a commit, and a commit of a pull request.
 */
const NOT_YET_KNOWN =
  /could not resolve to a (?:node|pull ?request)\b|\bhead invalid\b|no commit found for sha|not part of the pull request/iu;

/** Does what concerns something just made; again only where GitHub does not know of that yet, so nothing is done twice. */
export function onceKnown<T>(signal: AbortSignal, operation: () => Promise<T>): Promise<T> {
  return askAgain((error) => saysThat(error, NOT_YET_KNOWN), signal, operation);
}

/** Repeats a read that has to be sent as a `POST`, which Octokit does not repeat. */
export function readAgain<T>(signal: AbortSignal, operation: () => Promise<T>): Promise<T> {
  return askAgain((error) => isUnavailable(error) || saysThat(error, NOT_YET_KNOWN), signal, operation);
}

/** Looks for something that has to exist, although some of GitHub's machines may not know of it yet. */
export async function untilFound<T>(signal: AbortSignal, look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (const pause of PAUSES) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(pause, undefined, { signal });
  }
  return look();
}

async function askAgain<T>(
  worthIt: (error: unknown) => boolean,
  signal: AbortSignal,
  operation: () => Promise<T>,
): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await operation();
    } catch (error) {
      if (!worthIt(error)) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
  return operation();
}
