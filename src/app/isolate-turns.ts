import { type ProviderContext, turnsInIsolation, type TurnsInIsolation } from "../agents/registry.ts";
import type { Problem } from "../core/errors.ts";
import { failed, type Result } from "../core/result.ts";
import { type Isolation, prepareIsolation } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
import { cureOf, type Isolated, isolationAround, type IsolationNotice, OPEN } from "./isolate-checks.ts";

/** Isolates the turns of a loop's agent, or says why not. */
export interface IsolatedTurns {
  /** undefined: they run as the loop's user */
  readonly isolation: () => Promise<Isolation | undefined>;
  /** Tells what is not isolated, before anything is spent. @returns what `require-isolation` does not put up with */
  readonly announce: () => Promise<readonly Problem[]>;
}

const NOTHING: IsolatedTurns = { isolation: async () => undefined, announce: async () => [] };

/**
 * Turns have layers of their own over HOME and tool caches: what a turn installs there is not what proves its work.
 *
 * @param notice tells a person
 */
export function isolateTurns(isolated: Isolated, context: ProviderContext, notice: IsolationNotice): IsolatedTurns {
  const { agentIsolation, agentAccess, requireIsolation } = isolated.config;
  const turns = turnsInIsolation(context);
  if (turns === undefined) return NOTHING;
  let prepared: Promise<Result<Isolation>> | undefined;
  const preparing = () => (prepared ??= prepareOrRepair(isolated, context, turns));
  const announceOff = (because: string): readonly Problem[] => {
    if (requireIsolation) return [required(because)];
    notice(`${said(because)} ${cureOf(because)} With require-isolation a run refuses to start like this.`, true);
    return [];
  };
  if (agentIsolation === "off") return { ...NOTHING, announce: async () => announceOff("agent-isolation is off") };
  return {
    async isolation() {
      const tried = await preparing();
      return tried.ok ? tried.value : undefined;
    },
    async announce() {
      const tried = await preparing();
      if (!tried.ok) return announceOff(tried.trouble.because);
      if (!tried.value.overlays) notice(EMPTY_HOME);
      return agentAccess.includes("docker") ? announceOff("agent-access has docker: they are root here") : [];
    },
  };
}

const EMPTY_HOME =
  "in the agent's turns HOME is empty and tool caches are read-only, because folders cannot be overlaid here; agent-access opens what the agent needs of them.";

function said(because: string): string {
  return `the agent's turns are not isolated (${because}): what runs outside of the agent's own sandbox is you, and ${OPEN}.`;
}

function required(because: string): Problem {
  return {
    code: "ISOLATION_REQUIRED",
    what: `require-isolation is on, and the agent's turns cannot be isolated: ${because}. Nothing was started.`,
    next: `${cureOf(because)} Or run without require-isolation.`,
  };
}

async function prepareOrRepair(isolated: Isolated, context: ProviderContext, turns: TurnsInIsolation) {
  const tried = await prepare(isolated, context, turns);
  return !tried.ok && (await isolated.repairMachine?.()) === true ? prepare(isolated, context, turns) : tried;
}

async function prepare(isolated: Isolated, context: ProviderContext, turns: TurnsInIsolation) {
  const around = await isolationAround(isolated);
  const { root, folder } = isolated.place;
  // In a job it lies in what is hidden, and a command is told where.
  const own = isWithin(folder, root) ? [] : [folder];
  const tryWith = async (overlays: boolean): Promise<Result<Isolation>> => {
    const { access, overlaid } = await turns.needs(overlays);
    return prepareIsolation({
      ...around,
      env: turns.env,
      mark: `${context.mark}/isolation`,
      toolCaches: [...around.toolCaches, ...overlaid],
      access: [...access, ...own, ...isolated.config.agentAccess],
    });
  };
  const first = await tryWith(true);
  const tried = first.ok && !first.value.overlays ? await tryWith(false) : first;
  if (!tried.ok) return tried;
  const because = await turns.unfit(tried.value);
  return because === undefined ? tried : failed({ because });
}
