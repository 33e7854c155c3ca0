import path from "node:path";
import { agentCredentials, agentRecords, checkEnvironment, findBubblewrap } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { UsageError } from "../core/errors.ts";
import { HOME_FOLDER } from "../core/names.ts";
import { failed, type Result } from "../core/result.ts";
import { findRepository, steeringIn } from "../git/repository.ts";
import { runnersOwn } from "../os/isolation/hidden.ts";
import { type Isolation, type IsolationOptions, prepareIsolation } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
import { consentsFolder } from "../store/consents.ts";
import { type LoopPlace, marksOf } from "../store/place.ts";
import { SOLO_FILE } from "../config/foreign.ts";

/** Isolates a loop's checks, or says why not. */
export interface ChecksIsolation {
  /** undefined: they run as the loop's user; prepared once */
  readonly isolation: () => Promise<Isolation | undefined>;
  /** Tells what is not isolated, before anything is spent. @throws UsageError where `require-isolation` wants more */
  readonly announce: () => Promise<void>;
}

export interface Isolated {
  readonly place: LoopPlace;
  readonly config: Config;
  readonly env: Environment;
  /** makes the machine let programs isolate themselves; whether something has changed */
  readonly repairMachine?: (() => Promise<boolean>) | undefined;
}

/** @param notice tells a person */
export function isolateChecks(isolated: Isolated, notice: (text: string) => void): ChecksIsolation {
  const { checkSandbox, requireIsolation } = isolated.config;
  let prepared: ReturnType<typeof prepare> | undefined;
  const preparing = () => (prepared ??= prepareOrRepair(isolated));
  const unisolated = (because: string): void => {
    if (requireIsolation) throw notIsolated(because);
    notice(unisolatedNotice(because));
  };
  if (checkSandbox === "strict" || checkSandbox === "on") {
    const because = whyStrictIsNone(isolated.config);
    return {
      isolation: async () => undefined,
      announce: async () => (because === "" ? undefined : unisolated(because)),
    };
  }
  return {
    async isolation() {
      if (checkSandbox === "off") return undefined;
      const tried = await preparing();
      return tried.ok ? tried.value : undefined;
    },
    async announce() {
      const tried = checkSandbox === "off" ? OFF : await preparing();
      if (tried.ok) {
        if (tried.value.lacks !== "") notice(`${tried.value.lacks}. ${LACKS_CURE}`);
        if (isolated.config.checkAccess.includes("docker")) unisolated("check-access has docker: they are root here");
        return;
      }
      unisolated(tried.trouble.because);
    },
  };
}

/** Why the agent's own sandbox keeps nothing from checks; "": it does. */
function whyStrictIsNone({ sandbox }: Config): string {
  return sandbox === "danger-full-access"
    ? "check-sandbox strict is the agent's own, and sandbox danger-full-access ends it"
    : "";
}

const OFF: Result<Isolation> = failed({ because: "check-sandbox is off" });
const LACKS_CURE = "util-linux (unshare, mount) and a folder /var/tmp on a disk give them all of it.";
const MEANS =
  "they run as you, and what the agent wrote into them can read what you can read, secrets of this run included";

function unisolatedNotice(because: string): string {
  return `checks are not isolated (${because}): ${MEANS}. ${cureOf(because)} With require-isolation a run refuses to start like this.`;
}

const CURES: readonly (readonly [RegExp, string])[] = [
  [/has docker/u, "Leave docker out, or run the loop on a machine that you can throw away."],
  [/danger-full-access/u, "check-sandbox auto isolates them, and sandbox workspace-write makes strict hold."],
  [/check-sandbox is off/u, "check-sandbox auto isolates them."],
  [/agent-isolation is off/u, "agent-isolation auto isolates them."],
  [/as root/u, "Run the loop as a user that is not root."],
  [
    /no bubblewrap for/u,
    "Only Linux can: run the loop there, or in a container or a virtual machine without your secrets.",
  ],
  [/was not found/u, "Install bubblewrap 0.11 or newer; Codex brings one."],
  [/ENOSPC|No space left/u, "Allow user namespaces: sudo sysctl -w user.max_user_namespaces=15000."],
  [
    /uid map|uid_map|Permission denied/u,
    "On Ubuntu 24.04: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bubblewrap that allows userns.",
  ],
  [
    /Operation not permitted|No permissions|mount proc/u,
    "In a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined; elsewhere allow user namespaces.",
  ],
];

