import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { parse } from "smol-toml";
import type { Environment } from "../../config/read.ts";
import { UsageError } from "../../core/errors.ts";

/** The variable in which Codex takes a key. */
export const KEY_VARIABLE = "CODEX_API_KEY";

const BUILT_IN = "openai";
const OPENAI_URL = "https://api.openai.com/v1";
/** For every user of a machine. */
const SYSTEM_SETTINGS = "/etc/codex/config.toml";

type Table = Readonly<Record<string, unknown>>;

/** What says which settings Codex reads. */
export interface SettingsPlace {
  readonly env: Environment;
  readonly profile: string | null;
  /** further options of `codex exec` */
  readonly extraArgs: readonly string[];
}

/** What Codex's own settings say of the model that it asks. */
export interface ModelSettings {
  /** Codex's id of the provider; a session can only go on with the same one */
  readonly providerId: string;
  /** null: built in, or nowhere to be found */
  readonly provider: Table | null;
  /** replaces the address of the built-in provider; null: nothing does */
  readonly openaiUrl: string | null;
  /** null: Codex takes its own choice */
  readonly model: string | null;
}

/** The folder where Codex has its configuration and its sessions, by the environment that it is started with. */
export function codexHome(env: Environment): string {
  return env["CODEX_HOME"] ?? path.join(env["HOME"] ?? homedir(), ".codex");
}

/**
 * Reads what Codex itself will: the machine's settings, the person's, those of the profile, and the options, which win.
 * A file that does not exist, or that Codex would not accept, says nothing. Settings of the workspace are not read.
 */
export function modelSettings({ env, profile, extraArgs }: SettingsPlace): ModelSettings {
  const home = codexHome(env);
  const chosen = optionValues(extraArgs, "-p", "--profile").at(-1) ?? profile;
  const settings = [
    readSettings(SYSTEM_SETTINGS),
    readSettings(path.join(home, "config.toml")),
    ...(chosen === null ? [] : [readSettings(path.join(home, `${chosen}.config.toml`))]),
    ...optionValues(extraArgs, "-c", "--config").map(readOption),
  ].reduce(merged, {});
  const providerId = textOf(settings["model_provider"]) ?? BUILT_IN;
  const providers = settings["model_providers"];
  const provider = isTable(providers) && /^[\w-]+$/u.test(providerId) ? providers[providerId] : null;
  return {
    providerId,
    provider: isTable(provider) ? provider : null,
    openaiUrl: textOf(settings["openai_base_url"]),
    model: textOf(settings["model"]),
  };
}

/** Where Codex takes the key of `KEY_VARIABLE` to. */
export interface KeyRoute {
  /** where it would send the key */
  readonly upstream: URL;
  /** in which headers, in lower case */
  readonly headers: readonly string[];
  /** the setting that sends it elsewhere, and leaves the provider's id as it is */
  readonly setting: string;
}

/**
 * Where Codex would take our key to; undefined: its provider has another key, or needs none.
 *
 * @throws UsageError when the address is none
 */
export function keyRoute({ providerId, provider, openaiUrl }: ModelSettings): KeyRoute | undefined {
  if (provider === null) {
    if (providerId !== BUILT_IN) return undefined;
    return {
      upstream: addressOf(openaiUrl, "openai_base_url"),
      headers: ["authorization"],
      setting: "openai_base_url",
    };
  }
  const setting = `model_providers.${providerId}.base_url`;
  const inHeaders = isTable(provider["env_http_headers"]) ? Object.entries(provider["env_http_headers"]) : [];
  const headers = [
    ...(takesOurKey(provider) ? ["authorization"] : []),
    ...inHeaders.filter(([, variable]) => variable === KEY_VARIABLE).map(([name]) => name.toLowerCase()),
  ];
  if (headers.length === 0) return undefined;
  return { upstream: addressOf(textOf(provider["base_url"]), setting), headers, setting };
}

const LOGIN_URL = "https://chatgpt.com/backend-api/codex";

/** Where Codex asks its model, by a key or by its login; null: that is not known. */
export function modelAddress({ providerId, provider, openaiUrl }: ModelSettings, hasKey: boolean): URL | null {
  const usual = hasKey ? OPENAI_URL : LOGIN_URL;
  const isBuiltIn = provider === null && providerId === BUILT_IN;
  const text = isBuiltIn ? (openaiUrl ?? usual) : textOf(provider?.["base_url"]);
  return text !== null && URL.canParse(text) ? new URL(text) : null;
}

function takesOurKey(provider: Table): boolean {
  const variable = provider["env_key"];
  return variable === KEY_VARIABLE || (variable === undefined && provider["requires_openai_auth"] === true);
}

function addressOf(text: string | null, setting: string): URL {
  const url = URL.canParse(text ?? OPENAI_URL) ? new URL(text ?? OPENAI_URL) : null;
  if (url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.search === "") return url;
  throw new UsageError([
    {
      code: "MODEL_ADDRESS_WRONG",
      what: `Codex's setting ${setting} is no address that a key can be sent to (http or https, without a login and a query). The key was sent nowhere.`,
      next: "Correct it in Codex's config.toml, its profile, or provider-args.",
    },
  ]);
}

/**
 * What keeps a key or a login where the agent can read it, and what to do; undefined: nothing that is known.
 *
 * @param proxied whether the provider gets our key, by way of our proxy
 */
export function readableByAgent(
  { env }: Pick<SettingsPlace, "env">,
  { providerId, provider }: ModelSettings,
  proxied: boolean,
): string | undefined {
  const variable = textOf(provider?.["env_key"]);
  if (variable !== null && variable !== KEY_VARIABLE && env[variable] !== undefined)
    return `The agent can read the key in ${variable}: Codex's provider ${providerId} takes it from there, so it cannot be kept behind a proxy. To keep it there, write env_key = "${KEY_VARIABLE}" in Codex's settings and give the key as api-key.`;
  const login = path.join(codexHome(env), "auth.json");
  if (proxied || !existsSync(login) || (provider !== null && provider["requires_openai_auth"] !== true))
    return undefined;
  return `The agent can read Codex's login in ${login}: it is not kept behind a proxy, as a key is. Where that matters, log out and give a key as api-key.`;
}

/** The values of an option, in their order: `-c x`, `-cx`, `--config x`, `--config=x`. */
function optionValues(args: readonly string[], short: string, long: string): readonly string[] {
  return args.flatMap((arg, at) => {
    if (at > 0 && [short, long].includes(args[at - 1] ?? "")) return [arg];
    if (arg.startsWith(`${long}=`)) return [arg.slice(long.length + 1)];
    const isJoined = arg.startsWith(short) && !arg.startsWith("--") && arg.length > short.length;
    return isJoined ? [arg.slice(short.length).replace(/^=/u, "")] : [];
  });
}

/** A value that is no TOML is a text, as it is for Codex. */
function readOption(option: string): Table {
  const [, key, value = ""] = /^([^=]+)=(.*)$/su.exec(option) ?? [];
  if (key === undefined) return {};
  return parsed(`${key} = ${value}`) ?? parsed(`${key} = ${JSON.stringify(value)}`) ?? {};
}

function readSettings(file: string): Table {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function parsed(toml: string): Table | undefined {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}

/** Both together; what `above` says counts. */
function merged(below: Table, above: Table): Table {
  const both = Object.entries(above).map(([key, value]) => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isTable(value) && isTable(under) ? merged(under, value) : value];
  });
  return { ...below, ...Object.fromEntries(both) };
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
