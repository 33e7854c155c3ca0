import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type SourceMapPayload, SourceMap } from "node:module";
import path from "node:path";
import { transform } from "esbuild";
import { expect, test } from "vitest";
import { minifyBundle } from "../../scripts/minify.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const SOURCE = `#!/usr/bin/env node
/*! a comment of the law */
export function ownName(argument: string): string {
  const unnecessary = argument + "!";
  return unnecessary.missing.further;
}
`;

/** A folder as the bundler leaves it: scripts with their maps, one of them executable. */
async function bundle(sourcefile = "../.build/js/own.ts"): Promise<TempFolder> {
  const folder = await tempFolder();
  for (const name of ["index.js", "12.index.js"]) {
    const file = path.join(folder.path, name);
    const { code, map } = await transform(SOURCE, { loader: "ts", sourcemap: "external", sourcefile });
    await writeFile(file, `${code}\n//# sourceMappingURL=${name}.map`);
    await writeFile(`${file}.map`, map);
  }
  await chmod(path.join(folder.path, "index.js"), 0o755);
  await writeFile(path.join(folder.path, "package.json"), "{}");
  return folder;
}

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8")] as const)),
  );
}

test("every script of a bundle is minified, and its map leads to the source, not to what was minified", async () => {
  await using folder = await bundle();
  await minifyBundle(folder.path);
  const files = await contents(folder.path);
  for (const name of ["index.js", "12.index.js"]) {
    const code = files[name] ?? "";
    expect(code).toMatch(/^#!\/usr\/bin\/env node\n/u);
    expect(code).not.toMatch(/unnecessary|the law/u);
    expect(code.endsWith(`//# sourceMappingURL=${name}.map\n`)).toBe(true);
    const payload: SourceMapPayload = JSON.parse(files[`${name}.map`] ?? "");
    const lines = code.split("\n");
    const row = lines.findIndex((line) => line.includes("missing"));
    const found = new SourceMap(payload).findEntry(row, lines[row]?.indexOf("missing") ?? 0);
    expect(found).toMatchObject({ originalSource: expect.stringContaining("own.ts"), originalLine: 4 });
  }
  expect((await stat(path.join(folder.path, "index.js"))).mode & 0o100).toBe(0o100);
});

test.each(["../node_modules/foreign/a.js", "../webpack/bootstrap", '../external node-commonjs "node:fs"'])(
  "a script of nothing but %s keeps no map, and does not speak of one",
  async (source) => {
    await using folder = await bundle(source);
    await minifyBundle(folder.path);
    const files = await contents(folder.path);
    expect(Object.keys(files)).toEqual(["12.index.js", "index.js", "package.json"]);
    expect(files["index.js"]).not.toContain("sourceMappingURL");
  },
);

test("the same scripts give the same bytes", async () => {
  await using one = await bundle();
  await using other = await bundle();
  await Promise.all([minifyBundle(one.path), minifyBundle(other.path)]);
  expect(await contents(one.path)).toEqual(await contents(other.path));
});
