import path from "node:path";
import { describe, expect, test } from "vitest";
import { AGENTS, createProvider, isSessionFile, type ProviderContext } from "../../src/agents/registry.ts";
import type { InstallWish } from "../../src/agents/agent.ts";
import type { Config } from "../../src/config/config.ts";
import { UsageError } from "../../src/core/errors.ts";
import { systemClock } from "../../src/os/clock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TURN = { iteration: 1, sessionId: null };

/** Where a loop would be whose agent the settings name; nothing is written there. */
export function aContext(config: Config, root: string, env: ProviderContext["env"]): ProviderContext {
  return { config, workspaceRoot: root, folder: path.join(root, "loop"), mark: "test", env, clock: systemClock };
}

/**
 * What every agent of the registry has to keep (docs of `Agent`); that its provider keeps its own contract is proved by
 * `providerContract`.
 *
 * @param settings of a run with this agent
 */
export function agentContract(name: Config["provider"], settings: (root: string) => Promise<Config>): void {
  const agent = AGENTS[name];
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/home/somebody" };

  describe(`agent contract: ${name}`, () => {
    test("its provider bears its name, and its command line is a program and its arguments", async () => {
      await using folder = await tempFolder();
      const { provider, commandLine } = await createProvider(aContext(await settings(folder.path), folder.path, env));
      expect(provider.name).toBe(name);
      expect(commandLine(TURN)[0]).toMatch(/./u);
    });

    test("its key is not a variable that it may see anyway", () => {
      expect(agent.settings.variables).not.toContain(agent.settings.keyVariable);
    });

    test("only the files of its sessions travel: no configuration, no credentials, nothing outside", () => {
      for (const file of ["auth.json", "config.toml", "settings.json", ".credentials.json", "hooks/run.sh", "/etc/x"]) {
        expect(isSessionFile(file)).toBe(false);
        expect(agent.sessionFiles?.isSession(file) ?? false).toBe(false);
      }
      expect(path.isAbsolute(agent.sessionFiles?.folder(env) ?? "/")).toBe(true);
    });

    test("a command goes into its sandbox as it is, at the end", async () => {
      await using folder = await tempFolder();
      const { sandboxed } = await createProvider(aContext(await settings(folder.path), folder.path, env));
      expect(sandboxed === undefined).toBe(agent.sandbox === undefined);
      const command = ["sh", "-c", "npm test -- --x"];
      expect(sandboxed?.(command).slice(-3) ?? command).toEqual(command);
    });

    test("what it would install has an exact version", async () => {
      await using folder = await tempFolder();
      const wish: InstallWish = {
        ...{ version: "latest", install: "auto" as const, env, toolCache: null, temp: folder.path, mark: "test" },
        ...{ tell: () => {}, signal: new AbortController().signal },
      };
      const refused = await agent.install?.(wish).catch((error: unknown) => error);
      expect(agent.install === undefined || refused instanceof UsageError).toBe(true);
    });
  });
}
