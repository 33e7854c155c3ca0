import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { InstallWish } from "../../../src/agents/agent.ts";
import { findCodex, installCodex } from "../../../src/agents/codex/program.ts";
import { findProgram } from "../../../src/os/environment.ts";
import { type NpmRegistry, pinsOf, publishedCodex, startNpmRegistry } from "../../support/npm-registry.ts";
import { type TempFolder, tempFolder } from "../../support/temp-folder.ts";

const VERSION = "0.9.1";
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

interface Bench extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly registry: NpmRegistry;
  readonly told: string[];
  install(change?: Partial<InstallWish>): ReturnType<typeof installCodex>;
}

/** A machine with npm, an empty tool cache, and a registry that has our Codex. */
async function bench({ packages = publishedCodex(VERSION), hangs = false, pinned = true } = {}): Promise<Bench> {
  const folder = await tempFolder();
  const known = pinned ? await pinsOf(packages, VERSION) : undefined;
  const registry = await startNpmRegistry(packages, { hangs });
  const told: string[] = [];
  const at = (name: string) => path.join(folder.path, name);
  await mkdir(at("temp"));
  await mkdir(at("bin"));
  const env = { PATH: `${at("bin")}:${SYSTEM_PATH}`, HOME: at("temp"), npm_config_registry: registry.url };
  return {
    folder,
    registry,
    told,
    install: (change) =>
      installCodex(
        {
          ...{ version: VERSION, install: "auto", env, toolCache: at("tools"), temp: at("temp") },
          ...{ tell: (line) => told.push(line), signal: new AbortController().signal, mark: "test", ...change },
        },
        known,
      ),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function putOnPath({ folder }: Bench, version: string): Promise<void> {
  const file = path.join(folder.path, "bin/codex");
  await writeFile(file, `#!/bin/sh\necho "codex-cli ${version}"\n`);
  await chmod(file, 0o755);
}

function cacheOf({ folder }: Bench): string {
  return path.join(folder.path, "tools/smithers-codex", VERSION);
}

test("the pinned version on the PATH is used as it is", async () => {
  await using machine = await bench();
  await putOnPath(machine, VERSION);
  expect(await machine.install({ install: "never" })).toMatchObject({ folder: null, from: "path" });
  expect(machine.registry.requests).toEqual([]);
  expect(machine.told).toEqual([]);
});

test("another version on the PATH does not count; npm brings the pinned one, and its time is told", async () => {
  await using machine = await bench();
  await putOnPath(machine, "0.9.10");
  const installed = await machine.install();
  const folder = path.join(cacheOf(machine), process.arch, "node_modules/.bin");
  expect(installed).toMatchObject({ folder, from: "npm" });
  expect(findCodex(undefined, folder)).toContain(path.join("vendor"));
  expect(machine.told).toEqual([
    `Installing Codex ${VERSION} with npm (the PATH has 0.9.10).`,
    expect.stringMatching(/^Codex 0\.9\.1 was installed in \d+(?:\.\d)? s\.$/u),
  ]);
  expect((await readdir(cacheOf(machine))).toSorted()).toEqual([process.arch, `${process.arch}.complete`]);
});

test("what one job installs the next finds in the tool cache", async () => {
  await using machine = await bench();
  await machine.install();
  const asked = machine.registry.requests.length;
  const again = await machine.install({ install: "never" });
  expect(again).toMatchObject({ from: "tool-cache" });
  expect(again.folder).toContain(cacheOf(machine));
  expect(machine.registry.requests).toHaveLength(asked);
});

test("a fake in the tool cache is never started: npm brings the real one, which takes its place [T21]", async () => {
  await using machine = await bench();
  const first = await machine.install();
  const program = findCodex(undefined, first.folder ?? "") ?? "";
  const was = path.join(machine.folder.path, "was-started");
  await writeFile(program, `#!/bin/sh\ntouch '${was}'\necho 'codex-cli ${VERSION}'\n`);
  const again = await machine.install();
  expect(again).toEqual({ from: "npm", folder: first.folder });
  expect(machine.told).toContainEqual(
    expect.stringMatching(/is not what was published: nothing of it was started\.$/u),
  );
  expect(existsSync(was)).toBe(false);
  expect(await readFile(program, "utf8")).not.toContain(was);
  expect(await machine.install({ install: "never" })).toMatchObject({ from: "tool-cache" });
});

test("a version that is not known by its digests is taken from no cache, not even npm's own [T21]", async () => {
  await using machine = await bench({ pinned: false });
  const first = await machine.install();
  const asked = machine.registry.requests.length;
  const again = await machine.install();
  expect([first.from, again.from]).toEqual(["npm", "npm"]);
  expect(first.folder).toContain(path.join(machine.folder.path, "temp"));
  expect(machine.registry.requests).toHaveLength(2 * asked);
  const before = { problems: [{ what: expect.stringContaining("there is none on the PATH") }] };
  await expect(machine.install({ install: "never" })).rejects.toMatchObject(before);
  expect(await readdir(path.join(machine.folder.path, "temp/smithers"))).toEqual(["tools"]);
});

test("what a registry serves in the place of the pinned version is not started [T21]", async () => {
  await using machine = await bench();
  const was = path.join(machine.folder.path, "was-started");
  const fakes = publishedCodex(VERSION).map((one) => ({
    ...one,
    files: Object.fromEntries(Object.entries(one.files).map(([name, text]) => [name, `${text}touch '${was}'\n`])),
  }));
  await using registry = await startNpmRegistry(fakes);
  const env = { PATH: SYSTEM_PATH, HOME: machine.folder.path, npm_config_registry: registry.url };
  await expect(machine.install({ env })).rejects.toMatchObject({ code: "AGENT_NOT_GENUINE" });
  expect(existsSync(was)).toBe(false);
  expect(await readdir(cacheOf(machine))).toEqual([]);
});

test("jobs that install at the same time both have it", async () => {
  await using machine = await bench();
  const [one, two] = await Promise.all([machine.install(), machine.install()]);
  expect(one.folder).toBe(two.folder);
  expect(findCodex(undefined, one.folder ?? "")).toBeDefined();
  expect((await readdir(cacheOf(machine))).toSorted()).toEqual([process.arch, `${process.arch}.complete`]);
});

test("half a tool is not a tool", async () => {
  await using machine = await bench();
  await mkdir(path.join(cacheOf(machine), process.arch, "node_modules"), { recursive: true });
  expect(await machine.install()).toMatchObject({ from: "npm" });
  expect((await readdir(cacheOf(machine))).toSorted()).toEqual([process.arch, `${process.arch}.complete`]);
});

test.for([
  { name: "there is no tool cache", toolCache: () => null },
  { name: "the tool cache cannot be written", toolCache: (folder: string) => path.join(folder, "bin/file/tools") },
])("the temp folder serves where $name", async ({ toolCache }) => {
  await using machine = await bench();
  await writeFile(path.join(machine.folder.path, "bin/file"), "");
  const installed = await machine.install({ toolCache: toolCache(machine.folder.path) });
  expect(installed.folder).toContain(path.join(machine.folder.path, "temp"));
});

test("neither the checkout's npm settings nor a package's scripts have a say", async () => {
  await using machine = await bench();
  const checkout = path.join(machine.folder.path, "checkout");
  await mkdir(checkout);
  await writeFile(path.join(checkout, ".npmrc"), "registry=http://127.0.0.1:1/\n");
  await writeFile(path.join(machine.folder.path, "package.json"), '{ "workspaces": ["temp/**", "tools/**"] }');
  const env = { PATH: SYSTEM_PATH, HOME: checkout, npm_config_registry: machine.registry.url };
  await machine.install({ env: { ...env, npm_config_userconfig: "/dev/null", npm_config_omit: "optional" } });
  expect(machine.registry.requests).toContain("/@openai/codex");
});

test.for([
  { found: null, what: "there is none on the PATH", next: "npm install --global @openai/codex@0.9.1" },
  { found: "1.0.0", what: "the one on the PATH is 1.0.0", next: "Set provider-version: 1.0.0" },
])("install never with $found on the PATH is a clear refusal", async ({ found, what, next }) => {
  await using machine = await bench();
  if (found !== null) await putOnPath(machine, found);
  const problems = [{ what: expect.stringContaining(what), next: expect.stringContaining(next) }];
  await expect(machine.install({ install: "never" })).rejects.toMatchObject({ name: "UsageError", problems });
  expect(machine.registry.requests).toEqual([]);
});

test.for(["latest", "^0.9.1", "0.9", "file:../x", "0.9.1 --registry=x"])("%s is no exact version", async (version) => {
  await using machine = await bench();
  await expect(machine.install({ version })).rejects.toMatchObject({ name: "UsageError" });
  expect(machine.registry.requests).toEqual([]);
});

test("a version that the registry does not have is told with npm's own reason", async () => {
  await using machine = await bench({ packages: publishedCodex("0.9.2") });
  const error = { code: "AGENT_INSTALL_FAILED", message: expect.stringContaining("ETARGET") };
  await expect(machine.install()).rejects.toMatchObject(error);
  expect(await readdir(cacheOf(machine))).toEqual([]);
});

test("a package that brings another version is not used", async () => {
  await using machine = await bench({ packages: publishedCodex(VERSION, "0.9.0") });
  await expect(machine.install()).rejects.toThrow("says that it is 0.9.0");
  expect(await readdir(cacheOf(machine))).toEqual([]);
});

test("a package without a program for this machine is not used", async () => {
  const [launcher] = publishedCodex(VERSION);
  await using machine = await bench({ packages: launcher === undefined ? [] : [launcher] });
  await expect(machine.install()).rejects.toThrow(`npm installed @openai/codex@${VERSION}, but it`);
});

test("without npm there is a clear error", async () => {
  await using machine = await bench();
  await expect(machine.install({ env: { PATH: "" } })).rejects.toThrow("there is no npm on the PATH");
});

test.for([
  { name: "its time is up", change: () => ({ timeoutMs: 1_500 }), why: "it took longer than 1.5 s" },
  {
    name: "the run is cancelled",
    change: () => ({ signal: AbortSignal.timeout(1_500) }),
    why: "the run was cancelled",
  },
])("npm is ended when $name, and leaves nothing", async ({ change, why }) => {
  await using machine = await bench({ hangs: true });
  const begin = performance.now();
  await expect(machine.install(change())).rejects.toThrow(why);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect(await readdir(cacheOf(machine))).toEqual([]);
});

test("npm sees what configures it, and none of the job's secrets", async () => {
  await using machine = await bench();
  const spy = path.join(machine.folder.path, "bin/npm");
  const real = await realpath(findProgram("npm", SYSTEM_PATH) ?? "");
  const seen = path.join(machine.folder.path, "seen");
  await writeFile(spy, `#!/bin/sh\nenv > '${seen}'\nexec node '${real}' "$@"\n`);
  await chmod(spy, 0o755);
  const env = {
    ...{ PATH: `${path.dirname(spy)}:${SYSTEM_PATH}`, HOME: machine.folder.path },
    ...{ npm_config_registry: machine.registry.url, NODE_AUTH_TOKEN: "for-npm" },
    ...{ "INPUT_API-KEY": "sk-1", ACTIONS_RUNTIME_TOKEN: "t", GITHUB_TOKEN: "g", NODE_OPTIONS: "--no-warnings" },
  };
  await machine.install({ env });
  const names = (await readFile(seen, "utf8")).split("\n").map((line) => line.split("=", 1)[0]);
  expect(names).toEqual(expect.arrayContaining(["PATH", "HOME", "npm_config_registry", "NODE_AUTH_TOKEN"]));
  const secrets = names.filter((name = "") => /^(?:INPUT_|ACTIONS_|GITHUB_|NODE_OPTIONS)/u.test(name));
  expect(secrets).toEqual([]);
});
