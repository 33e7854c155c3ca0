import path from "node:path";
import { agentCredentials, findBubblewrap } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import { LOOPR_FILE, SOLO_FILE } from "../config/foreign.ts";
import type { Environment } from "../config/read.ts";
import type { Problem } from "../core/errors.ts";
import { HOME_FOLDER } from "../core/names.ts";
import { failed, type Result } from "../core/result.ts";
import { findRepository, steeringIn } from "../git/repository.ts";
import { runnersOwn } from "../os/isolation/hidden.ts";
import { changeable, type Isolation, type IsolationOptions, realName } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
import { findOuter, keepProgramsOutsideToo, STARTED_BY_NAME } from "../os/programs.ts";
import { saidByPerson } from "../store/consents.ts";
import type { LoopPlace } from "../store/place.ts";
import { LOOPS_AT_WORK } from "../store/work-tree-lock.ts";
import { looprRoot } from "./locate.ts";

/** What a loop starts in isolation: its checks, or its agent's turns. */
export interface Isolated {
  /** undefined: they run as the loop's user; prepared once */
  readonly isolation: () => Promise<Isolation | undefined>;
  /** Tells what is not isolated, before anything is spent. @returns what `require-isolation` does not put up with */
  readonly announce: () => Promise<readonly Problem[]>;
  /** whether they run as the loop's user, as far as that was announced */
  readonly isOpen: () => boolean;
  /** What is not isolated here, for who only asks; undefined: nothing */
  readonly lack: () => Promise<Lack | undefined>;
}

interface Lack {
  readonly why: string;
  readonly next: string;
}

/** The loop. */
export interface Isolating {
  readonly place: LoopPlace;
  readonly config: Config;
  readonly env: Environment;
  /** makes the machine let programs isolate themselves; whether something has changed */
  readonly repairMachine?: (() => Promise<boolean>) | undefined;
}

/** What is isolated, and how. */
interface Subject {
  readonly name: "checks" | "the agent's turns";
  /** what it means when they are not */
  readonly means: string;
  /** why the settings leave them as they are; undefined: they do not */
  readonly off: string | undefined;
  /** what opens more to them */
  readonly opens: "check-access" | "agent-access";
  readonly prepare: () => Promise<Result<Isolation>>;
  /** what an isolation leaves them less than it could, and the cure */
  readonly less: (isolation: Isolation) => Lack | undefined;
}

/** There is nothing to isolate. */
export const NOTHING_ISOLATED: Isolated = {
  isolation: async () => undefined,
  announce: async () => [],
  isOpen: () => false,
  lack: async () => undefined,
};

/** What is open to what runs as the loop's user. */
export const OPEN = "can read what you can, this run's secrets included";
const IN_JOB = ", and the repository's token from the environment of git while that fetches or pushes";

/** @param notice tells a person */
export function isolate(
  subject: Subject,
  { config, env, repairMachine }: Isolating,
  notice: (text: string) => void,
): Isolated {
  const { name, means, off, prepare } = subject;
  let prepared: ReturnType<typeof prepare> | undefined;
  let isOpen = false;
  const once = async () => {
    const tried = await prepare();
    return !tried.ok && (await repairMachine?.()) === true ? prepare() : tried;
  };
  const preparing = () => (prepared ??= off === undefined ? once() : Promise.resolve(failed({ because: off })));
  return {
    async isolation() {
      const tried = off === undefined ? await preparing() : undefined;
      return tried?.ok === true ? tried.value : undefined;
    },
    async announce() {
      const tried = await preparing();
      const because = await whyNot(subject, { config, env }, tried);
      const less = tried.ok ? subject.less(tried.value) : undefined;
      if (less !== undefined) notice(`${less.why}. ${less.next}`);
      isOpen = because !== undefined;
      if (because === undefined) return [];
      if (config.requireIsolation) return [required(name, because)];
      notice(
        `${name} are not isolated (${because}): ${means}${env["GITHUB_ACTIONS"] === "true" ? IN_JOB : ""}. ${cureOf(because)} require-isolation refuses such runs.`,
      );
      return [];
    },
    isOpen: () => isOpen,
    async lack() {
      const tried = await preparing();
      const because = await whyNot(subject, { config, env }, tried);
      if (because !== undefined) return { why: because, next: cureOf(because) };
      return tried.ok ? subject.less(tried.value) : undefined;
    },
  };
}

