import type { Provider } from "../core/ports.ts";

/** A provider that says what it is asked before each turn. */
export function tellingPrompts(provider: Provider, tell: (iteration: number, prompt: string) => void): Provider {
  return {
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    runTurn(request, signal) {
      tell(request.iteration, request.prompt);
      return provider.runTurn(request, signal);
    },
  };
}
