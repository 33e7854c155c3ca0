import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { configOfAgent, createProviders } from "../../src/agents/several.ts";
import type { ProviderName } from "../../src/config/settings/agent.ts";
import { resolve } from "../config/support.ts";
import { aContext } from "../contract/agent-contract.ts";
import { aTurnRequest, collect, theEnd, theFailure } from "../contract/provider-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FLAGS = { provider: "scripted", script: "turns.json", model: "m", profile: "p", "provider-args": '["--x"]' };

/** Two agents that say who they are, of which the scripted one is the settings' own. */
async function agents(names: readonly ProviderName[], command: readonly string[] = ["echo", "command"]) {
  const folder = await tempFolder();
  await writeFile(
    path.join(folder.path, "turns.json"),
    '{ "turns": [{ "lastMessage": "scripted" }], "then": "repeat" }',
  );
  const { config } = resolve({ flags: { ...FLAGS, "provider-command": JSON.stringify(command) } });
  const context = aContext(config, folder.path, { PATH: process.env["PATH"] ?? "" });
  const registered = await createProviders(context, names, () => undefined);
  return { ...registered, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("several agents of one loop", () => {
  test.each<[string | undefined, string]>([
    [undefined, "scripted"],
    ["scripted", "scripted"],
    ["command", "command"],
  ])("a turn for %s goes to %s [D-41]", async (provider, says) => {
    await using it = await agents(["scripted", "command"]);
    const request = aTurnRequest(provider === undefined ? {} : { provider });
    expect(theEnd(await collect(it.provider, request)).lastMessage.trim()).toBe(says);
    expect(it.commandLine(request)[0]).toBe(says === "command" ? "echo" : "scripted");
    expect(it.provider.name).toBe("scripted or command");
    expect(await it.provider.preflight(new AbortController().signal)).toBeUndefined();
  });

  test("a turn for one that was not looked for fails, and nobody else takes it [T8]", async () => {
    await using it = await agents(["command"]);
    expect(theFailure(await collect(it.provider, aTurnRequest()))).toMatchObject({
      kind: "bad_request",
      retryable: false,
    });
    expect(it.commandLine(aTurnRequest())).toEqual([]);
  });

  test("which of them cannot take a turn is said before any does", async () => {
    await using it = await agents(["scripted", "command"], ["no-such-agent"]);
    const failed = await it.provider.preflight(new AbortController().signal);
    expect(failed).toMatchObject({ kind: "not_installed", message: expect.stringMatching(/^command: /u) });
  });

  test("model, profile and arguments are those of the settings' own agent alone", () => {
    const { config } = resolve({ flags: FLAGS });
    expect(configOfAgent(config, "scripted")).toBe(config);
    expect(configOfAgent(config, "codex")).toMatchObject({
      model: null,
      profile: null,
      providerArgs: [],
      script: "turns.json",
    });
  });
});
