#!/usr/bin/env node
// The demonstration: a small repository with a failing test suite, and a loop that gets it green.
//
//   npm run demo                        a scripted agent; needs nothing but git and Node 20.19 or newer
//   npm run demo -- --provider codex    the real Codex binary against a model server on this machine; needs `npm ci`
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { FILES, PROMPT } from "./task.mjs";

const PROJECT = path.resolve(import.meta.dirname, "../..");
const CLI = path.join(PROJECT, "dist/cli/index.js");

const say = (line = "") => process.stdout.write(`${line}\n`);

function makeRepository(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(FILES)) writeFileSync(path.join(folder, name), content);
  const git = (...args) => execFileSync("git", args, { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", "commit", "-q", "-m", "A shop with two bugs");
}

function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function agentFor(provider, home) {
  if (provider === "scripted") {
    return { flags: ["--script", path.join(import.meta.dirname, "script.json")], env: {}, close: async () => {} };
  }
  const module = pathToFileURL(path.join(import.meta.dirname, "codex.ts")).href;
  const { startCodexDemo } = await import(module);
  return startCodexDemo(home);
}

function providerFrom(argv) {
  const [flag, provider = "scripted"] = argv;
  const known = flag === undefined || (flag === "--provider" && ["scripted", "codex"].includes(provider));
  if (!known || argv.length > 2) {
    process.stderr.write("usage: npm run demo [-- --provider scripted|codex]\n");
    process.exit(64);
  }
  return provider;
}

const provider = providerFrom(process.argv.slice(2));
const folder = path.join(PROJECT, ".demo", new Date().toISOString().replaceAll(/[:.]/g, "-"));
const repository = path.join(folder, "shop");
makeRepository(repository);

say(`A small repository with a failing test suite: ${repository}`);
say();
const red = await run(process.execPath, ["--test"], { cwd: repository, stdio: "ignore" });
say(`$ node --test    → exit code ${red} (red)`);
const agent = await agentFor(provider, path.join(folder, "codex-home"));
const args = [PROMPT, "--provider", provider, ...agent.flags, "--quality-commands", "node --test", "--full-auto"];
say(`$ smithers "${PROMPT}" --provider ${provider} … --quality-commands "node --test" --full-auto`);
say();
let exitCode;
try {
  const env = { ...process.env, ...agent.env };
  exitCode = await run(process.execPath, [CLI, ...args, "--cd", repository], { cwd: repository, env });
} finally {
  await agent.close();
}
say();
const green = await run(process.execPath, ["--test"], { cwd: repository, stdio: "ignore" });
say(`$ node --test    → exit code ${green} (${green === 0 ? "green" : "red"})`);
say(execFileSync("git", ["diff", "--stat"], { cwd: repository, encoding: "utf8" }).trimEnd());
say();
const { stdout: report } = spawnSync(process.execPath, [CLI, "report"], { cwd: repository, encoding: "utf8" });
say(`The repository: ${repository}`);
say(`The loop's files: ${path.join(repository, ".codex/waylon-smithers/loops")}`);
say(`The report, for a browser: ${report.trim()}`);
process.exitCode = exitCode;
