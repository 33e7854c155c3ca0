import type { AgentEvent, Usage } from "../core/agent.ts";
import type { Provider } from "../core/ports.ts";

/**
 * A provider that says what each attempt cost. An agent that says so itself is believed; what it used is priced
 * otherwise.
 *
 * @param priced what a use costs in millionths of a USD, by the agent's name, null: the settings' own; undefined: not known
 */
export function withCost(
  provider: Provider,
  priced: (agent: string | null, usage: Usage) => number | undefined,
): Provider {
  return {
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    async *runTurn(request, signal) {
      for await (const event of provider.runTurn(request, signal)) yield withCostOf(event, request.provider ?? null);
    },
  };

  function withCostOf(event: AgentEvent, agent: string | null): AgentEvent {
    const isEnd = event.type === "turn.completed" || event.type === "turn.failed";
    if (!isEnd || event.cost !== undefined) return event;
    const cost = priced(agent, event.usage);
    return cost === undefined ? event : { ...event, cost };
  }
}
