import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { violations } from "./layers.ts";

const SOURCE = path.join(import.meta.dirname, "../../src");

describe("src/ is divided into layers that import in one direction [R-03]", () => {
  test("no file of src/ imports what its layer may not", async () => {
    const found: string[] = [];
    for await (const name of glob("**/*.ts", { cwd: SOURCE })) {
      found.push(...violations(name.replaceAll(path.sep, "/"), await readFile(path.join(SOURCE, name), "utf8")));
    }
    expect(found.join("\n")).toBe("");
  });
});

describe("what few need is loaded by who asks for it alone [C127]", () => {
  const VIEW = /^src\/(?:live|commands\/watch)\//u;
  const ZIP = /^src\/carry\/zip-archive\.ts$/u;

  const STATIC: readonly string[] = ["import-statement"];
  const ALL: readonly string[] = [...STATIC, "dynamic-import"];

  test.each([
    ["the view, by the command line before a command is known", "src/command-line.ts", STATIC, VIEW, false],
    ["the view, by a job, ever", "src/action.ts", ALL, VIEW, false],
    ["the view, by the command line, once it is asked for", "src/command-line.ts", ALL, VIEW, true],
    ["the reader of artifacts, by the view of a loop here", "src/commands/watch/watch.ts", STATIC, ZIP, false],
    ["the reader of artifacts, by the view, once one is named", "src/commands/watch/watch.ts", ALL, ZIP, true],
  ] as const)("%s", async (_, entry, kinds, what, isLoaded) => {
    const { metafile } = await build({
      ...{ entryPoints: [entry], absWorkingDir: path.join(SOURCE, ".."), outdir: "unwritten", write: false },
      ...{ bundle: true, splitting: true, format: "esm", platform: "node", packages: "external", metafile: true },
      logLevel: "error",
    });
    const loaded = new Set<string>([entry]);
    for (const file of loaded)
      for (const { kind, path: imported, external } of metafile.inputs[file]?.imports ?? [])
        if (external !== true && kinds.includes(kind)) loaded.add(imported);
    expect(loaded.size).toBeGreaterThan(100);
    expect([...loaded].some((file) => what.test(file))).toBe(isLoaded);
  });
});

