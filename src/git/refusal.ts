import type { Trouble } from "../core/result.ts";
import type { GitResult } from "./git.ts";

/** Why the remote did not do what it was asked. */
export interface RemoteRefusal extends Trouble {
  /**
   * `stale`: the ref was not where it was expected; `unreachable`: no answer, or none that says why; the others are
   * refusals that another attempt does not change
   */
  readonly kind:
    | "stale"
    | "unreachable"
    | "token"
    | "permission"
    | "not_found"
    | "hidden_ref"
    | "name_in_use"
    | "moved_away"
    | "workflow_files"
    | "ruleset"
    | "secret"
    | "archived"
    | "declined"
    | "incomplete";
  /** what a person does about it: a sentence; "" when there is nothing to do */
  readonly next: string;
}

interface Row extends RemoteRefusal {
  readonly says: RegExp;
}

/** What git and GitHub say; the first row that matches counts. */
const ROWS: readonly Row[] = [
  {
    says: /returned error: 401|authentication failed|could not read (?:username|password)|invalid username or/iu,
    kind: "token",
    because: "the repository does not accept the token",
    next: "Give the job a token that is valid for this repository.",
  },
  {
    says: /deny updating a hidden ref/u,
    kind: "hidden_ref",
    because: "the server keeps refs of that name to itself",
    next: "Choose another name for the branch.",
  },
  {
    says: /directory file conflict|' exists; cannot create '/u,
    kind: "name_in_use",
    because: "a branch that is there already makes this name impossible",
    next: "Rename or delete the branch that is in the way, or set `branch` to another name.",
  },
  {
    says: /returned error: 30[12378]|unable to update url base from redirection/u,
    kind: "moved_away",
    because: "the repository is at another address by now: somebody has renamed or moved it",
    next: "Let the workflow run again: GitHub names the new address to a new run.",
  },
  {
    says: /without `?workflows?`? (?:permission|scope)|refusing to allow/u,
    kind: "workflow_files",
    because: "the token may not write workflow files",
    next: "Give a token with the permission `workflows`, or leave the workflow files as they are.",
  },
  {
    says: /push cannot contain secrets|secret.scanning|secret detected/iu,
    kind: "secret",
    because: "GitHub found a secret in what is pushed",
    next: "Take the secret out of the work.",
  },
  {
    says: /must have (?:verified|valid) signatures/iu,
    kind: "ruleset",
    because: "a rule of the repository asks for signed commits",
    next: "Set `sign-commits: true`: then GitHub makes the loop's commits itself, and signs them.",
  },
  {
    says: /GH013|GH006|rule violations|protected branch/iu,
    kind: "ruleset",
    because: "a rule of the repository forbids it",
    next: "Leave the ref out of the ruleset, or give the token of an app that may bypass it.",
  },
  {
    says: /was archived so it is read-only/u,
    kind: "archived",
    because: "the repository is archived",
    next: "Unarchive it.",
  },
  {
    says: /GH001|file size limit|exceeds maximum allowed size|returned error: 413|hook declined/u,
    kind: "declined",
    because: "the server declines what is pushed",
    next: "See what the server says about it.",
  },
  {
    says: /shallow update not allowed|missing necessary objects|unpacker error|did not receive expected object/u,
    kind: "incomplete",
    because: "the server lacks the commit that the work began with",
    next: "Push it before the loop begins.",
  },
  {
    says: /returned error: 403|write access to repository not granted|permission to .+ denied/iu,
    kind: "permission",
    because: "the token may not write to the repository",
    next: "Add `contents: write` to the job's `permissions:`.",
  },
  {
    says: /returned error: 404|repository '[^']*' not found|repository not found/iu,
    kind: "not_found",
    because: "with this token the repository cannot be found",
    next: "Add `contents: write` to the job's `permissions:`.",
  },
  {
    says: /\(stale info\)|\(fetch first\)|\(non-fast-forward\)|cannot lock ref|failed to update ref|reference already|remote ref does not exist/u,
    kind: "stale",
    because: "somebody else moved it",
    next: "",
  },
];

const SAID_LIMIT = 400;
const NO_REASON = "git gave no reason";

/** Why a network command of git failed. */
export function remoteRefusalOf({ stdout, stderr }: GitResult): RemoteRefusal {
  const said = `${stderr}\n${stdout}`;
  const row = ROWS.find(({ says }) => says.test(said));
  if (row === undefined) return { kind: "unreachable", because: detail(stderr), next: "" };
  // Of a ref that it leaves, the server may say why in git's own list of refs alone.
  const [, reason = ""] = /\[remote rejected\] \((.+)\)$/mu.exec(stdout) ?? [];
  return worded(row, detail(stderr) === NO_REASON ? reason : stderr);
}

/** The same for GitHub's words in an answer of its API; undefined: not recognised. */
export function refusalSaying(said: string): RemoteRefusal | undefined {
  const row = ROWS.find(({ says }) => says.test(said));
  return row === undefined ? undefined : worded(row, said);
}

/** A refusal whose kind its words do not tell. */
export function refusalOfKind(kind: RemoteRefusal["kind"], said: string): RemoteRefusal {
  const row = ROWS.find((one) => one.kind === kind);
  return row === undefined ? { kind, because: detail(said), next: "" } : worded(row, said);
}

/** A refusal as part of a sentence that goes on with a full stop. */
export function withCure({ because, next }: Pick<RemoteRefusal, "because" | "next">): string {
  return next === "" ? because : `${because}. ${next.replace(/\.$/u, "")}`;
}

function worded({ kind, because, next }: Row, said: string): RemoteRefusal {
  return { kind, because: kind === "stale" ? because : `${because} (${detail(said)})`, next };
}

/** What git has said, on one line that disturbs no terminal. */
function detail(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => !/^(?:To |error: failed to push|hint:|Everything)/u.test(line));
  const text = lines.map((line) => line.replace(/^remote: */u, "").trim()).filter((line) => line !== "");
  const one = text
    .join("; ")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .replace(/^fatal: /u, "")
    .trim();
  return one === "" ? NO_REASON : one.slice(0, SAID_LIMIT);
}
