import type { GitResult } from "../git.ts";
import { type RemoteRefusal, remoteRefusalOf } from "../remote-git-refusal.ts";

/** Why the remote did not do what it was asked. */
export interface Trouble {
  readonly because: "superseded" | "unreachable" | "refused";
  /** a part of a sentence: `the token may not write to the repository` */
  readonly what: string;
  /** what a person does about it: a sentence; "" when there is nothing to do */
  readonly next: string;
  /** whether it may lie in the files, so that the record alone may yet go through */
  readonly inTree: boolean;
}

/** What a person does who wants a ref of ours, where that is not what one does for a branch. */
const NEXT: { readonly [Kind in RemoteRefusal["kind"]]?: string } = {
  hidden_ref: "Leave the git ref out of the carriers.",
  workflow_files:
    "Give a token with the permission `workflows`, or leave the work tree out with `checkpoint-tree: off`.",
  ruleset: "Leave `refs/smithers/**` out of the ruleset, or give the token of an app that may bypass it.",
  secret: "Take the secret out of the work, or leave the work tree out with `checkpoint-tree: off`.",
};

/** What may be refused for what is in the files. */
const IN_TREE: ReadonlySet<RemoteRefusal["kind"]> = new Set([
  ...(["workflow_files", "ruleset", "secret", "declined", "incomplete"] as const),
]);

/** No answer, or none that says why. */
export function unreachable(what: string): Trouble {
  return { because: "unreachable", what, next: "", inTree: false };
}

/** Another run has the loop. @param how goes on after that */
export function superseded(how = ""): Trouble {
  return { because: "superseded", what: `another run has gone on with this loop${how}`, next: "", inTree: false };
}

/** What a network command of git that failed was told. */
export function troubleOf(result: GitResult): Trouble {
  const { kind, why, next } = remoteRefusalOf(result);
  if (kind === "stale") return superseded();
  if (kind === "unreachable") return unreachable(why);
  return { because: "refused", what: why, next: NEXT[kind] ?? next, inTree: IN_TREE.has(kind) };
}

/** Whether git says that the ref does not exist. */
export function isAbsentRef({ stderr }: GitResult): boolean {
  return /couldn't find remote ref/u.test(stderr);
}
