import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleNames } from "../../scripts/bundle-names.ts";
import { minifyBundle } from "../../scripts/minify.ts";
import { renameBundle, renamed } from "../../scripts/rename-bundle.ts";
import { type BundledModule, readStatistics } from "../../scripts/statistics.ts";
import { tempFolder } from "../support/temp-folder.ts";

const NCC = path.join(import.meta.dirname, "../../node_modules/.bin/ncc");

const FIRST = { id: 1, initial: true, origins: [] };

function own(file: string, chunk: number, id = 0): BundledModule {
  return { id, name: `./js/${file}`, nameForCondition: `/root/js/${file}`, chunks: [chunk] };
}

function foreign(name: string, size: number, chunk: number): BundledModule {
  const file = `node_modules/${name}/index.js`;
  return { id: null, name: `./${file}`, nameForCondition: `/root/${file}`, size, chunks: [chunk] };
}

test("a script is called by the file that an import() loads with it, whatever that file was merged with", () => {
  const asked = { moduleName: "./js/job/main.js", request: "../github/probe.js" };
  const chunks = [FIRST, { id: 7, initial: false, origins: [asked] }];
  const merged = { ...own("github/probe.js + 2 modules", 7), modules: [own("github/a.js", 7), own("os/b.js", 7)] };
  expect(bundleNames({ chunks, modules: [merged] }, "./js/").chunks).toEqual(
    new Map([
      [1, "index"],
      [7, "github-probe"],
    ]),
  );
});

test("a script of packages is called by its package, or by the biggest of them", () => {
  const asked = { moduleName: "./js/main.js", request: "undici" };
  const later = (id: number) => ({ id, initial: false, reason: "split chunk", origins: [asked] });
  const modules = [
    foreign("undici", 5, 2),
    foreign("@octokit/endpoint", 3, 3),
    foreign("zod", 2, 3),
    foreign("zod", 2, 3),
    { id: 9, name: "./node_modules/ncc/@@notfound.js?kerberos", nameForCondition: "/ncc/@@notfound.js", chunks: [4] },
  ];
  const { chunks } = bundleNames({ chunks: [later(2), later(3), later(4)], modules }, "./js/");
  expect([...chunks.values()]).toEqual(["undici", "zod-with-others", "missing-kerberos"]);
});

test("what scripts have in common is called by its first file that no other such script has; no two share a name", () => {
  const later = (id: number) => ({ id, initial: false, reason: "split chunk", origins: [] });
  const modules = [own("os/b.js", 2), own("git/a.js", 2), own("git/a.js", 3), own("views/c.js", 3), own("git/a.js", 4)];
  const { chunks } = bundleNames({ chunks: [later(2), later(3), later(4)], modules }, "./js/");
  expect([...chunks.values()]).toEqual(["shared-os-b", "shared-views-c", "shared-git-a"]);
});

test("scripts with the same biggest package are called by another one too", () => {
  const later = (id: number) => ({ id, initial: false, reason: "split chunk", origins: [] });
  const modules = [
    ...[foreign("@azure/blob", 5, 2), foreign("zod", 1, 2), foreign("unzip", 2, 2)],
    ...[foreign("@azure/blob", 5, 3), foreign("zod", 3, 3), foreign("glob", 1, 3)],
  ];
  const { chunks } = bundleNames({ chunks: [later(2), later(3)], modules }, "./js/");
  expect([...chunks.values()]).toEqual(["azure-blob-with-unzip", "azure-blob-with-glob"]);
});

test("where no name tells scripts apart, their numbers follow from what they hold, in whatever order they come", () => {
  const later = (id: number) => ({ id, initial: false, reason: "split chunk", origins: [] });
  const file = (name: string, chunk: number): BundledModule => ({
    ...{ id: null, name: `./node_modules/undici/${name}`, chunks: [chunk] },
    nameForCondition: `/root/node_modules/undici/${name}`,
  });
  const named = (one: string, other: string) => {
    const modules = [file(one, 2), file(other, 3)];
    return [...bundleNames({ chunks: [later(2), later(3)], modules }, "./js/").chunks.values()];
  };
  expect(named("a.js", "b.js")).toEqual(["undici", "undici-2"]);
  expect(named("b.js", "a.js")).toEqual(["undici-2", "undici"]);
});

test("a module's name follows from its file alone, though it is merged with others or gets another number", () => {
  const names = (modules: readonly BundledModule[]) => [
    ...bundleNames({ chunks: [], modules }, "./js/").modules.values(),
  ];
  const [before] = names([own("git/a.js", 1, 12)]);
  expect(before).toMatch(/^m[0-9a-f]{6}$/u);
  const [other, after] = names([own("git/b.js", 1, 12), own("git/a.js + 3 modules", 1, 13)]);
  expect(after).toBe(before);
  expect(other).not.toBe(before);
});

test("a script that speaks of something unknown is refused", () => {
  const names = { chunks: new Map([[1, "index"]]), modules: new Map([[12, "m1"]]) };
  expect(renamed("__nccwpck_require__(12)(12);", names, "index.js")).toBe(`__nccwpck_require__("m1")(12);`);
  expect(() => renamed("__nccwpck_require__(13);", names, "index.js")).toThrow("index.js speaks of 13");
});

const ENTRY = `export const answer = await import("./job/later.js").then(({ later }) => later());
console.log(answer, (await import("./job/failing.js").then((m) => m.default.fail()).catch((error) => error.stack)));`;
const FILES = {
  "main.js": ENTRY,
  "job/later.js": `import { join } from "node:path"; import { seven } from "../seven.js";
export const later = () => join("a", String(seven()));`,
  "job/failing.js": `const { seven } = require("../seven.cjs");\n\nexports.fail = () => { throw new Error("at " + seven()); };`,
  "seven.js": `export const seven = () => 7;`,
  "seven.cjs": `exports.seven = () => 7;`,
};

/** A bundle of the files, made as `npm run build` makes it. */
async function built(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const sources = path.join(folder, "js");
  await mkdir(path.join(sources, "job"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), `{ "type": "module" }`);
  await writeFile(path.join(sources, "job/package.json"), `{}`);
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(path.join(sources, file), text)));
  const out = path.join(folder, "out");
  const options = ["--source-map", "--no-source-map-register", "--target", "es2023", "--no-cache", "--quiet"];
  const args = ["build", "js/main.js", "-o", out, ...options, "--stats-out", "statistics.json"];
  await promisify(execFile)(NCC, args, { cwd: folder });
  await renameBundle(out, bundleNames(await readStatistics(path.join(folder, "statistics.json")), "./js/"));
  await minifyBundle(out);
  return out;
}

async function scripts(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js")).toSorted();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const)),
  );
}

test("a bundle with names runs, says where it failed, and a change shows in the script that holds it only", async () => {
  await using one = await tempFolder();
  await using other = await tempFolder();
  const out = await built(one.path, FILES);
  const before = await scripts(out);
  expect(Object.keys(before)).toEqual(["index.js", "job-failing.js", "job-later.js"]);
  const run = await promisify(execFile)(process.execPath, ["--enable-source-maps", path.join(out, "index.js")]);
  expect(run.stdout).toMatch(/^a\/7 Error: at 7\n/u);
  expect(run.stdout).toMatch(/js\/job\/failing\.js:3:/u);

  const changed = {
    ...FILES,
    "job/new.js": "exports.n = 1;",
    "job/failing.js": `require("./new.js");${FILES["job/failing.js"]}`,
  };
  const after = await scripts(await built(other.path, changed));
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(["job-failing.js"]);
});
