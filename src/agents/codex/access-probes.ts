/** Whether Codex can come to its model, as far as that is certain without spending anything. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Right } from "../../views/gaps.ts";
import type { CodexOptions } from "./command-line.ts";
import { ask } from "./program.ts";
import { type ModelSettings, modelAddress, modelSettings } from "./settings.ts";

const THERE: Right = { right: "there" };
const UNTOLD = { right: "unknown", because: "untold" } as const;

/** Whether there is a login or a key. A provider that the person has defined in Codex's settings is paid in its own way. */
export async function probeLogin(options: CodexOptions, command: string, signal: AbortSignal): Promise<Right> {
  if ((options.key ?? null) !== null) return THERE;
  const { exitCode, stderr } = await ask(options, command, ["login", "status"], signal);
  if (exitCode === 0) return THERE;
  if (isOwn(modelSettings(options), options))
    return { ...UNTOLD, why: "Codex's own settings name a provider that may have a key of its own" };
  if (!/not logged in/iu.test(stderr)) return { ...UNTOLD, why: "Codex does not say" };
  return { right: "missing", why: "Codex is not logged in", next: "Run codex login, or set CODEX_API_KEY." };
}

function isOwn({ providerId, openaiUrl }: ModelSettings, { profile }: CodexOptions): boolean {
  return providerId !== "openai" || openaiUrl !== null || profile !== null;
}

const PROXIES = /^(?:https?|all)_proxy$/iu;

/** What says that nothing answers there, and not that something is slow. */
const UNREACHABLE = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENETDOWN)$/u;

/**
 * Whether the service of the model answers to a connection. Nothing is sent to it. What stands behind a proxy, or does
 * not answer before `signal`, is not known.
 */
export async function probeNetwork(options: CodexOptions, signal: AbortSignal): Promise<Right> {
  const url = modelAddress(modelSettings(options), (options.key ?? null) !== null);
  if (url === null) return { ...UNTOLD, why: "Codex's own settings do not say where it is" };
  if (Object.entries(options.env).some(([name, value]) => PROXIES.test(name) && value !== ""))
    return { ...UNTOLD, why: "it is asked through the proxy of the environment" };
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  const socket = connect({ host, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)) });
  try {
    await once(socket, "connect", { signal });
    return THERE;
  } catch (error) {
    const codes = codesOf(error);
    if (!codes.every((code) => UNREACHABLE.test(code)))
      return { ...UNTOLD, why: `${url.host} does not answer in time` };
    const why = `there is no connection to ${url.host} (${codes.join(", ")})`;
    return { right: "missing", why, next: "Connect this machine, or set HTTPS_PROXY where a proxy leads out." };
  } finally {
    socket.destroy();
  }
}

/** A name with several addresses fails with an error for each: one that is only slow may still answer. */
function codesOf(error: unknown): readonly string[] {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return [...new Set(errors.map((one) => (one instanceof Error && "code" in one ? String(one.code) : "")))];
}
