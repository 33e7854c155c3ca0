import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Somebody whom the runner's stages run as. */
export interface UserOfTheRunner {
  readonly uid: number;
  /** what makes a program theirs, to be put in front of it */
  readonly wrapper: readonly string[];
  /** Makes them the owner of folders and of all that is in them. */
  takes(folders: readonly string[]): Promise<void>;
}

/** The user that GitHub's own machines have. */
const RUNNER_UID = 1001;

/** The user without rights that a machine of GitHub works as. Only root can become that user. */
export function runnerUser(): UserOfTheRunner {
  return {
    uid: RUNNER_UID,
    wrapper: ["setpriv", `--reuid=${RUNNER_UID}`, `--regid=${RUNNER_UID}`, "--clear-groups"],
    takes: async (folders) => void (await run("chown", ["-R", "-h", `${RUNNER_UID}:${RUNNER_UID}`, ...folders])),
  };
}
