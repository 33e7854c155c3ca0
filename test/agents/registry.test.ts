import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  AGENTS,
  agentFindings,
  agentRecords,
  createProvider,
  helperFolders,
  isSessionFile,
  provideAgent,
  sessionsFolder,
  withRepair,
} from "../../src/agents/registry.ts";
import type { Agent } from "../../src/agents/agent.ts";
import { CODEX_VERSION, hasSandbox, PROVIDERS } from "../../src/config/settings/agent.ts";
import type { Config } from "../../src/config/config.ts";
import { resolve } from "../config/support.ts";
import { aContext, agentContract } from "../contract/agent-contract.ts";
import { aTurnRequest, collect, theEnd } from "../contract/provider-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PATH = process.env["PATH"] ?? "";
const SESSION = "0199f5a0-1111-7000-8000-000000000001";

const configOf = (flags: Record<string, string>): Config => resolve({ flags }).config;
const codexConfig = (env: Record<string, string> = {}): Config => resolve({ env }).config;
const commandConfig = (): Config =>
  configOf({ provider: "command", "provider-command": '["my-agent","--print"]', "provider-args": '["--fast"]' });

agentContract("codex", async () => codexConfig());
agentContract("command", async () => commandConfig());
agentContract("scripted", async (root) => {
  await writeFile(path.join(root, "turns.json"), '{ "turns": [{}] }');
  return configOf({ provider: "scripted", script: "turns.json" });
});

/** The variables that an agent's program sees, which is `env` under the name of the agent. */
async function seenBy(config: Config, name: string, env: Record<string, string>): Promise<readonly string[]> {
  await using folder = await tempFolder();
  const program = path.join(folder.path, name);
  await writeFile(
    program,
    `#!/bin/sh\n[ "$1" = exec ] || [ "$1" = --print ] || exit 0\nenv > '${folder.path}/seen'\nexit 1\n`,
  );
  await chmod(program, 0o755);
  const context = aContext(config, folder.path, { ...env, PATH: `${folder.path}:${PATH}` });
  const { provider } = await createProvider(context);
  expect(theEnd(await collect(provider, aTurnRequest())).type).toBe("turn.failed");
  return (await readFile(path.join(folder.path, "seen"), "utf8")).split("\n");
}

describe("what an agent sees of a person's environment", () => {
  const env = { CODEX_HOME: "/codex", CODEX_API_KEY: "sk-environment", GITHUB_TOKEN: "ghs_1", OTHER: "x" };

  test("its own variables and a token of the turn, and none of the job's secrets [R-13, T2]", async () => {
    const seen = await seenBy(codexConfig(), "codex", env);
    expect(seen).toContain("CODEX_HOME=/codex");
    expect(seen).toContainEqual(expect.stringMatching(/^CODEX_API_KEY=[\da-f]{64}$/u));
    expect(seen.filter((line) => line.includes("sk-environment"))).toEqual([]);
    expect(seen.filter((line) => /^(?:GITHUB_TOKEN|OTHER)=/u.test(line))).toEqual([]);
  });

  test("neither the setting api-key nor a variable that pass-env names brings it the key [T2]", async () => {
    const config = codexConfig({ SMITHERS_API_KEY: "sk-setting", SMITHERS_PASS_ENV: "CODEX_API_KEY" });
    expect(config.apiKey).toBe("sk-setting");
    const seen = await seenBy(config, "codex", env);
    expect(seen).toContainEqual(expect.stringMatching(/^CODEX_API_KEY=[\da-f]{64}$/u));
    expect(seen.filter((line) => line.includes("=sk-"))).toEqual([]);
  });

  test("another agent sees nothing of it", async () => {
    const seen = await seenBy({ ...commandConfig(), apiKey: "sk-setting" }, "my-agent", env);
    expect(seen.filter((line) => line.includes("sk-") || line.startsWith("CODEX_"))).toEqual([]);
  });
});

