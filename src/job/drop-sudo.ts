import { connect } from "node:net";
import { askProgram } from "../agents/run-tool.ts";
import type { Config } from "../config/config.ts";
import { UsageError } from "../core/errors.ts";
import { childEnvironment } from "../os/environment.ts";
import { findOuter } from "../os/programs.ts";
import type { Teller } from "../os/teller.ts";

/** The machine whose user may become root. */
export interface SudoMachine {
  readonly env: NodeJS.ProcessEnv;
  /** the user's number; undefined: the system has none */
  readonly user: number | undefined;
  /** names the processes, see `supervise` */
  readonly mark: string;
  /** where sudo reads further rules, in the order of their names */
  readonly rules?: string;
  /** sockets of programs that do as root what they are told */
  readonly sockets?: readonly string[];
}

const ANSWER_MS = 10_000;
const RULES = "/etc/sudoers.d";
const SOCKETS: readonly string[] = ["/run/docker.sock"];

/**
 * Run by root. A rule that denies everything and comes last; it is looked at before it counts. Sockets get one more entry
 * in their list of who may do what: mode, owner and folder stay, because the runner's own programs need them (T18).
 */
const DROP = `set -eu
rules=$1 user=$2
shift 2
for socket; do if [ -S "$socket" ]; then setfacl -m "u:$user:---" "$socket"; fi; done
printf '#%s ALL=(ALL:ALL) !ALL\\n' "$user" > "$rules/zzzz-smithers.new"
chmod 0440 "$rules/zzzz-smithers.new"
visudo -c -q -f "$rules/zzzz-smithers.new" || { rm "$rules/zzzz-smithers.new"; exit 1; }
mv "$rules/zzzz-smithers.new" "$rules/zzzz-smithers"`;

/**
 * Takes sudo and Docker from the job's user, on GitHub's own machines and with the setting `drop-sudo`; says so, or what
 * would be better with it where something that the agent writes runs without isolation. Whatever needs root has to be done before, the repair of the agent's sandbox as well: nobody
 * gets it back in this job.
 *
 * @throws UsageError `SUDO_NOT_DROPPED` when the user can still become root
 */
export async function dropSudo(
  config: Pick<Config, "dropSudo"> & { readonly isUnisolated: boolean },
  machine: SudoMachine,
  { line, notice }: Pick<Teller, "line" | "notice">,
): Promise<void> {
  const { env, user, sockets = SOCKETS } = machine;
  const isHosted = env["RUNNER_ENVIRONMENT"] === "github-hosted";
  if (!config.dropSudo) {
    if (isHosted && user !== 0 && config.isUnisolated) line(RECOMMENDED);
    return;
  }
  if (!isHosted)
    return notice(`${NOTHING} this is no machine of GitHub's own, and others may need sudo on it. ${ELSE}`);
  if (user === undefined || user === 0) return notice(`${NOTHING} the job runs as root. ${ELSE}`);
  const ways = await waysToRoot(machine, sockets);
  const said = ways.length === 0 ? "" : await drop(machine, user, sockets);
  const left = ways.length === 0 ? [] : await waysToRoot(machine, sockets);
  if (left.length > 0) throw notDropped(left, said);
  notice(DROPPED);
}

/** What lets the user become root, found out by trying. */
async function waysToRoot(machine: SudoMachine, sockets: readonly string[]): Promise<readonly string[]> {
  const [sudo, ...open] = await Promise.all([
    bySudo(machine, ["true"]).then((answer) => (answer?.exitCode === 0 ? ["sudo"] : [])),
    ...sockets.map(async (socket) => ((await isOpen(socket)) ? [socket] : [])),
  ]);
  return [...sudo, ...open.flat()];
}

/** @returns what went wrong, as far as it was said */
async function drop(machine: SudoMachine, user: number, sockets: readonly string[]): Promise<string> {
  const args = ["/bin/sh", "-c", DROP, "sh", machine.rules ?? RULES, `${user}`, ...sockets];
  const answer = await bySudo(machine, args);
  return answer?.exitCode === 0 ? "" : (answer?.stderr.trim().split("\n").at(-1) ?? "there is no sudo");
}

/** Undefined: there is no sudo. */
async function bySudo({ env, mark }: SudoMachine, args: readonly string[]) {
  const sudo = findOuter("sudo", env["PATH"]);
  if (sudo === undefined) return undefined;
  const { signal } = new AbortController();
  const call = { args: ["-n", ...args], cwd: "/", timeoutMs: ANSWER_MS, signal, mark };
  return askProgram({ ...call, command: sudo.file, env: { ...childEnvironment(env, []), PATH: sudo.path } });
}

function isOpen(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.setTimeout(ANSWER_MS, () => connection.destroy());
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", () => resolve(false));
    connection.once("close", () => resolve(false));
  });
}

const NOTHING = "drop-sudo does nothing here:";
const ELSE = "What the agent writes is kept from root by isolation alone, see check-sandbox.";
const DROPPED =
  "drop-sudo: this job's user cannot become root any more, by sudo or by Docker. It holds until the job ends, for later steps as well; do what needs root in a step before this one.";
const RECOMMENDED =
  "something that the agent writes runs without isolation here, and this machine's user becomes root without a password: drop-sudo: on would end that for the rest of the job";

function notDropped(left: readonly string[], said: string): UsageError {
  const why = said === "" ? "" : ` (${said})`;
  return new UsageError({
    code: "SUDO_NOT_DROPPED",
    what: `drop-sudo is on, but this job's user can still become root by ${left.join(" and ")}${why}. No turn was taken, and nothing was spent.`,
    next: "Look at what earlier steps have changed in /etc/sudoers and in the groups, or run without drop-sudo.",
  });
}
