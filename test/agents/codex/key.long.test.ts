import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { agentFindings, createProvider, type Registered } from "../../../src/agents/registry.ts";
import type { AgentEvent } from "../../../src/core/agent.ts";
import { rawEventsName } from "../../../src/core/names.ts";
import type { Config } from "../../../src/config/config.ts";
import { resolve } from "../../config/support.ts";
import { aContext } from "../../contract/agent-contract.ts";
import { aTurnRequest, collect, theEnd, theFailure } from "../../contract/provider-contract.ts";
import { codexHome } from "../../support/codex-home.ts";
import { gitRepository } from "../../support/git-repository.ts";
import { command, message, type Script, startModelServer, unauthorized } from "../../support/model-server.ts";

const KEY = "sk-canary-0123456789abcdef";

interface Given {
  readonly flags?: Record<string, string>;
  readonly env?: Record<string, string>;
  /** of Codex, given the model's address; without it the provider is built in, and asks the model */
  readonly config?: (url: string) => string;
  readonly key?: string | null;
}

/** Codex's built-in provider, by its own setting for companies that have a gateway. */
const builtIn = (url: string): string => `model = "gpt-5.5"
openai_base_url = "${url}"
allow_login_shell = false
[analytics]
enabled = false
[features]
plugins = false
`;

const custom =
  (lines: string) =>
  (url: string): string =>
    `model_provider = "mine"\n${builtIn("http://127.0.0.1:9/v1")}[model_providers.mine]\nname = "mine"\nbase_url = "${url}"\nwire_api = "responses"\n${lines}`;

