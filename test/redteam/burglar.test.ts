import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { killDaemons, lootOf } from "./break-in.ts";
import { canary } from "./canaries.ts";
import { USERS } from "./users.ts";

const AGENTS = path.join(import.meta.dirname, "../fixtures/agents");

/** Where Yama guards memory, only parents, tracers and root get at it. */
function memoryIsOpen(): boolean {
  try {
    return readFileSync("/proc/sys/kernel/yama/ptrace_scope", "utf8").trim() === "0";
  } catch {
    return true;
  }
}

/** A port that nobody has. */
async function freePort(): Promise<number> {
  await using server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test.for(USERS)("the burglar finds all that a plain program gives away ($who) [T2]", async ({ user }) => {
  await using folder = await tempFolder("burglar-");
  const at = (name: string): string => path.join(folder.path, name);
  for (const name of ["victim", "home", "bin"]) await mkdir(at(name));
  copyFileSync(`${AGENTS}/victim.mjs`, at("victim/victim.mjs"));
  copyFileSync(`${AGENTS}/burglar.mjs`, at("burglar.mjs"));
  await writeFile(at("bin/sudo"), "#!/bin/sh\necho 0\n");
  await chmod(at("bin/sudo"), 0o755);
  const values = { argument: canary("argument"), env: canary("env"), file: canary("file"), memory: canary("memory") };
  await writeFile(at("open.txt"), values.file);
  const port = await freePort();
  const targets = { evil: port, homes: [at("home")], temp: "/nowhere", dist: at("victim"), sockets: [] };
  await writeFile(at("targets.json"), JSON.stringify({ ...targets, inspector: port }));
  await user?.takes([folder.path]);
  const [command, ...before] = [...(user?.wrapper ?? []), process.execPath];
  const start = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    spawn(command, [...before, ...args], { cwd: folder.path, env, stdio: ["ignore", "pipe", "ignore"] });
  const victim = start([`--inspect-port=${port}`, at("victim/victim.mjs"), at("open.txt"), values.argument], {
    ...{ SECRET: values.env, KEPT: values.memory.replaceAll("-", "_") },
  });
  try {
    await Promise.race([once(victim.stdout, "data"), once(victim, "close")]);
    const burglar = start(["burglar.mjs", "turn"], { PATH: `${at("bin")}:${process.env["PATH"] ?? ""}` });
    burglar.stdout.resume();
    await once(burglar, "close");
  } finally {
    victim.kill("SIGKILL");
    killDaemons(port);
  }
  const { tried, victims, got } = lootOf(at("loot-turn.json"));
  expect([tried.length, victims]).toEqual([10, 1]);
  const found = (attack: string, value: string) => got.some((one) => one.attack === attack && one.value === value);
  const isRoot = user === undefined && process.getuid?.() === 0;
  expect({
    environment: found("environment of a process", values.env),
    argument: found("command line of a process", values.argument),
    file: found("open file of a process", values.file),
    memory: found("memory of a process", values.memory),
    inspector: found("inspector of a process", "opened"),
    sudo: found("sudo", "root"),
  }).toEqual({
    ...{ environment: true, argument: true, file: true, memory: isRoot || memoryIsOpen() },
    ...{ inspector: true, sudo: !isRoot },
  });
});
