import type { CommitRequest } from "../core/ports.ts";
import type { PrivateGit } from "./private-git.ts";

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S/u;

/** The message with the trailers by which a repeated settle recognises its own commit (C13). */
export function commitMessage(request: CommitRequest): string {
  const message = request.message.replaceAll("\0", "").trim();
  const last = message.split(/\n{2,}/u).at(-1) ?? "";
  const endsWithTrailers = last !== message && last.split("\n").every((line) => TRAILER.test(line));
  return `${message}${endsWithTrailers ? "\n" : "\n\n"}${trailers(request).join("\n")}\n`;
}

/** Whether a commit of the person's repository was made for this request. */
export async function isCommitOf(git: PrivateGit, commit: string, request: CommitRequest): Promise<boolean> {
  const lines = (await git.run(["cat-file", "commit", commit])).split("\n");
  return trailers(request).every((trailer) => lines.includes(Buffer.from(trailer).toString("latin1")));
}

function trailers(request: CommitRequest): readonly string[] {
  return [`Smithers-Loop: ${request.loopId}`, `Smithers-Iteration: ${request.iteration}`];
}
