import path from "node:path";
import { agentCredentials, checkEnvironment, findBubblewrap } from "../agents/registry.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { UsageError } from "../core/errors.ts";
import { HOME_FOLDER } from "../core/names.ts";
import { failed, type Result } from "../core/result.ts";
import { findRepository } from "../git/repository.ts";
import { type Isolation, type IsolationOptions, prepareIsolation } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
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
}

/** @param notice tells a person */
export function isolateChecks({ place, config, env }: Isolated, notice: (text: string) => void): ChecksIsolation {
  const { checkSandbox, requireIsolation } = config;
  let prepared: ReturnType<typeof prepare> | undefined;
  const preparing = () => (prepared ??= prepare({ place, config, env }));
  if (checkSandbox === "strict" || checkSandbox === "on")
    return { isolation: async () => undefined, announce: async () => {} };
  return {
    async isolation() {
      if (checkSandbox === "off") return undefined;
      const tried = await preparing();
      return tried.ok ? tried.value : undefined;
    },
    async announce() {
      const tried = checkSandbox === "off" ? OFF : await preparing();
      if (tried.ok) {
        if (tried.value.lacks !== "") notice(`${tried.value.lacks}. Newer versions of bubblewrap (0.11) can.`);
        return;
      }
      const { because } = tried.trouble;
      if (requireIsolation) throw notIsolated(because);
      if (checkSandbox === "off") return;
      notice(
        `checks are not isolated (${because}): they run as you, and what the agent wrote into them can read what you can read, secrets of this run included. ${CURE}`,
      );
    },
  };
}

const OFF: Result<Isolation> = failed({ because: "check-sandbox is off" });
const CURE = "With require-isolation a run refuses to start like this.";

function notIsolated(why: string): UsageError {
  return new UsageError({
    code: "ISOLATION_REQUIRED",
    what: `require-isolation is on, and checks cannot be isolated here: ${why}. Nothing was started.`,
    next: "Allow user namespaces to this user, install bubblewrap 0.11 or newer, or run without require-isolation.",
  });
}

async function prepare(isolated: Isolated) {
  const { place, config, env } = isolated;
  return prepareIsolation({
    ...(await isolationAround(isolated)),
    env: checkEnvironment(env, config.passEnv),
    mark: marksOf(place).checks,
    access: config.checkAccess,
  });
}

/** What checks and turns find alike. */
export async function isolationAround({
  place,
  config,
  env,
}: Isolated): Promise<Omit<IsolationOptions, "env" | "mark" | "access">> {
  const { root, stateFile, folder } = place;
  const repository = await findRepository(root);
  const states = path.dirname(stateFile);
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
      ...[config.configFile, SOLO_FILE].map((name) => path.resolve(root, name)),
    ],
    hidden: [...named("RUNNER_TEMP"), ...agentCredentials(env)],
    toolCaches: [...named("RUNNER_TOOL_CACHE"), ...named("AGENT_TOOLSDIRECTORY")],
  };
}
