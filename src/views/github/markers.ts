import { isLoopId } from "../../core/names.ts";
import { firstLine } from "../plain-text.ts";

/** Distinguishes the comment of one loop from all others. */
interface LoopMark {
  /** the workflow's file */
  readonly workflow: string;
  readonly job: string;
  readonly loopId: string;
}

const LOOP = /^<!-- smithers:loop (?<id>[A-Za-z0-9][A-Za-z0-9._%-]*)(?: \S+ \S+)? -->$/u;

/** The hidden first line of the one status comment that a job has for a loop. */
export function markerOf({ workflow, job, loopId }: LoopMark): string {
  return comment("loop", loopId, workflow, job);
}

/** The hidden first line of a loop's pull request. */
export function pullRequestMarker(loopId: string): string {
  return comment("loop", loopId);
}

/** The hidden first line of a HARD STOP's review: the same stop of the same commit has the same one. */
export function hardStopMarker(loopId: string, commit: string, hitIds: readonly string[]): string {
  return comment("hard-stop", loopId, commit, hitIds.join(","));
}

/** The hidden first line of a comment that calls people: one for each ending, which `key` names. */
export function callMarker({ workflow, job, loopId }: LoopMark, key: string): string {
  return comment("call", key, loopId, workflow, job);
}

/** The hidden first line of what the closing job of a wave says on the pull request of a story's loop. */
export function landingMarker(loopId: string): string {
  return comment("landing", loopId);
}

/** The hidden first line of the one answer that a thread of a review gets: the same review has the same one. */
export function answerMarker(loopId: string, review: number): string {
  return comment("answer", loopId, String(review));
}

/**
 * Whether a text begins with exactly this marker. Text further down may be somebody else's, and the caller has to check
 * who wrote it: anybody can paste a marker.
 */
export function bears(body: string, marker: string): boolean {
  return firstLine(body) === marker;
}

/** The loop that a comment or a pull request says it belongs to; null when it says nothing of the kind. */
export function loopIdIn(body: string): string | null {
  const id = LOOP.exec(firstLine(body))?.groups?.["id"]?.replaceAll("%2D", "-");
  return id !== undefined && isLoopId(id) ? id : null;
}

function comment(kind: string, ...words: readonly string[]): string {
  return `<!-- smithers:${kind} ${words.map(escaped).join(" ")} -->`;
}

/** One word without blanks, in which no comment ends: no `>`, no two hyphens side by side. Two texts never become one. */
function escaped(word: string): string {
  return encodeURIComponent(word.replaceAll(/\p{Surrogate}/gu, "\uFFFD"))
    .replaceAll("%2F", "/")
    .replaceAll(/-(?=-)/gu, "%2D");
}
