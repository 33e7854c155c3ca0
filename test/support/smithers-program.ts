import { chmod } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { tempFolder } from "./temp-folder.ts";

/** The variable that tells the tests where the command line lies that was built for this run. */
const BUILT = "TEST_SMITHERS_PROGRAM";

const SOURCE = path.join(import.meta.dirname, "../../src/cli.ts");
const WORK = path.join(import.meta.dirname, "../../.test-work");

/** The command line as node runs it. */
export interface SmithersProgram {
  readonly script: string;
  /** `NODE_COMPILE_CACHE` of its processes */
  readonly compiled: string;
}

/** The command line, of these sources: from a run of the tests the one that it has built, else the sources themselves. */
export function smithersProgram(): SmithersProgram {
  const script = process.env[BUILT] ?? SOURCE;
  // With what was built for a run it goes as well; beside what is shipped nothing is left.
  const folder = script.startsWith(WORK + path.sep) ? path.dirname(script) : WORK;
  return { script, compiled: path.join(folder, "compiled") };
}

/**
 * Puts the sources of the command line together once for all files of a run: a process that reads hundreds of them, and
 * strips their types, takes four times as long to begin. @returns how to end it
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await tempFolder("program-");
  process.env[BUILT] = await bundled(SOURCE, folder.path);
  // Some tests run it as somebody else.
  await chmod(folder.path, 0o755);
  return async () => {
    Reflect.deleteProperty(process.env, BUILT);
    await folder[Symbol.asyncDispose]();
  };
}

/** Puts a program together as it is shipped, without types. @returns its script, in `folder` */
export async function bundled(source: string, folder: string): Promise<string> {
  await build({
    entryPoints: [source],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outExtension: { ".js": ".mjs" },
    // What Ink asks for only where it is developed; and what is loaded late and is no ES module, whose names would be lost.
    external: ["react-devtools-core", "undici", "yaml"],
    // For the packages in it that are not ES modules.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "error",
  });
  return path.join(folder, `${path.basename(source, ".ts")}.mjs`);
}
