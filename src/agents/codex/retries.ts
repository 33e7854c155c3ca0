import { readFileSync } from "node:fs";
import path from "node:path";
import { codexHome } from "./home.ts";
import { type CodexOptions, setting } from "./options.ts";

/**
 * Codex repeats requests by itself, up to 30 times within a turn. The loop retries turns, so that the two would
 * multiply: here Codex's own part is turned down.
 *
 * A provider that the user has defined takes settings for it. The built-in ones refuse them ("Built-in providers
 * cannot be overridden"): their reconnects are counted in the stream instead, see `ReconnectLimit`.
 */
const TURNED_DOWN = { request_max_retries: 0, stream_max_retries: 1 } as const;

const SELECTED = /^\s*model_provider\s*=\s*["']([\w-]+)["']/mu;
const SELECTED_ARGUMENT = /^model_provider=["']?([\w-]+)["']?$/u;
const HEADING = /^\s*\[/mu;

/**
 * Settings that turn down the retries of the user's own provider. A provider that is not found in Codex's
 * configuration gets none, because Codex refuses to start with half a definition; what the user has set stays.
 */
export function retryArguments(options: Pick<CodexOptions, "env" | "profile" | "extraArgs">): string[] {
  const home = codexHome(options.env);
  const profile = options.profile === null ? "" : readText(path.join(home, `${options.profile}.config.toml`));
  const config = readText(path.join(home, "config.toml"));
  const id = selectedBy(options.extraArgs) ?? selectedIn(profile) ?? selectedIn(config);
  if (id === undefined) return [];
  const definitions = [profile, config].map((text) => definition(text, id)).filter((text) => text !== undefined);
  if (definitions.length === 0) return [];
  const own = definitions.join("\n");
  return Object.entries(TURNED_DOWN)
    .filter(([key]) => !own.includes(key))
    .flatMap(([key, value]) => setting(`model_providers.${id}.${key}`, value));
}

function selectedBy(extraArgs: readonly string[]): string | undefined {
  return extraArgs.map((arg) => SELECTED_ARGUMENT.exec(arg)?.[1]).findLast((id) => id !== undefined);
}

function selectedIn(toml: string): string | undefined {
  const heading = toml.search(HEADING);
  return SELECTED.exec(heading === -1 ? toml : toml.slice(0, heading))?.[1];
}

/** What stands below `[model_providers.<id>]`. */
function definition(toml: string, id: string): string | undefined {
  const heading = new RegExp(`^\\s*\\[\\s*model_providers\\s*\\.\\s*["']?${id}["']?\\s*\\]`, "mu").exec(toml);
  if (heading === null) return undefined;
  const body = toml.slice(heading.index + heading[0].length);
  const end = body.search(HEADING);
  return end === -1 ? body : body.slice(0, end);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** How often Codex reconnects unless it is told otherwise; another limit is the user's own choice and stays. */
const DEFAULT_LIMIT = 5;

/**
 * Ends Codex's own reconnecting after the first try of each request.
 *
 * The attempts over WebSocket are left alone, because Codex falls back to HTTPS after them; they are known by their
 * address or by beginning with 2, as Codex does not show the first.
 */
export class ReconnectLimit {
  #previous = 0;

  /** @returns whether it is enough, after Codex has said that it makes its `attempt`th try of `limit` */
  isReached(attempt: number, limit: number, cause: string): boolean {
    const second = attempt === 2 && this.#previous === 1;
    this.#previous = attempt;
    return second && limit === DEFAULT_LIMIT && !/\bwss?:\/\//u.test(cause);
  }
}
