import path from "node:path";
import { marksOf } from "../../app/place.ts";
import { installCodex } from "./install-agent.ts";
import type { Surroundings } from "../../app/surroundings.ts";

/** The environment in which the agent's program is found; Codex is installed where it is missing. */
export async function provideAgent({
  host,
  context,
  place,
  settings,
  log,
}: Surroundings): Promise<Surroundings["host"]["env"]> {
  const { provider, providerVersion, install } = settings.config;
  const { env } = host;
  if (provider !== "codex") return env;
  const { folder } = await installCodex({
    version: providerVersion,
    install,
    env,
    toolCache: context.toolCache,
    temp: context.temp,
    tell: (line) => log.line(line),
    mark: marksOf(place).tools,
    signal: new AbortController().signal,
  });
  return folder === null ? env : { ...env, PATH: [folder, env["PATH"] ?? ""].join(path.delimiter) };
}
