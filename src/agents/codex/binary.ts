import { existsSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { findProgram } from "../../os/environment.ts";

const TRIPLES: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/**
 * The program to start: `given` (a path, or a name on `searchPath`), else `codex` on `searchPath`.
 *
 * What npm installs under that name is a launcher which a SIGKILL would take from above a Codex that goes on, so its
 * native program is looked for and used instead.
 *
 * @param searchPath as in `PATH`
 * @returns an absolute path; undefined when there is no such program
 */
export function findCodex(given: string | undefined, searchPath: string): string | undefined {
  const name = given ?? "codex";
  const found = name.includes(path.sep) ? fileAt(path.resolve(name)) : findProgram(name, searchPath);
  return found === undefined ? undefined : nativeProgram(found);
}

function nativeProgram(found: string): string | undefined {
  const launcher = realpathSync(found);
  if (!launcher.endsWith(path.join("@openai", "codex", "bin", "codex.js"))) return found;
  const platform = `${process.platform}-${process.arch}`;
  const triple = TRIPLES[platform];
  if (triple === undefined) return found;
  const inside = path.join("vendor", triple, "bin", "codex");
  return [platformPackage(launcher, platform), path.join(launcher, "../..")]
    .filter((root) => root !== undefined)
    .map((root) => path.join(root, inside))
    .find((file) => existsSync(file));
}

function platformPackage(launcher: string, platform: string): string | undefined {
  try {
    return path.dirname(createRequire(launcher).resolve(`@openai/codex-${platform}/package.json`));
  } catch {
    return undefined;
  }
}

function fileAt(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}
