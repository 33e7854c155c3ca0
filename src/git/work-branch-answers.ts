import type { RemoteRefusal } from "./remote-git-refusal.ts";

/** Where the branch is on the remote; `why` is part of a sentence. */
export type BranchTip =
  | { readonly tip: "found"; readonly commit: string }
  | { readonly tip: "absent" }
  | { readonly tip: "unreachable"; readonly why: string };

/** What became of putting the workspace on the branch. */
export type TakenUp =
  | {
      readonly taken: true;
      /**
       * `moved`: files were brought to the remote's tip; `begun`: there is no such branch on the remote, and the local
       * one begins here; `there`: nothing was to be done
       */
      readonly how: "moved" | "begun" | "there";
      /** the remote's tip, which `push` expects; null: there was none */
      readonly tip: string | null;
      /** what is checked out now: the tip, or the person's own commits on top of it; null before the first commit */
      readonly head: string | null;
      /** what a person has to know of it, in whole sentences */
      readonly notices: readonly string[];
    }
  | {
      readonly taken: false;
      /**
       * `dirty`: tracked files have changes; `in_the_way`: untracked files are where the branch has files; `diverged`:
       * the local branch has commits that the remote's has not; `busy`: a merge or the like is in progress, or another
       * work tree has the branch
       */
      readonly because: "dirty" | "in_the_way" | "diverged" | "busy" | "unreachable" | "failed";
      /** whole sentences: why, and what is unharmed */
      readonly why: string;
    };

/** A refusal that another attempt does not change, and how it is cured. */
export type BranchRefusal = Exclude<RemoteRefusal["kind"], "stale" | "unreachable"> | "not_fast_forward";

/** What became of a push; `why` is part of a sentence, `next` a sentence or "". */
export type BranchPushed =
  | { readonly pushed: true }
  /** somebody moved the branch; `now` is where it is: null when it was deleted */
  | { readonly pushed: false; readonly because: "moved"; readonly now: string | null; readonly why: string }
  | {
      readonly pushed: false;
      readonly because: "refused";
      readonly kind: BranchRefusal;
      readonly why: string;
      readonly next: string;
    }
  | { readonly pushed: false; readonly because: "unreachable"; readonly why: string };

/** Whether refs may be written, as far as that shows without writing: rules of the repository do not. */
export type BranchWritable = { readonly writable: true } | ({ readonly writable: false } & RemoteRefusal);

/** `why` is part of a sentence. A branch that is gone already is deleted. */
export type BranchDeleted =
  | { readonly deleted: true }
  | { readonly deleted: false; readonly because: "moved"; readonly now: string; readonly why: string }
  | { readonly deleted: false; readonly because: "refused" | "unreachable"; readonly why: string };

/** A path relative to the repository's top, as people read it. */
export interface ChangedPath {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
}

/** `places`: files, as people read their names, and the like; `why` is part of a sentence. */
export type PlacesAdding =
  | { readonly known: true; readonly places: readonly string[] }
  | { readonly known: false; readonly why: string };

export type ChangedPaths =
  /** `more`: how many others there are */
  | { readonly known: true; readonly paths: readonly ChangedPath[]; readonly more: number }
  | { readonly known: false; readonly why: string };

/** What a path becomes in a commit. */
export interface EntryChange {
  /** a byte string, relative to the repository's top */
  readonly path: string;
  /** the blob that was there; null: none, or no file */
  readonly replaced: string | null;
  /** null: nothing is there any more. `mode` as in `100755`; `size` in bytes, null for a submodule */
  readonly entry: { readonly mode: string; readonly object: string; readonly size: number | null } | null;
}

/** A commit that is to be made anew on the remote. */
export interface CommitToMake {
  readonly id: string;
  readonly tree: string;
  readonly message: string;
  /** since the commit before it; a rename is two */
  readonly changes: readonly EntryChange[];
}

/** `why` is part of a sentence. */
export type CommitsSince =
  | {
      readonly known: true;
      readonly baseTree: string;
      /** oldest first */
      readonly commits: readonly CommitToMake[];
      /** how many commits became one, and why: there is a merge among them, or there are too many; null: none did */
      readonly squashed: { readonly from: number; readonly because: "merge" | "many" } | null;
    }
  /** `rewritten`: the commit does not hold the base */
  | { readonly known: false; readonly because: "rewritten" | "failed"; readonly why: string };

/** What became of putting the local branch on a commit of the remote; `absent`: there is no local branch of that name. */
export type BranchLanded =
  | { readonly landed: "moved" | "absent" }
  /** part of a sentence; nothing was moved */
  | { readonly landed: "not"; readonly why: string };

/** The contents by the ids that were asked for. */
export type Contents =
  | { readonly known: true; readonly contents: ReadonlyMap<string, Buffer> }
  | { readonly known: false; readonly why: string };
