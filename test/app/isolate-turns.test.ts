import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBubblewrap, turnsInIsolation } from "../../src/agents/registry.ts";
import { isolateTurns } from "../../src/app/isolate-turns.ts";
import { keepProgramsOutside } from "../../src/os/programs.ts";
import { systemClock } from "../../src/os/clock.ts";
import { placeOf } from "../../src/store/place.ts";
import { type Given, resolve } from "../config/support.ts";
import { aContext } from "../contract/agent-contract.ts";
import { finish, shell } from "../support/supervised-shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

const REAL = findBubblewrap(`${path.join(import.meta.dirname, "../../node_modules/.bin")}:${process.env["PATH"]}`);
const AGENT = { flags: { provider: "command" }, env: { SMITHERS_PROVIDER_COMMAND: '["true"]' } };

/** A machine whose bubblewrap works only once it is repaired. */
async function machine(given: Given, isRepairable = false) {
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const at = (name: string): string => path.join(folder.path, name);
  for (const name of ["bin", "work", "home"]) await mkdir(at(name));
  const bubblewrap = `#!/bin/sh\necho x >> ${at("tries")}\n[ -e ${at("repaired")} ] || { echo "bwrap: setting up uid map: Permission denied" >&2; exit 1; }\nexec ${REAL} "$@"\n`;
  await writeFile(at("bin/bwrap"), bubblewrap, { mode: 0o755 });
  const env = { PATH: `${at("bin")}:/usr/bin:/bin`, HOME: at("home") };
  const { config } = resolve(given);
  const place = placeOf(at("work"), "loop", null);
  const said: string[] = [];
  const context = { ...aContext(config, place.root, env), clock: systemClock };
  const repair = async () => writeFile(at("repaired"), "").then(() => true);
  const isolated = { place, config, env, repairMachine: isRepairable ? repair : undefined };
  const turns = isolateTurns(isolated, context, (text) => said.push(text));
  return { turns, said, at, repair };
}

test("turns that cannot be isolated are told before the start, with the reason", async () => {
  const { turns, said } = await machine(AGENT);
  expect(await turns.announce()).toEqual([]);
  expect(said).toEqual([
    expect.stringMatching(/not isolated \(setting up uid map: Permission denied\).*require-isol/u),
  ]);
  expect(await turns.isolation()).toBeUndefined();
});

test("a machine that can be repaired is tried again before anything is said", async () => {
  const { turns, said } = await machine(AGENT, true);
  expect(await turns.announce()).toEqual([]);
  expect(said).toEqual([]);
  expect((await turns.isolation())?.overlays).toBe(true);
});

test("require-isolation refuses, and says what to do", async () => {
  const { turns, said } = await machine({ ...AGENT, flags: { ...AGENT.flags, "require-isolation": "on" } });
  const [problem] = await turns.announce();
  expect(problem).toMatchObject({ code: "ISOLATION_REQUIRED" });
  expect(problem?.what).toContain("Permission denied");
  expect(said).toEqual([]);
});

test("Docker makes the agent root although its turns are isolated: that is said, or refused [T3]", async () => {
  const flags = { ...AGENT.flags, "agent-access": "docker" };
  const usual = await machine({ ...AGENT, flags }, true);
  expect(await usual.turns.announce()).toEqual([]);
  expect(usual.said).toEqual([expect.stringMatching(/not isolated \(agent-access has docker: they are root here\)/u)]);
  const required = await machine({ ...AGENT, flags: { ...flags, "require-isolation": "on" } }, true);
  expect(await required.turns.announce()).toMatchObject([{ code: "ISOLATION_REQUIRED" }]);
});

test("a script of a person's own is isolated where it is required, and nothing is tried where it is not", async () => {
  const flags = { provider: "scripted", script: "turns.json" };
  const usual = await machine({ flags });
  expect(await usual.turns.announce()).toEqual([]);
  expect([usual.said, existsSync(usual.at("tries"))]).toEqual([[], false]);
  const required = await machine({ flags: { ...flags, "require-isolation": "on" } });
  await required.repair();
  expect(await required.turns.announce()).toEqual([]);
  expect(await readFile(required.at("tries"), "utf8")).not.toBe("");
});

