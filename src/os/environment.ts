import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { coversVariable } from "../core/policy/secret-variables.ts";

/** What every child may know (threats, section 3). Names that end in `*` stand for all with that prefix. */
const PASSED: readonly string[] = [
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TMPDIR CI XDG_*".split(" "),
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS".split(" "),
  // By this one a runner finds and ends what a step has left behind.
  "RUNNER_TRACKING_ID",
];

/**
 * The environment for an agent or a check: an allow-list, so that tokens, `INPUT_*`, `ACTIONS_*`, `GITHUB_*`,
 * `NODE_OPTIONS`, `LD_*`, `BASH_ENV` and `GIT_*` are dropped without being known by name.
 *
 * `TERM` is `dumb` unless it is passed on purpose: nobody looks at a terminal.
 *
 * @param passEnv further names, `NAME` or `PREFIX_*`; a `*` alone passes nothing
 */
export function childEnvironment(env: NodeJS.ProcessEnv, passEnv: readonly string[]): Record<string, string> {
  const patterns = [...PASSED, ...passEnv];
  const passed: Record<string, string> = { TERM: "dumb" };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && patterns.some((pattern) => coversVariable(pattern, name))) passed[name] = value;
  }
  return passed;
}

/**
 * Finds a program by name.
 *
 * @param searchPath as in `PATH`
 * @returns an absolute path; undefined when not found
 */
export function findProgram(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => path.resolve(folder, name))
    .find(isProgram);
}

/** Whether there is a file that can be started. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
