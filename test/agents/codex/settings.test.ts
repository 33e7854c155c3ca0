import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { keyRoute, modelSettings } from "../../../src/agents/codex/settings.ts";
import { tempFolder } from "../../support/temp-folder.ts";

/** What Codex's settings say, with the profile `ci` and these options. */
async function settingsOf(files: Record<string, string>, extraArgs: readonly string[] = []) {
  await using home = await tempFolder();
  await mkdir(path.join(home.path, ".codex"));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(home.path, ".codex", name), text);
  return modelSettings({ env: { HOME: home.path }, profile: "ci", extraArgs });
}

const GATEWAY = "https://gateway.example/openai/v1";
const mine = (lines: string): string => `model_provider = "mine"\n[model_providers.mine]\nname = "mine"\n${lines}\n`;
const OURS = 'env_key = "CODEX_API_KEY"';

describe("where Codex takes the key, by its own settings [T2]", () => {
  test.each<[what: string, files: Record<string, string>, extraArgs: string[], upstream: string, setting: string]>([
    ["none", {}, [], "https://api.openai.com/v1", "openai_base_url"],
    ["an address", { "config.toml": `openai_base_url = "${GATEWAY}"` }, [], GATEWAY, "openai_base_url"],
    [
      "the profile's address",
      { "config.toml": 'openai_base_url = "https://x.example"', "ci.config.toml": `openai_base_url = "${GATEWAY}"` },
      [],
      GATEWAY,
      "openai_base_url",
    ],
    [
      "an option's address",
      { "ci.config.toml": 'openai_base_url = "https://x.example"' },
      ["-c", `openai_base_url=${GATEWAY}`],
      GATEWAY,
      "openai_base_url",
    ],
    ["an option in one word", {}, [`--config=openai_base_url="${GATEWAY}"`], GATEWAY, "openai_base_url"],
    ["a short option in one word", {}, [`-copenai_base_url="${GATEWAY}"`], GATEWAY, "openai_base_url"],
    [
      "another profile of an option",
      { "other.config.toml": `openai_base_url = "${GATEWAY}"` },
      ["--profile", "other"],
      GATEWAY,
      "openai_base_url",
    ],
    [
      "a provider of the person's own",
      { "config.toml": mine(`base_url = "${GATEWAY}"\n${OURS}`) },
      [],
      GATEWAY,
      "model_providers.mine.base_url",
    ],
    [
      "a provider without an address",
      { "config.toml": mine("requires_openai_auth = true") },
      [],
      "https://api.openai.com/v1",
      "model_providers.mine.base_url",
    ],
    [
      "a provider in an option",
      { "config.toml": 'model_provider = "other"' },
      ["-c", "model_provider=mine", "-c", `model_providers.mine={ name="m", base_url="${GATEWAY}", ${OURS} }`],
      GATEWAY,
      "model_providers.mine.base_url",
    ],
    [
      "one word of a provider in an option",
      { "config.toml": mine(`base_url = "https://x.example"\n${OURS}`) },
      ["-c", `model_providers.mine.base_url="${GATEWAY}"`],
      GATEWAY,
      "model_providers.mine.base_url",
    ],
    [
      "what Codex would not accept",
      { "config.toml": "= [" },
      ["-c", "= ["],
      "https://api.openai.com/v1",
      "openai_base_url",
    ],
  ])("%s", async (_what, files, extraArgs, upstream, setting) => {
    const route = keyRoute(await settingsOf(files, extraArgs));
    expect(route).toEqual({ upstream: new URL(upstream), headers: ["authorization"], setting });
  });

  test.each([
    ["a provider with a key of its own", mine('env_key = "OTHER_KEY"')],
    ["a provider that needs none", mine('base_url = "http://127.0.0.1:11434/v1"')],
    ["a built-in one of another service", 'model_provider = "ollama"'],
    ["one that is not there", 'model_provider = "no.such"'],
  ])("%s gets none", async (_what, config) => {
    expect(keyRoute(await settingsOf({ "config.toml": config }))).toBeUndefined();
  });

  test.each(["nonsense", "file:///etc", "https://me:secret@x.example", "https://x.example/?a=b"])(
    "%s is no address for a key",
    async (address) => {
      const settings = await settingsOf({ "config.toml": `openai_base_url = "${address}"` });
      expect(() => keyRoute(settings)).toThrow(/^Codex's setting openai_base_url is no address/u);
    },
  );
});
