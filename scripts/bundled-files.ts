import { type BundledModule, flat, type Statistics } from "./statistics.ts";

/** How the bundler names a module that it did not find, and goes on as if nothing had happened. */
const NOT_FOUND = "@@notfound.js?";

/** What its importers do without: a native module for proxies that want Kerberos, and tools for those who develop Ink, with what they want. */
const OPTIONAL: ReadonlySet<string> = new Set([...["kerberos", "react-devtools-core", "bufferutil", "utf-8-validate"]]);

/**
 * The absolute paths of all files in a bundle.
 *
 * @throws Error when something that the bundle imports was not there, for example because two builds ran at once
 */
export function bundledFiles({ modules }: Pick<Statistics, "modules">): readonly string[] {
  const all = flat(modules);
  const missing = all.flatMap((module) => missingIn(module) ?? []).filter((name) => !OPTIONAL.has(name));
  if (missing.length > 0) throw new Error(`Not found while bundling: ${missing.join(", ")}. Run the build again.`);
  return all.flatMap(({ nameForCondition }) => nameForCondition ?? []);
}

/** What should have been where the bundler put a module of its own that only throws. */
export function missingIn({ name }: Pick<BundledModule, "name">): string | undefined {
  return name?.split(NOT_FOUND)[1];
}

/** The package that a bundled file comes from, or undefined for a file of ours. */
export function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(file.replaceAll("\\", "/"))?.[1];
}
