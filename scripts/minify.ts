import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";

/** ESM for the oldest Node.js that is supported. */
const SHAPE = { minify: true, format: "esm", target: "node20", legalComments: "none", charset: "utf8" } as const;

/**
 * Minifies every script of a bundle in place, chunks included, which the bundler itself leaves as they are. The same
 * scripts give the same bytes.
 *
 * @param folder where the bundler has put the scripts and their source maps
 * @param maps whether the maps stay beside them, made right for what was minified; else they are removed
 */
export async function minifyBundle(folder: string, maps: boolean): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(
    names.filter((name) => name.endsWith(".js")).map((name) => minifyScript(path.join(folder, name), maps)),
  );
}

async function minifyScript(file: string, maps: boolean): Promise<void> {
  const sourcefile = path.basename(file);
  const [bundled, map] = await Promise.all([readFile(file, "utf8"), readFile(`${file}.map`)]);
  const code = bundled.replace(/\n\/\/# sourceMappingURL=\S+\s*$/u, "\n");
  if (!maps) {
    const { code: small } = await transform(code, { ...SHAPE, sourcefile });
    await rm(`${file}.map`);
    return writeFile(file, small);
  }
  const mapped = `${code}//# sourceMappingURL=data:application/json;base64,${map.toString("base64")}`;
  const small = await transform(mapped, { ...SHAPE, sourcefile, sourcemap: "external" });
  await writeFile(file, `${small.code}//# sourceMappingURL=${sourcefile}.map\n`);
  return writeFile(`${file}.map`, small.map);
}
