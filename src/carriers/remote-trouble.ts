import type { GitResult } from "../platform/git.ts";
import { oneLine } from "../views/plain-text.ts";

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

interface Row extends Omit<Trouble, "inTree"> {
  readonly says: RegExp;
  readonly inTree?: true;
}

/** What git and GitHub say; the first row that matches counts. */
const TROUBLES: readonly Row[] = [
  {
    says: /returned error: 401|authentication failed|could not read (?:username|password)|invalid username or/iu,
    because: "refused",
    what: "the repository does not accept the token",
    next: "Give the job a token that is valid for this repository.",
  },
  {
    says: /deny updating a hidden ref/u,
    because: "refused",
    what: "the server keeps refs of that name to itself",
    next: "Leave the git ref out of the carriers.",
  },
  {
    says: /without `?workflows?`? permission|refusing to allow/u,
    because: "refused",
    what: "the token may not write workflow files",
    next: "Give a token with the permission `workflows`, or leave the work tree out with `checkpoint-tree: off`.",
    inTree: true,
  },
  {
    says: /GH013|rule violations/u,
    because: "refused",
    what: "a rule of the repository forbids it",
    next: "Leave `refs/smithers/**` out of the ruleset, or give the token of an app that may bypass it.",
    inTree: true,
  },
  {
    says: /GH001|file size limit|exceeds maximum allowed size|returned error: 413|hook declined/u,
    because: "refused",
    what: "the server declines what is pushed",
    next: "See what the server says about it.",
    inTree: true,
  },
  {
    says: /shallow update not allowed|missing necessary objects|unpacker error|did not receive expected object/u,
    because: "refused",
    what: "the server lacks the commit that is checked out",
    next: "Push it before the loop begins.",
    inTree: true,
  },
  {
    says: /returned error: 403|write access to repository not granted|permission to .+ denied/iu,
    because: "refused",
    what: "the token may not do that in this repository",
    next: "Add `contents: write` to the job's `permissions:`.",
  },
  {
    says: /returned error: 404|repository '[^']*' not found|repository not found/iu,
    because: "refused",
    what: "with this token the repository cannot be found",
    next: "Add `contents: write` to the job's `permissions:`.",
  },
  {
    says: /\(stale info\)|\(fetch first\)|\(non-fast-forward\)|cannot lock ref|failed to update ref|reference already/u,
    because: "superseded",
    what: "another run has gone on with this loop",
    next: "",
  },
];

/** No answer, or none that says why. */
export function unreachable(what: string): Trouble {
  return { because: "unreachable", what, next: "", inTree: false };
}

const SAID_LIMIT = 400;

/** What a network command of git that failed was told. */
export function troubleOf({ stdout, stderr }: GitResult): Trouble {
  const said = `${stderr}\n${stdout}`;
  const row = TROUBLES.find(({ says }) => says.test(said));
  if (row === undefined) return unreachable(detail(stderr));
  const { because, what, next, inTree = false } = row;
  return { because, what: because === "superseded" ? what : `${what} (${detail(stderr)})`, next, inTree };
}

/** Whether git says that the ref does not exist. */
export function isAbsentRef({ stderr }: GitResult): boolean {
  return /couldn't find remote ref/u.test(stderr);
}

function detail(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => !/^(?:To |error: failed to push|hint:|Everything)/u.test(line));
  const text = oneLine(lines.join("; ")).replace(/^fatal: /u, "");
  return text === "" ? "git gave no reason" : text.slice(0, SAID_LIMIT);
}
