import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";

/** ESM for the oldest Node.js that is supported, without what packages have for their developers alone. */
const SHAPE = {
  minify: true,
  format: "esm",
  target: "node20",
  legalComments: "none",
  charset: "utf8",
  define: { "process.env.NODE_ENV": '"production"' },
} as const;

/**
 * Minifies every script of a bundle in place, chunks included, which the bundler itself leaves as they are. The same
 * scripts give the same bytes.
 *
 * Source maps are for stack traces of our own code. They stay beside the scripts that have some, made right for what was
 * minified; a script of nothing but foreign packages loses its map, which would be four times the script.
 *
 * @param folder where the bundler has put the scripts and their source maps
 */
export async function minifyBundle(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.filter((name) => name.endsWith(".js")).map((name) => minifyScript(path.join(folder, name))));
}

async function minifyScript(file: string): Promise<void> {
  const sourcefile = path.basename(file);
  const [bundled, map] = await Promise.all([readFile(file, "utf8"), readFile(`${file}.map`)]);
  const code = bundled.replace(/\n\/\/# sourceMappingURL=\S+\s*$/u, "\n");
  const { sources }: { sources: readonly string[] } = JSON.parse(map.toString());
  if (!sources.some(isOwn)) {
    const { code: small } = await transform(code, { ...SHAPE, sourcefile });
    await rm(`${file}.map`);
    return writeFile(file, small);
  }
  const mapped = `${code}//# sourceMappingURL=data:application/json;base64,${map.toString("base64")}`;
  const small = await transform(mapped, { ...SHAPE, sourcefile, sourcemap: "external" });
  await writeFile(file, `${small.code}//# sourceMappingURL=${sourcefile}.map\n`);
  return writeFile(`${file}.map`, small.map);
}

/** Whether a source of a map is a file of ours, and neither a package's nor the bundler's own. */
function isOwn(source: string): boolean {
  return !/(?:^|\/)(?:node_modules\/|webpack\/|external )/u.test(source);
}