describe("what the rest of the program asks", () => {
  test("the command line of a turn", async () => {
    const { commandLine } = await createProvider(aContext(commandConfig(), "/work", { PATH }));
    expect(commandLine({ iteration: 1, sessionId: null })).toEqual(["my-agent", "--print", "--fast"]);
  });

  test("the settings offer the agents of the registry, and say which have a sandbox and which are installed", () => {
    const registered = Object.entries<Agent>(AGENTS).map(([name, { sandbox, install }]) => ({
      ...{ name, sandbox: sandbox !== undefined, installs: install !== undefined },
    }));
    const offered = PROVIDERS.map((row) => ({ name: row.name, sandbox: row.sandbox, installs: "version" in row }));
    expect(offered).toEqual(registered);
    expect(["codex", "command", "scripted", "toString", "later"].filter(hasSandbox)).toEqual(["codex"]);
  });

  test("where sessions lie, and which files they are [C13]", () => {
    expect(sessionsFolder(codexConfig(), { HOME: "/home/me" })).toBe("/home/me/.codex/sessions");
    expect(sessionsFolder(codexConfig(), { HOME: "/home/me", CODEX_HOME: "/codex" })).toBe("/codex/sessions");
    expect(sessionsFolder(commandConfig(), { HOME: "/home/me" })).toBeNull();
    const rollout = `2026/11/20/rollout-2026-11-20T03-00-00-${SESSION}.jsonl`;
    expect(isSessionFile(rollout)).toBe(true);
    expect(isSessionFile(rollout, SESSION)).toBe(true);
    expect(isSessionFile(rollout, "another")).toBe(false);
  });

  test("where instructions are looked for", () => {
    const [folders] = helperFolders();
    expect(folders?.prompts({ HOME: "/home/me" })).toBe("/home/me/.codex/prompts");
    expect(folders?.skills).toBe(".codex/skills");
  });

  test("an agent that nothing installs leaves the environment as it is", async () => {
    const env = { PATH: "/bin" };
    const machine = { env, mark: "test", tell: () => {} };
    expect(await provideAgent(commandConfig(), { toolCache: null, temp: "/nowhere" }, machine)).toBe(env);
  });

  test("an installed agent is first on the path, and is what was published [T21]", async () => {
    await using folder = await tempFolder();
    const tool = path.join(folder.path, "tools/smithers-codex", CODEX_VERSION, process.arch);
    const bin = path.join(tool, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await symlink("../@openai/codex/bin/codex.js", path.join(bin, "codex"));
    const installed = path.join(import.meta.dirname, "../../node_modules/@openai");
    // Links instead of copies, where that is one file system: it is half a gigabyte.
    const copy = (how: string) => promisify(execFile)("cp", [how, installed, path.join(tool, "node_modules")]);
    await copy("-Rl").catch(() => copy("-R"));
    await writeFile(`${tool}.complete`, "");
    const machine = { env: { PATH: "/nowhere", A: "b" }, mark: "test", tell: () => {} };
    const place = { toolCache: path.join(folder.path, "tools"), temp: folder.path };
    expect(await provideAgent(codexConfig(), place, machine)).toEqual({ PATH: `${bin}:/nowhere`, A: "b" });
  });

  test("only an agent with a sandbox has it repaired", async () => {
    const { provider } = await createProvider(aContext(commandConfig(), "/work", { PATH }));
    const machine = { platform: "linux", env: {}, mark: "test" } as const;
    expect(withRepair(["command"], provider, () => {}, machine)).toBe(provider);
    expect(withRepair(["command", "codex"], provider, () => {}, machine)).not.toBe(provider);
  });
});

test("what Codex keeps of its user is its folder, or in the workspace what is there, databases of every version too [T2]", async () => {
  await using home = await tempFolder("codex-home-");
  const records = [
    ...["config.toml", "history.jsonl", "logs_2.sqlite", "logs_2.sqlite-wal", "memories_1.sqlite", "shell_snapshots"],
    ...["state_5.sqlite-shm", "thread_history_1.sqlite", "thread_history_1.sqlite-wal"],
  ];
  for (const name of [...records, "AGENTS.md", "installation_id"]) await writeFile(path.join(home.path, name), "");
  for (const name of ["sessions", "skills"]) await mkdir(path.join(home.path, name));
  const found = agentRecords({ CODEX_HOME: home.path }, home.path).map((file) => path.relative(home.path, file));
  expect(found.toSorted()).toEqual([...records, "sessions"].toSorted());
  expect(agentRecords({ CODEX_HOME: path.join(home.path, "nowhere") }, home.path)).toEqual([]);
  expect(agentRecords({ CODEX_HOME: home.path }, path.join(home.path, "../elsewhere"))).toEqual([home.path]);
});

describe("what doctor says of an agent", () => {
  test("that it is there, where a preflight finds nothing wrong and it has nothing to add", async () => {
    const config = configOf({ provider: "command", "provider-command": '["true"]' });
    expect(await agentFindings(aContext(config, "/", { PATH }))).toEqual([
      { subject: "provider command", right: { right: "there" }, permission: null, blocks: true },
    ]);
  });

  test("what its preflight finds, else", async () => {
    const right = {
      right: "missing",
      why: 'The agent\'s program "my-agent" was not found or is not executable',
      next: "Install it, or correct the command of the provider.",
    };
    expect(await agentFindings(aContext(commandConfig(), "/", { PATH }))).toEqual([
      { subject: "provider command", right, permission: null, blocks: true },
    ]);
  });
});

describe("what a turn certainly lacks [C68]", () => {
  const ANSWERS = {
    sandbox: '[ "$1" = sandbox ] && { echo "bwrap: no namespaces" >&2; exit 1; }',
    login: '[ "$1" = login ] && { echo "Not logged in" >&2; exit 1; }',
  };

  /** Subjects and reasons, for a stand-in of Codex that gives these answers. */
  async function lacks(answers: string, flags: Record<string, string> = {}, env: Record<string, string> = {}) {
    await using folder = await tempFolder();
    const program = path.join(folder.path, "codex");
    await writeFile(program, `#!/bin/sh\n${answers}\nexit 0\n`);
    await chmod(program, 0o755);
    const home = { HOME: folder.path, PATH: `${folder.path}:${PATH}` };
    // A workspace beside the program, which would not be taken from within it.
    await mkdir(path.join(folder.path, "work"));
    const given = resolve({ flags, env }).config;
    const context = aContext(given, path.join(folder.path, "work"), { ...home, HTTPS_PROXY: "http://proxy", ...env });
    const found = await (await createProvider(context)).lacks();
    return found.map(({ subject, right }) => [subject, "why" in right ? right.why : ""]);
  }

  test("nothing, where everything answers", async () => {
    expect(await lacks("")).toEqual([]);
  });

  test("a sandbox, a login", async () => {
    expect(await lacks(`${ANSWERS.sandbox}\n${ANSWERS.login}`)).toEqual([
      ["the agent's sandbox (read-only)", "The agent's sandbox cannot start: bwrap: no namespaces"],
      ["a login or a key", "Codex is not logged in"],
    ]);
  });

  test("no login is needed by a provider of the person's own, or with a key", async () => {
    const own = '["-c","model_provider=mine","-c","model_providers.mine.base_url=\\"http://127.0.0.1:9\\""]';
    expect(await lacks(ANSWERS.login, { "provider-args": own })).toEqual([]);
    expect(await lacks(ANSWERS.login, {}, { CODEX_API_KEY: "sk-1" })).toEqual([]);
  });

  test("what does not answer within two seconds is not known", async () => {
    expect(await lacks("sleep 30")).toEqual([]);
  });

  test("agents without such needs lack nothing", async () => {
    await using folder = await tempFolder();
    expect(await (await createProvider(aContext(commandConfig(), folder.path, { PATH }))).lacks()).toEqual([]);
  });
});
