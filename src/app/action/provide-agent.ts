import path from "node:path";
import type { Config } from "../../config/config.ts";
import type { GithubContext } from "../../github/context.ts";
import { installCodex } from "./install-agent.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment in which the agent's program is found; Codex is installed where it is missing.
 *
 * @param mark of the processes that install it
 * @param tell takes lines of the log
 */
export async function provideAgent(
  { provider, providerVersion: version, install }: Config,
  { toolCache, temp }: Pick<GithubContext, "toolCache" | "temp">,
  { env, mark, tell }: { readonly env: Environment; readonly mark: string; readonly tell: (line: string) => void },
): Promise<Environment> {
  if (provider !== "codex") return env;
  const { signal } = new AbortController();
  const { folder } = await installCodex({ version, install, env, toolCache, temp, tell, mark, signal });
  return folder === null ? env : { ...env, PATH: [folder, env["PATH"] ?? ""].join(path.delimiter) };
}
