import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findCodex, installCodex, whyNoCodex } from "../../../src/agents/codex/program.ts";
import { tempFolder } from "../../support/temp-folder.ts";

const BIN = path.join(import.meta.dirname, "../../../node_modules/.bin");
const NATIVE = /codex-[a-z]+-[a-z0-9]+\/vendor\/[^/]+\/bin\/codex$/u;

describe("which program is Codex [C15]", () => {
  test("npm's launcher on PATH becomes the native program", () => {
    expect(findCodex(undefined, `/nowhere:${BIN}`)).toMatch(NATIVE);
  });

  test("npm's launcher given as a path becomes the native program", () => {
    expect(findCodex(path.join(BIN, "codex"), "")).toMatch(NATIVE);
  });

  test("any other program is taken as it is", async () => {
    await using folder = await tempFolder();
    const program = path.join(folder.path, "my-codex");
    await writeFile(program, "#!/bin/sh\n");
    await chmod(program, 0o755);
    expect(findCodex("my-codex", `/nowhere::${folder.path}`)).toBe(program);
    expect(findCodex(program, "")).toBe(program);
  });

  test("a launcher without its platform's package is not Codex", async () => {
    await using folder = await tempFolder();
    const launcher = path.join(folder.path, "lib/@openai/codex/bin/codex.js");
    await mkdir(path.dirname(launcher), { recursive: true });
    await writeFile(launcher, "");
    await symlink(launcher, path.join(folder.path, "codex"));
    // The package is looked for in every folder above as well, where this repository has it.
    const found = findCodex(undefined, folder.path);
    expect(found === undefined || NATIVE.test(found)).toBe(true);
    expect(found).not.toBe(launcher);
  });

  test.each([
    [undefined, ""],
    ["codex", "/nowhere"],
    ["/nowhere/codex", BIN],
    [BIN, ""],
  ])("%j with PATH %j is not there", (given, searchPath) => {
    expect(findCodex(given, searchPath)).toBeUndefined();
  });
});

test.each<[platform: string, arch: string, why: string | null]>([
  ["linux", "x64", null],
  // Its packages for Linux are static: glibc, musl and none at all are the same.
  ["linux", "arm64", null],
  ["darwin", "x64", null],
  ["darwin", "arm64", null],
  ["win32", "x64", null],
  ["win32", "arm64", null],
  ["linux", "arm", "on Linux it is made for x64 and arm64, not for arm, and this Node.js has 32 bits"],
  ["win32", "ia32", "on Windows it is made for x64 and arm64, not for ia32, and this Node.js has 32 bits"],
  ["linux", "riscv64", "on Linux it is made for x64 and arm64, not for riscv64"],
  ["linux", "s390x", "on Linux it is made for x64 and arm64, not for s390x"],
  ["freebsd", "x64", "it is not made for freebsd"],
])("npm has a Codex for %s-%s: %s [C97]", async (platform, arch, why) => {
  const found = whyNoCodex({ platform, arch });
  expect(found?.why.slice(0, why?.length) ?? null).toBe(why);
});

test("the table is what the package of this version names [C97]", async () => {
  const file = createRequire(import.meta.url).resolve("@openai/codex/package.json");
  const { optionalDependencies } = JSON.parse(await readFile(file, "utf8"));
  const named = Object.keys(optionalDependencies).map((name) => name.replace("@openai/codex-", ""));
  const fits = (name: string): boolean => {
    const [platform = "", arch = ""] = name.split("-");
    return whyNoCodex({ platform, arch }) === null;
  };
  expect(named.filter((name) => !fits(name))).toEqual([]);
  expect(named).toHaveLength(6);
});

test("where there is no Codex to install, it is said at once, with what can be done [C97]", async () => {
  await using folder = await tempFolder();
  const told: string[] = [];
  const place = { toolCache: null, temp: folder.path, mark: "test", signal: new AbortController().signal };
  const wish = {
    ...place,
    version: "0.169.0",
    install: "auto",
    env: { PATH: folder.path },
    tell: (line: string) => told.push(line),
  } as const;
  const refused = await installCodex(wish, undefined, { platform: "linux", arch: "arm" }).catch(
    (error: unknown) => error,
  );
  expect(String(refused)).toContain("Codex 0.169.0 cannot be installed on linux-arm");
  expect(refused).toMatchObject({ problems: [{ next: expect.stringContaining("provider: command") }] });
  expect(told).toEqual([expect.stringContaining("apk add --no-cache bash git tar")]);
});
