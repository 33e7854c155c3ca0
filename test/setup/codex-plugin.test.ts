import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { PRD_VERBS } from "../../src/commands/prd/verbs.ts";
import { COMMANDS } from "../../src/commands/table.ts";
import { HEADLESS } from "../../src/setup/helper-texts.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const CODEX = path.join(ROOT, "node_modules/.bin/codex");
const PLUGIN = "examples/codex-plugin";
const SKILL = "skills/smithers-headless/SKILL.md";

async function json(file: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(ROOT, file), "utf8"));
}

describe("the plugin for Codex [D-33, D-34]", () => {
  test("has the version of the program, and the skill that install-helpers writes", async () => {
    const { version } = z.object({ version: z.string() }).parse(await json("package.json"));
    expect(await json(`${PLUGIN}/.codex-plugin/plugin.json`)).toMatchObject({ name: "smithers", version });
    expect(await readFile(path.join(ROOT, PLUGIN, SKILL), "utf8")).toBe(HEADLESS);
  });

  test("calls commands that there are, each for itself without a terminal, and one for all that it promises", () => {
    const calls = [...HEADLESS.matchAll(/^\| `smithers (prd )?([a-z]+)(.*?)` +\|/gmu)];
    for (const [call, group, name, rest = ""] of calls) {
      const row = (group === undefined ? COMMANDS : PRD_VERBS).find((one) => one.name === name);
      const flags = [...rest.matchAll(/--([a-z-]+)/gu)].flatMap(([, flag]) => flag ?? []);
      const words = rest.replaceAll(/--[a-z-]+|"…"/gu, "").trim();
      const own: readonly string[] = row?.own ?? [];
      const isTaken = (words === "" || row?.operand !== undefined) && flags.every((flag) => own.includes(flag));
      expect({ call, isTaken, flags }).toEqual({ call, isTaken: true, flags: expect.arrayContaining(["json"]) });
    }
    const verbs = (of: string | undefined) => calls.flatMap(([, group, name]) => (group === of ? [name] : []));
    expect(verbs("prd ")).toEqual(["list", "status", "validate", "run", "retry", "accept"]);
    expect(verbs(undefined)).toEqual(["run", "status", "resume", "pause", "stop"]);
  });

  test("is taken, installed and shown to the model by the real Codex", async () => {
    await using folder = await tempFolder("codex-plugin-");
    const home = path.join(folder.path, "codex");
    await mkdir(home);
    await writeFile(path.join(home, "config.toml"), "[analytics]\nenabled = false\n");
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, CODEX_HOME: home };
    const codex = async (...args: readonly string[]): Promise<string> =>
      (await promisify(execFile)(CODEX, args, { cwd: folder.path, env, maxBuffer: 16 << 20 })).stdout;
    await codex("plugin", "marketplace", "add", ROOT);
    await codex("plugin", "add", "smithers@smithers-loop");
    expect(await codex("plugin", "list")).toMatch(/^smithers@smithers-loop +installed, enabled /mu);
    const input = await codex("debug", "prompt-input", "hello");
    expect(input).toContain("smithers:smithers-headless: Start, look at, pause, stop and resume Smithers loops");
  });
});
