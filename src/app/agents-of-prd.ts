import { configOfAgent } from "../agents/several.ts";
import { type Config, isSaidNow } from "../config/config.ts";
import { judge } from "../config/rules.ts";
import { isProviderName, type ProviderName } from "../config/settings/agent.ts";
import { type Problem, UsageError } from "../core/errors.ts";
import type { LoopState } from "../core/state.ts";
import { recordsById } from "../core/story/stories.ts";
import { providerOf, type Prd } from "../core/story/story.ts";
import type { PrdInUse } from "./prd/read-prd.ts";
import type { Settings } from "./read-settings.ts";

interface Known {
  readonly settings: Settings;
  readonly prd: PrdInUse | null;
  readonly stored: LoopState | undefined;
}

/**
 * Settles who takes the turns of a PRD (D-36, D-41): a story says so, else its PRD, else the settings. What is said for
 * this run outranks both; a file's setting does not. It is told whenever it is not the settings' own agent.
 *
 * @returns the PRD with the choices that count
 * @throws UsageError with everything that keeps an agent of its choice from working with these settings
 */
export function withAgents({ settings, prd, stored }: Known): Pick<Known, "settings" | "prd"> {
  if (prd === null) return { settings, prd };
  const { config, sources } = settings;
  const { prd: document } = prd.document;
  const left = storiesLeft(document, config.story, stored);
  const names = new Set(left.map(({ id }) => agentFor(document, id) ?? config.provider));
  const others = [...names].filter((name) => name !== config.provider);
  if (isSaidNow(sources.provider)) {
    const told = `${sources.provider.where} outranks what the PRD ${document.name} says of its agents: ${config.provider} takes all turns, and not ${others.join(" or ")}.`;
    return { settings: others.length === 0 ? settings : telling(settings, told), prd: withoutChoices(prd) };
  }
  if (others.length === 0) return { settings, prd };
  const problems = others.flatMap((name) => problemsOf(name, settings, document));
  if (problems.length > 0) throw new UsageError(problems);
  const told = `The PRD ${document.name} says who takes turns: ${others.map((name) => `${name} (${whereOf(name, document)})`).join("; ")}.`;
  return { settings: telling(settings, told), prd: { ...prd, agents: [...names] } };
}

/** Who takes the turns of a run. */
export function agentsOf(prd: PrdInUse | null, { provider }: Pick<Config, "provider">): readonly ProviderName[] {
  return prd?.agents ?? [provider];
}

/** The stories that a run may take a turn on; what the loop knows and what the file says can differ until it begins. */
function storiesLeft({ stories }: Prd, only: string | null, stored: LoopState | undefined) {
  const records = recordsById(stored?.stories ?? { records: [] });
  return stories.filter(({ id, passes }) => {
    const isOpen = !passes || (records.get(id)?.state ?? "passed") !== "passed";
    return isOpen && (only === null || id === only);
  });
}

/** The document's shape allows no other names. */
function agentFor(prd: Prd, id: string): ProviderName | null {
  const name = providerOf(prd, id);
  return isProviderName(name) ? name : null;
}

/** What is wrong with the settings, were the agent theirs. */
function problemsOf(name: ProviderName, { config, sources, surface }: Settings, prd: Prd): readonly Problem[] {
  const provider = { from: "file", where: whereOf(name, prd) } as const;
  const found = judge(
    { config: configOfAgent(config, name), sources: { ...sources, provider }, surface },
    new Set<string>(),
  );
  return found.flatMap((finding) => ("problem" in finding ? [finding.problem] : []));
}

/** Where the PRD names the agent first: `.daedalus/prds/shop/prd.json: US-002`. */
function whereOf(name: ProviderName, { folder, provider, stories }: Prd): string {
  const file = `${folder}/prd.json`;
  if (provider === name) return file;
  return `${file}: ${stories.find((story) => story.provider === name)?.id ?? ""}`;
}

function telling(settings: Settings, told: string): Settings {
  return { ...settings, notices: [...settings.notices, told] };
}

function withoutChoices(prd: PrdInUse): PrdInUse {
  const { document } = prd;
  const stories = document.prd.stories.map((story) => ({ ...story, provider: null }));
  return { ...prd, document: { ...document, prd: { ...document.prd, provider: null, stories } } };
}