/** The real Codex, made from settings as every run makes it. */
async function keyed(script: Script, { flags = {}, env = {}, config = builtIn, key = KEY }: Given = {}) {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startModelServer(script));
  const home = stack.use(await codexHome(server, { keyVariable: "UNUSED" }));
  const { UNUSED: _, ...homeEnv } = home.env;
  await writeFile(path.join(home.path, ".codex/config.toml"), config(server.url));
  const repository = stack.use(await gitRepository());
  const settings: Config = resolve({ flags, env: key === null ? {} : { SMITHERS_API_KEY: key } }).config;
  const whole = { ...homeEnv, ...(key === null ? {} : { SMITHERS_API_KEY: key }), ...env };
  // Tests that run beside this one end the processes that bear their mark.
  const mark = path.basename(repository.path);
  const context = { ...aContext(settings, repository.path, whole), mark };
  const registered: Registered = await createProvider(context);
  const turn = (request = {}) => collect(registered.provider, aTurnRequest(request));
  const raw = () => readFile(path.join(context.folder, rawEventsName(1)), "utf8");
  const owned = stack.move();
  return { server, home, registered, turn, raw, context, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const outputOf = (events: readonly AgentEvent[]) => {
  const ended = events.find((event) => event.type === "command.ended");
  return ended?.type === "command.ended" ? ended.output : "";
};
const sessionOf = (events: readonly AgentEvent[]) =>
  events.find((event) => event.type === "session.started")?.sessionId ?? "";
const noticesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

/** Looks for the key in everything that a process of this user shows of itself, and shows how Codex asks its model. */
const STEAL = command(
  [
    "sleep 0.4",
    "env",
    'p=$$; while [ "$p" -gt 1 ]; do tr "\\0" "\\n" < /proc/$p/cmdline; tr "\\0" "\\n" < /proc/$p/environ; case "$(cat /proc/$p/comm)" in codex*) break;; esac; p=$(awk \'/^PPid/ { print $2 }\' /proc/$p/status); done',
    'grep -r "sk-canar[y]" "$HOME" "$CODEX_HOME" && echo FOUND',
    "true",
  ].join("; "),
);

describe("the agent's key [T2]", () => {
  test.each([
    ["the built-in provider", builtIn],
    ["a provider of the person's own", custom('env_key = "CODEX_API_KEY"\n')],
  ])("stays with us when the agent searches as the same user, with %s [T2]", async (_name, config) => {
    await using it = await keyed([STEAL, message("Done.")], { flags: { sandbox: "danger-full-access" }, config });
    const events = await it.turn();
    expect(theEnd(events)).toMatchObject({ type: "turn.completed", lastMessage: "Done." });
    expect(it.server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    const seen = outputOf(events);
    expect(seen).toMatch(/^CODEX_API_KEY=\*\*\*$/mu);
    expect(seen).toMatch(
      /_base_url="http:\/\/127\.0\.0\.1:\d+\/127\.0\.0\.1:\d+\/v1"|\.base_url="http:\/\/127\.0\.0\.1:\d+/u,
    );
    expect(seen).not.toMatch(/^FOUND$/mu);
    expect(JSON.stringify(events) + (await it.raw())).not.toContain(KEY);
    // What the model was told is what the agent saw: there it stands, and it opens nothing any more.
    const [, token = ""] = /^CODEX_API_KEY=([\da-f]{64})$/mu.exec(it.server.requests.at(-1)?.outputs[0] ?? "") ?? [];
    expect(token).not.toBe("");
    expect(await it.raw()).not.toContain(token);
    const [, port] = /127\.0\.0\.1:(\d+)\/127/u.exec(seen) ?? [];
    expect(await isOpen(Number(port))).toBe(false);
  });

  test("reaches no command inside the sandbox, nor does pass-env bring it there [T2]", async () => {
    const flags = { sandbox: "workspace-write", "pass-env": "CODEX_API_KEY" };
    await using it = await keyed([STEAL, message("Done.")], { flags, key: null, env: { CODEX_API_KEY: KEY } });
    const events = await it.turn();
    expect(theEnd(events).type).toBe("turn.completed");
    expect(it.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(it.server.requests.map(({ body }) => body))).not.toContain(KEY);
    expect(JSON.stringify(events) + (await it.raw())).not.toContain(KEY);
  });

  test("goes on to the same place although the agent has written another one into Codex's settings [T2]", async () => {
    await using elsewhere = await startModelServer([message("Stolen.")]);
    await using it = await keyed([message("First."), message("Second.")]);
    const first = await it.turn();
    await writeFile(path.join(it.home.path, ".codex/config.toml"), builtIn(elsewhere.url));
    const second = await it.turn({ iteration: 2, sessionId: sessionOf(first) });
    expect(theEnd(second).lastMessage).toBe("Second.");
    expect(elsewhere.requests).toEqual([]);
  });

  test("a person's own address among the options is where the key goes, by way of us [T2]", async () => {
    await using gateway = await startModelServer([message("Done.")]);
    const flags = { "provider-args": JSON.stringify(["-c", `openai_base_url="${gateway.url}"`]) };
    await using it = await keyed([], { flags });
    expect(theEnd(await it.turn())).toMatchObject({ type: "turn.completed", lastMessage: "Done." });
    expect(gateway.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      host: `127.0.0.1:${gateway.port}`,
    });
  });

  test("the setting api-key goes before the variable", async () => {
    await using it = await keyed([message("Done.")], { env: { CODEX_API_KEY: "sk-environment" } });
    await it.turn();
    expect(it.server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("a session is resumed on another port with another token [W-35]", async () => {
    await using it = await keyed([message("First."), message("Second.")]);
    const first = await it.turn();
    const second = await it.turn({ iteration: 2, sessionId: sessionOf(first) });
    expect(sessionOf(second)).toBe(sessionOf(first));
    expect(it.server.requests.at(-1)?.prompts).toHaveLength(2);
  });

  test("a proxy of the machine does not come between Codex and us", async () => {
    const dead = "http://127.0.0.1:9";
    await using it = await keyed([message("Done.")], {
      env: { HTTP_PROXY: dead, http_proxy: dead, HTTPS_PROXY: dead, ALL_PROXY: dead, NO_PROXY: "internal.example" },
    });
    expect(theEnd(await it.turn())).toMatchObject({ type: "turn.completed", lastMessage: "Done." });
  });

  test("a header of the provider's own carries it as well [T2]", async () => {
    const config = custom('env_http_headers = { "api-key" = "CODEX_API_KEY" }\n');
    await using it = await keyed([message("Done.")], { config });
    expect(theEnd(await it.turn()).type).toBe("turn.completed");
    expect(it.server.requests[0]?.headers["api-key"]).toBe(KEY);
  });
});

describe("what goes wrong behind the proxy is told as before [D-19]", () => {
  test("a refused key", async () => {
    await using it = await keyed(() => unauthorized(), {
      config: custom('env_key = "CODEX_API_KEY"\nrequest_max_retries = 0\n'),
    });
    expect(theFailure(await it.turn())).toMatchObject({ kind: "auth", retryable: false });
  });

  test("a model that is not there fails quickly, with the reason", async () => {
    await using it = await keyed([]);
    await it.server.close();
    const began = performance.now();
    expect(theFailure(await it.turn())).toMatchObject({
      kind: "transport",
      retryable: true,
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("what no proxy hides is said once", () => {
  test("a key that Codex's provider takes from another variable [T2]", async () => {
    const given = {
      config: custom('env_key = "MY_KEY"\n'),
      env: { MY_KEY: "sk-mine" },
      flags: { "pass-env": "MY_KEY" },
    };
    await using it = await keyed([message("First."), message("Second.")], given);
    const first = await it.turn();
    expect(noticesOf(first)).toEqual([expect.stringMatching(/^The agent can read the key in MY_KEY: .* api-key\.$/u)]);
    expect(it.server.requests[0]?.headers.authorization).toBe("Bearer sk-mine");
    expect(noticesOf(await it.turn({ iteration: 2 }))).toEqual([]);
  });

  test("the login of a person [T2]", async () => {
    await using it = await keyed([message("Done.")], { key: null, config: custom("requires_openai_auth = true\n") });
    await writeFile(path.join(it.home.path, ".codex/auth.json"), JSON.stringify({ OPENAI_API_KEY: "sk-login" }));
    const { provider } = await createProvider(it.context);
    const events = await collect(provider, aTurnRequest());
    expect(noticesOf(events)).toEqual([expect.stringContaining("auth.json: it is not kept behind a proxy")]);
    expect(theEnd(events).type).toBe("turn.completed");
    expect(it.server.requests[0]?.headers.authorization).toBe("Bearer sk-login");
  });
});

describe("before a turn", () => {
  test("the command line that is shown has no port in it, and doctor needs no key in Codex's environment", async () => {
    await using it = await keyed([]);
    expect(it.registered.commandLine({ iteration: 1, sessionId: null }).join(" ")).not.toMatch(
      /base_url|127\.0\.0\.1/u,
    );
    const login = (await agentFindings(it.context)).find(({ subject }) => subject === "a login or a key");
    expect(login?.right).toEqual({ right: "there" });
  });

  test("an address that is none is refused, and the key goes nowhere", async () => {
    await expect(keyed([], { config: () => 'openai_base_url = "file:///etc"\n' })).rejects.toThrow(/openai_base_url/u);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
