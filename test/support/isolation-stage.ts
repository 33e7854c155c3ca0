import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { onTestFinished } from "vitest";
import { findBubblewrap } from "../../src/agents/registry.ts";
import { type IsolationOptions, isolatedEnvironment, prepareIsolation } from "../../src/os/isolation/isolation.ts";
import { finish, shell } from "./supervised-shell.ts";
import { tempFolder } from "./temp-folder.ts";

export const PATH = process.env["PATH"] ?? "";

/** A machine of its own: a home with secrets, a workspace in it, and a folder of the loop in that. */
export async function stage(options: Partial<IsolationOptions> = {}) {
  const machine = await tempFolder("isolation-");
  onTestFinished(() => machine[Symbol.asyncDispose]());
  const at = (name: string): string => path.join(machine.path, name);
  for (const folder of ["home/.ssh", "home/.cache", "work/states/loop", "temp", "scratch", "elsewhere"])
    await mkdir(at(folder), { recursive: true });
  await writeFile(at("home/.ssh/id"), "CANARY-key");
  await writeFile(at("home/.npmrc"), "//registry/:_authToken=CANARY-npm");
  await writeFile(at("home/.cache/old"), "old");
  await writeFile(at("work/states/loop.json"), "ours");
  await writeFile(at("temp/commands"), "CANARY-temp");
  const env = { PATH, HOME: at("home"), TMPDIR: at("temp") };
  const prepared = await prepareIsolation({
    ...{ bubblewrap: findBubblewrap(PATH), env, mark: `test-${machine.path}`, cwd: at("work"), writable: [] },
    ...{ readOnly: [at("work/states")], hidden: [at("temp")], toolCaches: [], access: [], scratch: at("scratch") },
    ...options,
  });
  if (!prepared.ok) throw new Error(prepared.trouble.because);
  const { launcher, lacks, refusal } = prepared.value;
  const start = async (script: string, more = {}) =>
    shell(script, { cwd: at("work"), env: isolatedEnvironment(env), isolation: await launcher(), ...more });
  return { at, start, lacks, refusal, run: async (script: string) => finish(await start(script)) };
}
