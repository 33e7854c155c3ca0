import { readFile } from "node:fs/promises";

/** What the bundler says about a module; a concatenated one holds further modules. */
interface BundledModule {
  readonly name?: string;
  readonly nameForCondition?: string | null;
  readonly modules?: readonly BundledModule[];
}

/** How the bundler names a module that it did not find, and goes on as if nothing had happened. */
const NOT_FOUND = "@@notfound.js?";

/** What its importers do without: a native module for proxies that want Kerberos. */
const OPTIONAL: ReadonlySet<string> = new Set(["kerberos"]);

function flat(modules: readonly BundledModule[]): BundledModule[] {
  return modules.flatMap((module) => [module, ...flat(module.modules ?? [])]);
}

/**
 * The absolute paths of all files in a bundle.
 *
 * @param statistics the bundler's report (`--stats-out`)
 * @throws Error when something that the bundle imports was not there, for example because two builds ran at once
 */
export async function bundledFiles(statistics: string): Promise<string[]> {
  const { modules }: { modules: readonly BundledModule[] } = JSON.parse(await readFile(statistics, "utf8"));
  const all = flat(modules);
  const missing = all
    .flatMap(({ name }) => name?.split(NOT_FOUND).slice(1) ?? [])
    .filter((name) => !OPTIONAL.has(name));
  if (missing.length > 0) throw new Error(`Not found while bundling: ${missing.join(", ")}. Run the build again.`);
  return all.flatMap(({ nameForCondition }) => nameForCondition ?? []);
}
