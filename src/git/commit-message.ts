import type { CommitRequest } from "../core/ports.ts";
import type { PrivateGit } from "./private-git.ts";

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S/u;

/** The message with the trailers by which a repeated settle recognises its own commit (C13). */
export function commitMessage(request: CommitRequest): string {
  const message = request.message.replaceAll("\0", "").trim();
  const endsWithTrailers = trailersIn(message) !== "";
  return `${message}${endsWithTrailers ? "\n" : "\n\n"}${trailers(request).join("\n")}\n`;
}

/**
 * The message of one commit that stands for several: that of the last, which says what has become of it all, the first
 * lines of the others, and the last one's trailers.
 *
 * @param messages oldest first
 */
export function squashedMessage(messages: readonly string[]): string {
  const last = messages.at(-1)?.trim() ?? "";
  const kept = trailersIn(last);
  const text = last.slice(0, last.length - kept.length).trim();
  const subjects = messages.slice(0, -1).map((message) => `- ${message.trim().split("\n")[0] ?? ""}`);
  const more = subjects.length > LISTED ? [`- and ${subjects.length - LISTED} more`] : [];
  const others = subjects.length === 0 ? [] : ["With it:\n\n" + [...subjects.slice(0, LISTED), ...more].join("\n")];
  return `${[text, ...others, ...(kept === "" ? [] : [kept])].join("\n\n")}\n`;
}

/** So many commits are named. */
const LISTED = 50;

/** The last paragraph of a trimmed message, if it is one of trailers; else "". */
function trailersIn(message: string): string {
  const last = message.split(/\n{2,}/u).at(-1) ?? "";
  return last !== message && last.split("\n").every((line) => TRAILER.test(line)) ? last : "";
}

/** Whether a commit of the person's repository was made for this request. */
export async function isCommitOf(git: PrivateGit, commit: string, request: CommitRequest): Promise<boolean> {
  const lines = (await git.run(["cat-file", "commit", commit])).split("\n");
  return trailers(request).every((trailer) => lines.includes(Buffer.from(trailer).toString("latin1")));
}

function trailers(request: CommitRequest): readonly string[] {
  return [`Smithers-Loop: ${request.loopId}`, `Smithers-Iteration: ${request.iteration}`];
}