/** What a person can do about it. */
export function cureOf(because: string): string {
  const found = CURES.find(([said]) => said.test(because))?.[1];
  return found ?? "Allow user namespaces to this user, and install bubblewrap 0.11 or newer.";
}

function notIsolated(why: string): UsageError {
  return new UsageError({
    code: "ISOLATION_REQUIRED",
    what: `require-isolation is on, and checks cannot be isolated here: ${why}. Nothing was started.`,
    next: `${cureOf(why)} Or run without require-isolation.`,
  });
}

async function prepareOrRepair(isolated: Isolated): ReturnType<typeof prepare> {
  const tried = await prepare(isolated);
  return !tried.ok && (await isolated.repairMachine?.()) === true ? prepare(isolated) : tried;
}

/** Whether checks can be isolated here, for who only asks. @returns why not, and the cure; undefined: they can */
export async function whyNoIsolation(isolated: Isolated): Promise<{ why: string; next: string } | undefined> {
  const { checkSandbox } = isolated.config;
  if (checkSandbox === "strict" || checkSandbox === "on") {
    const why = whyStrictIsNone(isolated.config);
    return why === "" ? undefined : { why, next: cureOf(why) };
  }
  const tried = checkSandbox === "off" ? OFF : await prepare(isolated);
  if (!tried.ok) return { why: tried.trouble.because, next: cureOf(tried.trouble.because) };
  const { lacks } = tried.value;
  return lacks === "" ? undefined : { why: lacks, next: LACKS_CURE };
}

async function prepare(isolated: Isolated) {
  const { place, config, env } = isolated;
  const around = await isolationAround(isolated);
  return prepareIsolation({
    ...around,
    hidden: [...around.hidden, ...agentRecords(env, place.root), ...otherAgents(env)],
    env: checkEnvironment(env, config.passEnv),
    mark: marksOf(place).checks,
    access: config.checkAccess,
    freshSettings: true,
  });
}

/** Logins of agents that a command may start: turns need them, checks do not. */
function otherAgents({ HOME: home }: Environment): readonly string[] {
  return home
    ? [".claude", ".claude.json", ".gemini", ".config/github-copilot"].map((name) => path.join(home, name))
    : [];
}

/** What checks and turns find alike. */
export async function isolationAround({
  place,
  config,
  env,
}: Isolated): Promise<Omit<IsolationOptions, "env" | "mark" | "access">> {
  const { root, stateFile, folder } = place;
  // Where git does not answer, what needs it says so.
  const repository = await findRepository(root).catch(() => undefined);
  const states = path.dirname(stateFile);
  const consents = [consentsFolder(env)].filter((one) => one !== undefined);
  const { RUNNER_TEMP: temp, GITHUB_WORKSPACE: checkout } = env;
  const used = [root, process.argv[1] ?? root, ...(checkout ? [checkout] : [])];
  const named = (name: string): readonly string[] => (env[name] ? [env[name]] : []);
  return {
    bubblewrap: findBubblewrap(env["PATH"] ?? ""),
    cwd: root,
    writable: repository === undefined ? [] : [repository.top, repository.gitDir, repository.commonDir],
    // The folder, where it is not the workspace itself: a mount on a file is gone once the file is replaced.
    readOnly: [
      path.join(root, HOME_FOLDER),
      isWithin(root, states) ? stateFile : states,
      folder,
      // A person's git, and that of later steps, runs what these name.
      ...(repository === undefined ? [] : await steeringIn(repository)),
      ...[config.configFile, SOLO_FILE].map((name) => path.resolve(root, name)),
      // A workflow may use the Action from its own repository; post runs what is there.
      ...(env["GITHUB_ACTIONS"] === "true" ? [path.resolve(process.argv[1] ?? "", "../..")] : []),
    ],
    hidden: [
      ...[...named("RUNNER_TEMP"), ...consents, ...agentCredentials(env)],
      ...(temp ? await runnersOwn(temp, used) : []),
    ],
    toolCaches: [...named("RUNNER_TOOL_CACHE"), ...named("AGENT_TOOLSDIRECTORY")],
  };
}
