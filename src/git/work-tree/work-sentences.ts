import type { Trouble } from "./remote-trouble.ts";

/** Where work is kept that could not be brought back. */
export interface KeptPlace {
  readonly ref: string;
  readonly commit: string;
  /** the workspace's root below the repository's top */
  readonly prefix: string;
  readonly sealed: boolean;
}

/** A trouble as part of a sentence that goes on with a full stop. */
export function sentence({ what, next }: Trouble): string {
  return next === "" ? what : `${what}. ${next.replace(/\.$/u, "")}`;
}

/** Why the ref could not be read, and what that means. */
export function unread(ref: string, why: string): string {
  return `${ref} could not be read, so other copies of the loop have to do: ${why}.`;
}

/** Why the loop is not kept, what that means, and what to do. */
export function unwritten(ref: string, trouble: Trouble): string {
  if (trouble.because === "superseded") return trouble.what;
  return `The loop is not kept under ${ref}, so what it does is lost if this machine vanishes: ${sentence(trouble)}.`;
}

/** Why the work in the ref could not be brought back, and where it is. */
export function unrestored(ref: string, why: string): string {
  return `The work that ${ref} holds could not be brought back: ${why}. It is still kept there.`;
}

/** Why the work is in no file, and what that means. */
export function notInFiles(why: string): string {
  return `The unfinished work is not among the loop's files: ${why}. Only the loop's git ref can bring it to the next run.`;
}

/** @param savedBy the run that saved the file */
export function unusable(savedBy: string, why: string): string {
  return `The work of the last run could not be brought back from its file: ${why}. ${inArtifact(savedBy)}`;
}

/** Says which file holds the work and how to look at it. */
export function notFitting({ ref, savedBy, prefix }: { ref: string; savedBy: string; prefix: string }, where: string) {
  const head = prefix === "" ? "HEAD" : `HEAD:${prefix}`;
  const look = `\`git fetch work.bundle ${ref} && git diff ${head} FETCH_HEAD:\` shows it.`;
  return `The work of the last run does not fit what is checked out: ${where}. The workspace is as it was. ${inArtifact(savedBy)} ${look}`;
}

function inArtifact(savedBy: string): string {
  return `It is still kept, as loop/work.bundle in the artifact of run ${savedBy}.`;
}

/** Says where the work is and how to look at it. */
export function conflicting({ ref, commit, prefix, sealed }: KeptPlace, where: string): string {
  const head = prefix === "" ? "HEAD" : `HEAD:${prefix}`;
  const look = sealed ? "" : ` \`git fetch origin ${ref} && git diff ${head} ${commit}:tree\` shows it.`;
  const kept = `the work is kept under ${ref}, in commit ${commit}.`;
  return `The work of the last run does not fit what is checked out: ${where}. The workspace is as it was; ${kept}${look}`;
}
