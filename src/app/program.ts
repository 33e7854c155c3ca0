import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";

const NAMES: ReadonlySet<string> = new Set(["smithers", "waylon-smithers"]);

/** The name that the program was called by, as messages repeat it. */
export function programName(script: string): string {
  const name = path.basename(script);
  return NAMES.has(name) ? name : "smithers";
}

/** The version of the package that `script` belongs to. */
export function programVersion(script: string): string {
  for (let folder = path.dirname(realpathSync(script)); ; folder = path.dirname(folder)) {
    const version = versionIn(path.join(folder, "package.json"));
    if (version !== undefined) return version;
    if (folder === path.dirname(folder)) return "unknown";
  }
}

/** Undefined where no package with a version begins; a bundle's own package.json has none. */
function versionIn(file: string): string | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof content !== "object" || content === null || !("version" in content)) return undefined;
    return typeof content.version === "string" ? content.version : undefined;
  } catch {
    return undefined;
  }
}