/** Why isolation keeps nothing, or too little, from them. */
async function whyNot(
  { opens }: Subject,
  { config, env }: Pick<Isolating, "config" | "env">,
  tried: Result<Isolation>,
): Promise<string | undefined> {
  if (!tried.ok) return tried.trouble.because;
  const words = opens === "check-access" ? config.checkAccess : config.agentAccess;
  if (words.includes("docker")) return `${opens} has docker: they are root here`;
  const opened = await openedOfOurs(changeable(words), env);
  if (opened !== undefined)
    return `${opens} opens ${opened} for changes, which says what later steps and runs believe and start`;
  return tried.value.changesHome
    ? "your home is what they work on: they can change what your shell and your programs start with"
    : undefined;
}

/** The folder among these by which what is kept from turns and checks could be changed; undefined: there is none. */
async function openedOfOurs(folders: readonly string[], env: Environment): Promise<string | undefined> {
  const { RUNNER_TEMP: temp } = env;
  const ours = [
    ...(temp ? RUNNERS.map((name) => [temp, path.join(temp, name)] as const) : []),
    ...saidByPerson(env).map((folder) => [folder, folder] as const),
  ];
  const real = await Promise.all(
    ours.map(async ([hidden, kept]) => [await realName(hidden), await realName(kept)] as const),
  );
  for (const folder of folders) {
    const opened = await realName(folder);
    // What is hidden stays so in a folder that is opened around it.
    const isOurs = ([hidden, kept]: readonly [string, string]): boolean =>
      isWithin(opened, hidden) && (isWithin(kept, opened) || isWithin(opened, kept));
    if (real.some(isOurs)) return folder;
  }
  return undefined;
}

/** Of the runner's temp folder: what main hands over, and files of commands, which every later step obeys. */
const RUNNERS = ["smithers", "_runner_file_commands"];

function required(name: Subject["name"], because: string): Problem {
  return {
    code: "ISOLATION_REQUIRED",
    what: `require-isolation is on, and ${name} cannot be isolated here: ${because}. Nothing was started.`,
    next: `${cureOf(because)} Or run without require-isolation.`,
  };
}

const CURES: readonly (readonly [RegExp, string])[] = [
  [/whole file system/u, "Work in a folder of its own: name it with --cd, or move .git out of /."],
  [
    /your home/u,
    "Give the work a folder and a repository of its own: git init in the workspace, or name it with --cd.",
  ],
  [/believe and start/u, "Open a folder of its own for them, below the runner's temp folder or elsewhere."],
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
function cureOf(because: string): string {
  const found = CURES.find(([said]) => said.test(because))?.[1];
  return found ?? "Allow user namespaces to this user, and install bubblewrap 0.11 or newer.";
}

/**
 * From here on no program of ours is taken from what turns and checks can change by these settings, and the usual ones are
 * found before the first turn (T12).
 */
export async function keepProgramsOutsideOf({ place, config, env }: Isolating): Promise<void> {
  // Where git does not answer, what needs it says so.
  const repository = await findRepository(place.root).catch(() => undefined);
  const git = repository === undefined ? [] : [repository.gitDir, repository.commonDir];
  // A work tree beside the checkout is another folder than that.
  keepProgramsOutsideToo([place.root, ...changeable([...config.agentAccess, ...config.checkAccess]), ...git]);
  for (const name of STARTED_BY_NAME) findOuter(name, env["PATH"]);
}

/** What checks and turns find alike. */
export async function isolationAround({
  place,
  config,
  env,
}: Isolating): Promise<Omit<IsolationOptions, "env" | "mark" | "access">> {
  const { root, stateFile, folder } = place;
  // Where git does not answer, what needs it says so.
  const repository = await findRepository(root).catch(() => undefined);
  const states = path.dirname(stateFile);
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
      // Which loops are at work is not theirs to say.
      ...(repository === undefined ? [] : [path.join(repository.gitDir, LOOPS_AT_WORK)]),
      // A person's git, and that of later steps, runs what these name.
      ...(repository === undefined ? [] : await steeringIn(repository)),
      ...[config.configFile, SOLO_FILE, config.soloConfig ?? SOLO_FILE].map((name) => path.resolve(root, name)),
      // What of Loopr's folder is not there, or not a folder, is no configuration.
      path.join(await looprRoot(root, config.looprRoot).catch(() => root), LOOPR_FILE),
      // A workflow may use the Action from its own repository; post runs what is there.
      ...(env["GITHUB_ACTIONS"] === "true" ? [path.resolve(process.argv[1] ?? "", "../..")] : []),
    ],
    hidden: [
      ...[...named("RUNNER_TEMP"), ...saidByPerson(env), ...agentCredentials(env)],
      ...(temp ? await runnersOwn(temp, used) : []),
    ],
    toolCaches: [...named("RUNNER_TOOL_CACHE"), ...named("AGENT_TOOLSDIRECTORY")],
  };
}
