import { createProvider } from "../src/agents/registry.ts";
import { isolateTurns } from "../src/app/isolate-turns.ts";
import type { Config } from "../src/config/config.ts";
import { systemClock } from "../src/os/clock.ts";
import { placeOf } from "../src/store/place.ts";
import { resolve } from "../test/config/support.ts";
import { aTurnRequest, collect, theEnd } from "../test/contract/provider-contract.ts";
import { codexHome } from "../test/support/codex-home.ts";
import { gitRepository } from "../test/support/git-repository.ts";
import { answer, command, message, type Reply, startModelServer } from "../test/support/model-server.ts";
import { atMost, median, plain, type Figure } from "./figure.ts";

const TURNS = 15;

/** A turn in isolation against one as the loop's user: the real Codex with a command, and a program that does nothing. */
export async function measureTurn(say: (line: string) => void): Promise<readonly Figure[]> {
  const codex = await inPairs(say, "codex", { flags: { sandbox: "danger-full-access" }, env: {} });
  const env = { SMITHERS_PROVIDER_COMMAND: '["true"]' };
  const program = await inPairs(say, "a program", { flags: { provider: "command" }, env });
  return [
    plain("a turn of Codex with a command, as the loop's user", codex.outside, "ms"),
    atMost("isolation of it adds", codex.adds, "ms", 15),
    plain("a turn of a program that does nothing, as the loop's user", program.outside, "ms"),
    atMost("isolation of that adds", program.adds, "ms", 15),
  ];
}

/** The settings of a run. */
interface Asked {
  readonly flags: Record<string, string>;
  readonly env: Record<string, string>;
}

/** Alternating: what else the machine does meets both alike. */
async function inPairs(say: (line: string) => void, name: string, asked: Asked) {
  await using server = await startModelServer(workThenMessage());
  await using home = await codexHome(server);
  await using repository = await gitRepository();
  const { config }: { config: Config } = resolve(asked);
  const place = placeOf(repository.path, "bench", null);
  const env = home.env;
  const context = {
    ...{ config: { ...config, passEnv: ["MOCK_API_KEY"] }, workspaceRoot: place.root, folder: place.folder, env },
    ...{ mark: `bench-${process.pid}`, clock: systemClock },
  };
  const turns = isolateTurns({ place, config, env }, context, say);
  if ((await turns.isolation()) === undefined) throw new Error("turns cannot be isolated here");
  const ways = {
    outside: await createProvider(context),
    inside: await createProvider({ ...context, isolation: turns.isolation }),
  };
  const took = { outside: Array<number>(), inside: Array<number>() };
  for (let nth = 0; nth <= TURNS; nth++) {
    for (const way of ["outside", "inside"] as const) {
      const began = performance.now();
      const end = theEnd(await collect(ways[way].provider, aTurnRequest({ iteration: 1 })));
      if (end.type === "turn.failed") throw new Error(end.failure.message);
      // The first turn of each makes what those after it find.
      if (nth > 0) took[way].push(performance.now() - began);
    }
  }
  const outside = median(took.outside);
  const adds = median(took.inside.map((ms, nth) => ms - (took.outside[nth] ?? Number.NaN)));
  say(`${name}: outside ${Math.round(outside)} ms, isolation adds ${Math.round(adds)} ms`);
  return { outside, adds };
}

/** Each turn runs a command and then says so. */
function workThenMessage(): (request: unknown, index: number) => Reply {
  return (_, index) => (index % 2 === 0 ? answer([command("true")]) : message("Done."));
}
