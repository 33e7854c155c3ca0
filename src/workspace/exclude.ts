import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findRepository } from "./repository.ts";

/**
 * Adds ignore patterns to the repository's `info/exclude`, so that `git status` does not show what they match.
 * Idempotent; does nothing outside git. A pattern that begins with `/` is anchored at `root`.
 */
export async function excludeFromGitStatus(root: string, patterns: readonly string[]): Promise<void> {
  const repository = await findRepository(root);
  if (repository === undefined) return;
  const file = path.join(repository.commonDir, "info/exclude");
  const text = await readFile(file, "utf8").catch(() => "");
  const present = new Set(text.split("\n"));
  const missing = patterns
    .map((pattern) => (pattern.startsWith("/") ? `/${escape(repository.prefix)}${pattern.slice(1)}` : pattern))
    .filter((pattern) => !present.has(pattern));
  if (missing.length === 0) return;
  await mkdir(path.dirname(file), { recursive: true });
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(file, `${separator}${missing.join("\n")}\n`);
}

/** A path as an ignore pattern that matches it and nothing else. */
function escape(prefix: string): string {
  return prefix.replaceAll(/[\\*?[]/gu, String.raw`\$&`);
}
