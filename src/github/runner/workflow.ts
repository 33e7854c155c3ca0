import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The running workflow. In a reusable workflow it is the caller's, while `job` is the called one's. */
export interface Workflow {
  /** in the repository: `.github/workflows/smithers.yml`; "" when the runner does not let it be known */
  readonly path: string;
  /** `smithers.yml`, or "" */
  readonly file: string;
  /** what the repository's copy of it was taken from, as in `refs/heads/main` */
  readonly ref: string;
}

/** Where the runners that we know look for workflows. */
const FOLDERS = [".github/workflows", ".gitea/workflows", ".forgejo/workflows"];
const WORKFLOW_FILE = /^[^/]+\.ya?ml$/u;
/** A name stands near the beginning. */
const READ_BYTES = 16_384;
const MOST_FILES = 200;

/** What a `GITHUB_WORKFLOW_REF` says, as in `octo/demo/.github/workflows/smithers.yml@refs/heads/main`; undefined: nothing. */
export function workflowAt(said: string): Workflow | undefined {
  const [, file, ref = ""] = /^[^/]+\/[^/]+\/(.+?)@(.+)$/su.exec(said) ?? [];
  return file === undefined ? undefined : aWorkflow(file, ref);
}

/**
 * The workflow of a runner that gives only its name (act, Gitea, Forgejo): the one file of the checkout that has this name, or
 * is called so. Where several or none do, its path is not known.
 *
 * @param name as in `GITHUB_WORKFLOW`: the workflow's name, its file's name or its path
 */
export function workflowNamed(name: string, { workspace, ref }: { workspace: string; ref: string }): Workflow {
  const files = FOLDERS.flatMap((folder) => workflowsIn(workspace, folder));
  const called = files.filter((file) => file === name || path.posix.basename(file) === name);
  const named =
    called.length > 0 ? called : files.filter((file) => nameIn(headOf(path.join(workspace, file))) === name);
  return aWorkflow(named.length === 1 ? (named[0] ?? "") : "", ref);
}

function aWorkflow(file: string, ref: string): Workflow {
  return { path: file, file: path.posix.basename(file), ref };
}

function workflowsIn(workspace: string, folder: string): readonly string[] {
  try {
    const names = readdirSync(path.join(workspace, folder)).filter((name) => WORKFLOW_FILE.test(name));
    return names.slice(0, MOST_FILES).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

/** The checkout is not ours: neither a pipe nor a link is followed. */
function headOf(file: string): string {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      return fstatSync(descriptor).isFile() ? readFileSync(descriptor, "utf8").slice(0, READ_BYTES) : "";
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

/** Only its first key of this name counts; a name that goes over several lines is not found. */
function nameIn(text: string): string | undefined {
  const value = /^name:[ \t]+(?<value>\S.*)$/mu.exec(text)?.groups?.["value"]?.trimEnd();
  const quoted = /^(?<quote>["'])(?<inner>.*)\k<quote>(?:[ \t]+#.*)?$/u.exec(value ?? "")?.groups?.["inner"];
  return quoted ?? value?.replace(/[ \t]+#.*$/u, "");
}
