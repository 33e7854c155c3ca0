import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  findInner,
  findOuter,
  isOutside,
  judgePath,
  keepProgramsOutside,
  leftOutOf,
  outerPath,
  startOf,
} from "../../src/os/programs.ts";
import { tempFolder } from "../support/temp-folder.ts";

afterEach(() => keepProgramsOutside([]));

describe("judging a PATH [T12]", () => {
  const LINKS: Readonly<Record<string, string>> = { "/opt/link": "/w/bin", "/usr/bin": "/usr/bin", "/bin": "/usr/bin" };
  const judge = (searchPath: string) => judgePath(searchPath, ["/w"], (file) => LINKS[file]);

  test.each([
    ["an empty entry, which is the current folder", ":/usr/bin", [""]],
    ["an empty PATH", "", [""]],
    ["relative entries", "bin:./bin:../x:.:/usr/bin", ["bin", "./bin", "../x", "."]],
    ["the folder itself and what is below, there or not", "/w:/w/a/b:/x/../w/c", ["/w", "/w/a/b", "/x/../w/c"]],
    ["a link that leads there", "/opt/link:/usr/bin", ["/opt/link"]],
    ["an entry once, however often it stands there", "a:a:/usr/bin:a", ["a"]],
  ])("leaves out %s", (_name, searchPath, leftOut) => {
    expect(judge(searchPath).leftOut).toEqual(leftOut);
  });

  test("what is outside counts once, without links; a folder whose name begins alike is outside, one that is missing is nothing", () => {
    expect(judge("/bin:/usr/bin:/gone")).toEqual({ outside: ["/usr/bin"], leftOut: [] });
    expect(judgePath("/w2", ["/w"], (file) => file)).toEqual({ outside: ["/w2"], leftOut: [] });
    expect(judgePath("/w/..x", ["/w"], (file) => file).leftOut).toEqual(["/w/..x"]);
  });
});

async function machine() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder());
  const at = (name: string) => path.join(folder.path, name);
  await Promise.all(["workspace", "usr"].map((name) => mkdir(at(name))));
  const program = async (name: string, text = "#!/bin/sh\n") => {
    await writeFile(at(name), text);
    await chmod(at(name), 0o755);
    return at(name);
  };
  keepProgramsOutside([at("workspace")]);
  const owned = stack.move();
  return { at, program, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe("finding a program [T12]", () => {
  test("the one outside is found, wherever the workspace's stands on the PATH, and goes with a PATH of its own", async () => {
    await using it = await machine();
    await it.program("workspace/tool");
    const file = await it.program("usr/tool");
    const searchPath = `${it.at("workspace")}::bin:${it.at("usr")}`;
    expect(findOuter("tool", searchPath)).toEqual({ file, path: it.at("usr") });
    expect(outerPath(searchPath)).toBe(it.at("usr"));
    expect(leftOutOf(searchPath)).toEqual([it.at("workspace"), "", "bin"]);
  });

  test("a link to a program inside is none; where the refused one is can be told", async () => {
    await using it = await machine();
    const inside = await it.program("workspace/tool");
    await symlink(inside, it.at("usr/tool"));
    expect(findOuter("tool", it.at("usr"))).toBeUndefined();
    expect(findInner("tool", it.at("usr"))).toBe(it.at("usr/tool"));
    expect([isOutside(it.at("usr/tool")), isOutside(it.at("usr"))]).toEqual([false, true]);
  });

  test("it is found once: what changes afterwards changes nothing", async () => {
    await using it = await machine();
    await it.program("usr/tool");
    const found = findOuter("tool", it.at("usr"));
    await rm(it.at("usr"), { recursive: true });
    await symlink(it.at("workspace"), it.at("usr"));
    await it.program("workspace/tool");
    expect(findOuter("tool", it.at("usr"))).toBe(found);
  });

  test("the system's temp folder, which everybody can write, is left out without being told", () => {
    expect(leftOutOf(`${tmpdir()}/bin:/var/tmp/x`)).toEqual([`${tmpdir()}/bin`, "/var/tmp/x"]);
  });

  test("without a PATH the system's folders are searched", () => {
    expect(findOuter("sh", undefined)?.file).toMatch(/\/bin\/sh$/u);
  });
});

describe("starting a script [T12]", () => {
  test.each<[string, string, (sh: string, file: string) => readonly string[] | undefined]>([
    ["a first line with a path stays", "#!/bin/sh -e", (_sh, file) => [file]],
    ["what env would look for is found here", "#!/usr/bin/env tool", (sh, file) => [sh, file]],
    ["with its arguments", "#!/usr/bin/env -S tool --flag\r", (sh, file) => [sh, "--flag", file]],
    [
      "with variables",
      "#! /usr/bin/env -S A=1 B=2 tool -x",
      (sh, file) => ["/usr/bin/env", "A=1", "B=2", sh, "-x", file],
    ],
    ["env with a path stays", "#!/usr/bin/env /bin/sh", (_sh, file) => [file]],
    ["one that is nowhere outside is none", "#!/usr/bin/env inner", () => undefined],
    ["options of env, which nobody reads here", "#!/usr/bin/env -i tool", () => undefined],
    ["no script", "\u007FELF", (_sh, file) => [file]],
    ["an empty file", "", (_sh, file) => [file]],
  ])("%s", async (_name, line, expected) => {
    await using it = await machine();
    await it.program("workspace/tool");
    await it.program("workspace/inner");
    const tool = await it.program("usr/tool");
    const file = await it.program("usr/script", `${line}\n`);
    expect(startOf(file, `${it.at("workspace")}:${it.at("usr")}`)).toEqual(expected(tool, file));
  });
});