test("Codex keeps its sessions, and its login only where there is no key of ours [T2]", async () => {
  await using home = await tempFolder();
  const env = { PATH: "", CODEX_HOME: home.path };
  const accessWith = async (more: Record<string, string>) => {
    const { config } = resolve({ env: more });
    return (await turnsInIsolation(aContext(config, home.path, env))?.needs(true))?.access;
  };
  const [sessions, login] = [`${home.path}/sessions:rw`, `${home.path}/auth.json:rw`];
  expect(await accessWith({})).toEqual([sessions, login]);
  expect(await accessWith({ SMITHERS_API_KEY: "sk-0123456789abcdef" })).toEqual([sessions]);
});

test.each<[string, string, readonly string[], string]>([
  ["a turn of another agent reads none", "other", [], ""],
  ["exact words open one of them", "other", ["agent-access"], "CANARY-claude"],
  ["an agent has its own", "claude", [], "CANARY-claudeCANARY-claude"],
])("logins of agents are hidden from turns: %s [T2]", async (_what, program, words, found) => {
  await using folder = await tempFolder();
  const at = (name: string): string => path.join(folder.path, name);
  for (const name of ["work", "bin", "home/.claude", "home/.gemini", "home/.config/github-copilot"])
    await mkdir(at(name), { recursive: true });
  const [claude, others] = [
    [".claude/login", ".claude.json"],
    [".gemini/oauth", ".config/github-copilot/hosts"],
  ];
  for (const name of claude) await writeFile(at(`home/${name}`), "CANARY-claude");
  for (const name of others) await writeFile(at(`home/${name}`), "CANARY-other");
  await writeFile(at(`bin/${program}`), "#!/bin/sh\n", { mode: 0o755 });
  const flags = { ...AGENT.flags, ...(words.length > 0 && { "agent-access": at("home/.claude") }) };
  const { config } = resolve({ flags, env: { SMITHERS_PROVIDER_COMMAND: JSON.stringify([at(`bin/${program}`)]) } });
  keepProgramsOutside([]);
  const env = { PATH: `${path.dirname(REAL ?? "")}:/usr/bin:/bin`, HOME: at("home") };
  const place = placeOf(at("work"), "loop", null);
  const context = { ...aContext(config, place.root, env), clock: systemClock };
  const isolation = await isolateTurns({ place, config, env }, context, () => {}).isolation();
  if (isolation === undefined) throw new Error("not isolated");
  const script = `cd; cat ${[...claude, ...others].join(" ")}; exit 0`;
  const launcher = await isolation.launcher();
  const { stdout } = await finish(shell(script, { cwd: at("work"), env, isolation: launcher }));
  expect(stdout).toBe(found);
});

test("of an agent that is a script, a turn finds the script and what its first line starts [T2]", async () => {
  await using machine = await tempFolder();
  const script = path.join(machine.path, "agent");
  await writeFile(script, "#!/usr/bin/env sh\n", { mode: 0o755 });
  keepProgramsOutside([]);
  const { config } = resolve({ ...AGENT, env: { SMITHERS_PROVIDER_COMMAND: JSON.stringify([script]) } });
  const work = path.join(machine.path, "work");
  const needs = await turnsInIsolation(aContext(config, work, { PATH: "/usr/bin:/bin" }))?.needs(true);
  expect(needs?.access).toEqual([expect.stringMatching(/\/bin\/sh$/u), script]);
});

test.each([
  ["a binary of its own: the file alone", "home/bin/codex", "home/bin/codex"],
  [
    "its package's: the platform's folder",
    "modules/@openai/vendor/x86_64-linux/bin/codex",
    "modules/@openai/vendor/x86_64-linux",
  ],
])("of Codex a turn finds its program where it is hidden; %s [T2]", async (_what, file, opened) => {
  await using machine = await tempFolder();
  const program = path.join(machine.path, file);
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
  keepProgramsOutside([]);
  const env = { PATH: path.dirname(program), CODEX_HOME: path.join(machine.path, "codex") };
  const { config } = resolve({ env: {} });
  const needs = await turnsInIsolation(aContext(config, machine.path, env))?.needs(true);
  expect(needs?.access[0]).toBe(path.join(machine.path, opened));
});
