import { type ProviderContext, turnsInIsolation, type TurnsInIsolation } from "../agents/registry.ts";
import { configOfAgent } from "../agents/several.ts";
import type { ProviderName } from "../config/settings/agent.ts";
import type { Problem } from "../core/errors.ts";
import { failed, type Result } from "../core/result.ts";
import { type Isolation, prepareIsolation } from "../os/isolation/isolation.ts";
import { isWithin } from "../os/isolation/profile.ts";
import { isolate, type Isolated, type Isolating, isolationAround, NOTHING_ISOLATED, OPEN } from "./isolate.ts";

/**
 * Isolates the turns of a loop's agent. They have layers of their own over HOME and tool caches: what a turn installs there
 * is not what proves its work.
 *
 * @param notice tells a person
 */
export function isolateTurns(isolating: Isolating, context: ProviderContext, notice: (text: string) => void): Isolated {
  const turns = turnsInIsolation(context);
  if (turns === undefined) return NOTHING_ISOLATED;
  const off = isolating.config.agentIsolation === "off" ? "agent-isolation is off" : undefined;
  return isolate(
    {
      ...{ name: "the agent's turns", means: MEANS, off, opens: "agent-access" },
      prepare: () => prepare(isolating, context, turns),
      less: ({ overlays }) => (overlays ? undefined : EMPTY_HOME),
    },
    isolating,
    notice,
  );
}

/**
 * Isolates the turns of each agent of a loop in its own way: what one needs, its login for example, the others do not see.
 *
 * @param notice tells a person
 */
export function isolateAgents(
  isolating: Isolating,
  context: ProviderContext,
  names: readonly ProviderName[],
  notice: (text: string) => void,
) {
  const said = new Set<string>();
  // What is the same for all is told once.
  const once = (text: string): void => {
    if (!said.has(text)) notice(text);
    said.add(text);
  };
  const all = new Map(
    names.map((name) => [
      name,
      isolateTurns(isolating, { ...context, config: configOfAgent(context.config, name) }, once),
    ]),
  );
  return {
    isolationOf: (name: ProviderName) => all.get(name)?.isolation,
    async announce() {
      const found = new Map<string, Problem>();
      for (const turns of all.values()) for (const one of await turns.announce()) found.set(one.what, one);
      return [...found.values()];
    },
    isOpen: () => [...all.values()].some((turns) => turns.isOpen()),
  };
}

const MEANS = `what runs outside of the agent's own sandbox is you, and ${OPEN}`;
const EMPTY_HOME = {
  why: "in the agent's turns HOME is empty and tool caches are read-only, because folders cannot be overlaid here",
  next: "agent-access opens what the agent needs of them.",
};

async function prepare(isolating: Isolating, context: ProviderContext, turns: TurnsInIsolation) {
  const around = await isolationAround(isolating);
  const { root, folder } = isolating.place;
  // In a job it lies in what is hidden, and a command is told where.
  const own = isWithin(folder, root) ? [] : [folder];
  const tryWith = async (overlays: boolean): Promise<Result<Isolation>> => {
    const { access, overlaid, own: logins = [] } = await turns.needs(overlays);
    return prepareIsolation({
      ...around,
      hidden: around.hidden.filter((one) => !logins.includes(one)),
      env: turns.env,
      mark: `${context.mark}/isolation`,
      toolCaches: [...around.toolCaches, ...overlaid],
      access: [...access, ...own, ...isolating.config.agentAccess],
    });
  };
  const first = await tryWith(true);
  const tried = first.ok && !first.value.overlays ? await tryWith(false) : first;
  if (!tried.ok) return tried;
  const because = await turns.unfit(tried.value);
  return because === undefined ? tried : failed({ because });
}