describe("the layer test can fail [R-03]", () => {
  const forbidden: readonly [why: string, file: string, source: string, message: string][] = [
    ["core and Node", "core/a.ts", `import { readFile } from "node:fs/promises";`, "core may not import node:fs"],
    ["core and a package", "core/a.ts", `import { a } from "undici";`, "core may not import undici"],
    ["core and a side effect", "core/a.ts", `import "../os/a.ts";`, "core may not import os"],
    ["core and a re-export", "core/a.ts", `export { a } from "../app/a.ts";`, "core may not import app"],
    ["core and a star re-export", "core/a.ts", `export * from "../views/a.ts";`, "core may not import views"],
    ["core and a type import", "core/a.ts", `import type { A } from "../views/a.ts";`, "core may not import views"],
    ["core and an import type", "core/a.ts", `let a: import("node:net").Socket;`, "core may not import node:net"],
    ["core and a dynamic import", "core/a.ts", `await import("node:fs");`, "core may not import node:fs"],
    ["a computed import", "app/a.ts", `await import(name);`, "an import is computed"],
    ["core and the clock", "core/a.ts", `const now = Date.now();`, "core may not use Date.now"],
    ["core and a date's clock", "core/a.ts", `const now = Date();`, "core may not use Date()"],
    ["core and the clock by its name", "core/a.ts", `const now = Date["now"]();`, "core may not use Date."],
    ["core and the clock taken out", "core/a.ts", `const { now } = Date;`, "core may not use Date."],
    ["core and the clock renamed", "core/a.ts", `const C = Date; const now = new C();`, "core may not use Date."],
    ["core and a date of what may be nothing", "core/a.ts", `new Date(...given);`, "core may not use new Date()"],
    ["core and today", "core/a.ts", `const now = new Date();`, "core may not use new Date()"],
    ["core and chance", "core/a.ts", `const chance = Math.random();`, "core may not use Math.random"],
    ["core and chance taken out", "core/a.ts", `const { random } = Math;`, "core may not use Math."],
    ["core and the environment", "core/a.ts", `const home = process.env["HOME"];`, "core may not use process"],
    ["core and a shorthand", "core/a.ts", `const world = { process };`, "core may not use process"],
    ["core and a timer", "core/a.ts", `setTimeout(() => {}, 1);`, "core may not use setTimeout"],
    ["core and a signal's timer", "core/a.ts", `AbortSignal.timeout(1);`, "core may not use AbortSignal.timeout"],
    ["core and the queue", "core/a.ts", `queueMicrotask(() => {});`, "core may not use queueMicrotask"],
    ["core and its own place", "core/a.ts", `const here = import.meta.dirname;`, "core may not use import.meta"],
    ["an adapter and another", "checks/a.ts", `import { a } from "../store/a.ts";`, "rooms of one floor never import"],
    ["a job and the terminal view", "job/a.ts", `await import("../live/a.ts");`, "job may not import live"],
    ["the terminal view and the store", "live/a.ts", `import { a } from "../store/a.ts";`, "live may not import store"],
    ["a purpose and another", "carry/a.ts", `import { a } from "../publish/a.ts";`, "rooms of one floor never import"],
    [
      "an adapter and a worker of app",
      "checks/a.ts",
      `new Worker(new URL("../app/a.ts", import.meta.url));`,
      "checks may not import app",
    ],
    ["a computed worker", "os/a.ts", `new Worker(new URL(name, import.meta.url));`, "an import is computed"],
    [
      "an adapter that requires app",
      "checks/a.ts",
      `createRequire(import.meta.url)("../app/a.ts");`,
      "checks may not import app",
    ],
    ["a computed require", "os/a.ts", `createRequire(import.meta.url)(name);`, "an import is computed"],
    ["a require for later", "os/a.ts", `const load = module.createRequire(import.meta.url);`, "an import is computed"],
    ["an adapter and app", "checks/a.ts", `import { a } from "../app/a.ts";`, "checks may not import app"],
    [
      "an adapter and a foreign SDK",
      "checks/a.ts",
      `import { a } from "log-update";`,
      "checks may not import log-update",
    ],
    ["views and Node", "views/a.ts", `import path from "node:path";`, "views may not import node:path"],
    ["config and files", "config/a.ts", `import fs from "node:fs";`, "config may not import node:fs"],
    ["an entry and an adapter", "cli.ts", `import { a } from "./store/a.ts";`, "entry may not import store"],
    ["app and an entry", "app/a.ts", `import { a } from "../cli.ts";`, "app may not import entry"],
    ["tests from the product", "app/a.ts", `import { a } from "../../test/a.ts";`, "leaves src/"],
    ["a missing extension", "core/a.ts", `import { a } from "./b";`, "has no extension .ts"],
    ["a new folder", "utils/a.ts", ``, "no such layer"],
    ["a new entry", "other.ts", ``, "no such layer"],
  ];
  test.each(forbidden)("%s: refused, with the way out", (_why, file, source, message) => {
    const found = violations(file, source);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(message);
    expect(found[0]).toContain("Fix: ");
  });

  const allowed: readonly [why: string, file: string, source: string][] = [
    ["core and core", "core/stop/a.ts", `import { a } from "../state.ts";`],
    ["core and a given moment", "core/a.ts", `const at = new Date(0).toISOString(); const t = Date.parse(at);`],
    [
      "core and pure parts",
      "core/a.ts",
      `const a = Math.max(Math.PI, 1); [].map(Date.parse); let b: Date, c: AbortSignal;`,
    ],
    ["core and names of properties", "core/a.ts", `const a = { process: 1 }; a.process; interface B { fetch(): void }`],
    ["an import in a string", "core/a.ts", `const text = 'import fs from "node:fs"; Date.now()';`],
    ["an adapter and its door", "checks/a.ts", `import { a } from "../core/ports.ts"; import b from "../os/b.ts";`],
    ["an adapter and its SDK", "reporters/a.ts", `await import("log-update");`],
    ["where a package is", "os/a.ts", "createRequire(launcher).resolve(`@openai/${name}`);"],
    ["os and Node", "os/a.ts", `import fs from "node:fs/promises";`],
    ["app and everybody", "app/a.ts", `import { a } from "../store/a.ts"; import { b } from "../config/b.ts";`],
  ];
  test.each(allowed)("%s: allowed", (_why, file, source) => {
    expect(violations(file, source)).toEqual([]);
  });
});
