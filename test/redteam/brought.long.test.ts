import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CODEX_VERSION } from "../../src/config/settings/agent.ts";
import { startCi } from "../support/ci/ci.ts";
import { publishedCodex, writePackage } from "../support/npm-registry.ts";
import { canary } from "./canaries.ts";

/** Looks at the environment of every process that begins, and tells each key that it finds: other tests have some as well. */
const WATCHER = `
  const fs = require("fs");
  const of = /canary-key-[0-9a-f]{16}/u;
  const old = new Set(fs.readdirSync("/proc"));
  const told = new Set([undefined]);
  for (;;) {
    for (const pid of fs.readdirSync("/proc")) {
      if (old.has(pid) || !/^\\d+$/u.test(pid)) continue;
      try {
        const [found] = of.exec(fs.readFileSync("/proc/" + pid + "/environ", "latin1")) ?? [];
        if (!told.has(found)) fs.writeSync(1, found);
        told.add(found);
      } catch {}
    }
  }`;

/** Codex as npm would have put it there, whose program leaves a file. @returns the folder of its programs */
async function fakeCodex(tool: string, ran: string): Promise<string> {
  const modules = path.join(tool, "node_modules");
  const [launcher, program] = publishedCodex(CODEX_VERSION);
  if (launcher === undefined || program === undefined) throw new Error("There is nothing to fake.");
  await writePackage(launcher, path.join(modules, "@openai/codex"));
  const files = Object.entries(program.files).map(([name, text]) => [name, `${text}touch '${ran}'\n`]);
  const platform = `codex-${process.platform}-${process.arch}`;
  await writePackage({ ...program, files: Object.fromEntries(files) }, path.join(modules, "@openai", platform));
  await mkdir(path.join(modules, ".bin"));
  await symlink("../@openai/codex/bin/codex.js", path.join(modules, ".bin/codex"));
  await writeFile(`${tool}.complete`, "");
  return path.join(modules, ".bin");
}

test("a Codex in the tool cache that somebody changed is not started in a job, which on the PATH would be [T21]", async () => {
  await using ci = await startCi({ byRef: true, publishes: false });
  await using machine = await ci.machine();
  const ran = path.join(machine.workspace, "ran.txt");
  const tool = path.join(machine.runner.folders.toolCache, "smithers-codex", CODEX_VERSION, process.arch);
  const bin = await fakeCodex(tool, ran);
  const job = (PATH: string) =>
    machine.run({
      inputs: {
        prompt: "x",
        "success-sh": "false",
        sandbox: "workspace-write",
        install: "never",
        "job-timeout-minutes": "60",
      },
      env: { PATH },
    });
  const { log, outputs } = await job("/usr/bin:/bin");
  expect([outputs["status"], existsSync(ran)]).toEqual(["error", false]);
  expect(log).toContain(tool);
  await job(`${bin}:/usr/bin:/bin`);
  expect(existsSync(ran)).toBe(true);
});

test("a process of an earlier step reads what main was started with, which SECURITY.md says [T2]", async () => {
  await using ci = await startCi({ byRef: true, publishes: false });
  await using machine = await ci.machine();
  const key = canary("key");
  const watcher = spawn(process.execPath, ["-e", WATCHER], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let found = "";
    watcher.stdout.setEncoding("utf8").on("data", (text: string) => (found += text));
    await once(watcher, "spawn");
    const inputs = { prompt: "x", provider: "scripted", script: "none.json", "api-key": key };
    // Main and post each begin with the job's environment, for some milliseconds: on a busy machine it has to try again.
    for (let tries = 0; !found.includes(key) && tries < 5; tries += 1) await machine.run({ inputs });
    expect(found).toContain(key);
  } finally {
    watcher.kill("SIGKILL");
  }
});
