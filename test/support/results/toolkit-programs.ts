import path from "node:path";
import { build } from "esbuild";
import { tempFolder } from "../temp-folder.ts";

const SOURCES = path.join(import.meta.dirname, "../../../src/carry");

/** The programs that the carriers run. */
export interface ToolkitPrograms extends AsyncDisposable {
  readonly cache: string;
  readonly artifact: string;
}

/** Bundles them, as they are shipped: from hundreds of single files they would take six times as long to start. */
export async function buildToolkitPrograms(): Promise<ToolkitPrograms> {
  const folder = await tempFolder("toolkit-");
  await build({
    entryPoints: ["cache", "artifact"].map((name) => path.join(SOURCES, `${name}-program.ts`)),
    outdir: folder.path,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    minify: true,
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return {
    cache: path.join(folder.path, "cache-program.mjs"),
    artifact: path.join(folder.path, "artifact-program.mjs"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
