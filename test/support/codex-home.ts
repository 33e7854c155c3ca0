import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { tempFolder, type TempFolder } from "./temp-folder.ts";

const PROGRAMS = path.join(import.meta.dirname, "../../node_modules/.bin");

/** A home in which Codex talks to the model server and to nobody else. */
export interface CodexHome extends TempFolder {
  /** the whole environment for Codex, or for what starts it */
  readonly env: Readonly<Record<string, string>>;
}

/** How the home differs from the usual one. */
export interface CodexHomeOptions {
  /** `off`: Codex never repeats a request; `default`: as often as it likes */
  readonly retries?: "off" | "default";
  /** after how much silence Codex itself gives a stream up */
  readonly streamIdleMs?: number;
  /** the environment variable that Codex takes the server's key from */
  readonly keyVariable?: string;
}

/** The `config.toml` of a Codex that talks to `server` and to nobody else. */
export function codexConfig(
  server: { readonly url: string },
  { retries = "off", streamIdleMs = 30_000, keyVariable = "MOCK_API_KEY" }: CodexHomeOptions = {},
): string {
  const noRetries = retries === "off" ? "request_max_retries = 0\nstream_max_retries = 0\n" : "";
  return `model = "gpt-5.5"
model_provider = "mock"
allow_login_shell = false

[model_providers.mock]
name = "mock"
base_url = "${server.url}"
env_key = "${keyVariable}"
wire_api = "responses"
stream_idle_timeout_ms = ${streamIdleMs}
${noRetries}
[analytics]
enabled = false

[features]
plugins = false
`;
}

/**
 * Makes a `CODEX_HOME` and a `HOME` for tests: nothing of the machine's own configuration is seen, and neither
 * analytics nor plugins are asked for over the network.
 */
export async function codexHome(server: { readonly url: string }, options: CodexHomeOptions = {}): Promise<CodexHome> {
  const folder = await tempFolder("codex-home-");
  const codex = path.join(folder.path, ".codex");
  await mkdir(codex);
  await writeFile(path.join(codex, "config.toml"), codexConfig(server, options));
  const env = {
    PATH: `${PROGRAMS}${path.delimiter}${process.env["PATH"] ?? ""}`,
    HOME: folder.path,
    CODEX_HOME: codex,
    [options.keyVariable ?? "MOCK_API_KEY"]: "sk-test",
    TERM: "dumb",
    LANG: "C.UTF-8",
  };
  return { ...folder, env };
}
