import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { installCodex } from "../../../src/agents/codex/program.ts";
import { PINS } from "../../../src/agents/codex/published.ts";
import { CODEX_VERSION } from "../../../src/config/settings/agent.ts";
import { pinsOf, publishedCodex, writePackage } from "../../support/npm-registry.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const VERSION = "0.9.1";
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGES = publishedCodex(VERSION);

/** A self-hosted machine on which an earlier job has installed Codex, and then `attack` came. */
async function restored(attack: (scope: string, was: string) => Promise<void>) {
  await using folder = await tempFolder();
  const at = (name: string): string => path.join(folder.path, name);
  const tool = at(`tools/smithers-codex/${VERSION}/${process.arch}`);
  const scope = path.join(tool, "node_modules/@openai");
  const [launcher, program] = PACKAGES;
  if (launcher === undefined || program === undefined) throw new Error("two packages");
  await writePackage(launcher, path.join(scope, "codex"));
  await writePackage(program, path.join(scope, `codex-${PLATFORM}`));
  await mkdir(path.join(scope, "../.bin"));
  await symlink("../@openai/codex/bin/codex.js", path.join(scope, "../.bin/codex"));
  await writeFile(path.join(scope, "../.package-lock.json"), "{}");
  await writeFile(`${tool}.complete`, "");
  const was = at("was-started");
  await attack(scope, was);
  const told: string[] = [];
  const [toolCache, temp, { signal }] = [at("tools"), at("temp"), new AbortController()];
  await mkdir(temp);
  const env = { PATH: "/usr/bin:/bin" };
  const tell = (line: string): unknown => told.push(line);
  const wish = { version: VERSION, install: "never", env, toolCache, temp, tell, signal, mark: "test" } as const;
  const found = await installCodex(wish, await pinsOf(PACKAGES, VERSION)).catch((error: unknown) => error);
  return { found, told, started: existsSync(was) };
}

const FAKE = (was: string): string => `#!/bin/sh\ntouch '${was}'\necho 'codex-cli ${VERSION}'\n`;

async function writeProgram(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
}

const native = (scope: string): string => {
  const [, program] = PACKAGES;
  return path.join(scope, `codex-${PLATFORM}`, Object.keys(program?.files ?? {})[0] ?? "");
};

describe("what is taken from the tool cache [T21]", () => {
  test("is used when it is what was published", async () => {
    const { found, told } = await restored(async () => {});
    expect(found).toMatchObject({ from: "tool-cache" });
    expect(told).toEqual([]);
  });

  test.for([
    { name: "another program", attack: async (scope, was) => writeProgram(native(scope), FAKE(was)) },
    {
      name: "a link in the place of the program",
      attack: async (scope, was) => {
        await writeProgram(was.replace("was-started", "fake"), FAKE(was));
        await rename(native(scope), `${native(scope)}-old`);
        await symlink(was.replace("was-started", "fake"), native(scope));
      },
    },
    {
      name: "a package in the launcher's own node_modules, which is found first",
      attack: async (scope, was) => {
        const fake = path.join(scope, `codex/node_modules/@openai/codex-${PLATFORM}`);
        await writeProgram(
          path.join(fake, path.relative(path.join(scope, `codex-${PLATFORM}`), native(scope))),
          FAKE(was),
        );
        await writeFile(path.join(fake, "package.json"), "{}");
      },
    },
    {
      name: "a bubblewrap beside the program",
      attack: async (scope, was) =>
        writeProgram(path.join(path.dirname(native(scope)), "../codex-resources/bwrap"), FAKE(was)),
    },
    {
      name: "a git beside the launcher, first on our PATH",
      attack: async (scope, was) => writeProgram(path.join(scope, "../.bin/git"), FAKE(was)),
    },
    {
      name: "the whole package as a link to another place",
      attack: async (scope) => {
        const elsewhere = path.join(scope, "../../../elsewhere");
        await rename(path.join(scope, "codex"), elsewhere);
        await symlink(elsewhere, path.join(scope, "codex"));
      },
    },
  ] satisfies { name: string; attack: (scope: string, was: string) => Promise<void> }[])(
    "is refused before anything of it is started: $name",
    async ({ attack }) => {
      const { found, told, started } = await restored(attack);
      expect(found).toMatchObject({ problems: [{ code: "AGENT_NOT_INSTALLED" }] });
      expect(told).toEqual([expect.stringMatching(/is not what was published: nothing of it was started\.$/u)]);
      expect(started).toBe(false);
    },
  );

  test("the digests are of the version that is installed by itself, for every platform", async () => {
    const lock = await readFile(path.join(import.meta.dirname, "../../../package-lock.json"), "utf8");
    expect([PINS.version, JSON.parse(lock).packages["node_modules/@openai/codex"].version]).toEqual([
      CODEX_VERSION,
      CODEX_VERSION,
    ]);
    expect(Object.keys(PINS.programs)).toEqual(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);
  });
});
