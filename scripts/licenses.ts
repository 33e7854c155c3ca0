import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./command.ts";

/** What the bundler says about a module; a concatenated one holds further modules. */
interface BundledModule {
  readonly nameForCondition?: string | null;
  readonly modules?: readonly BundledModule[];
}

function filesOf(modules: readonly BundledModule[]): string[] {
  return modules.flatMap((module) => [module.nameForCondition ?? "", ...filesOf(module.modules ?? [])]);
}

/** The package that a bundled file comes from, or undefined for a file of ours. */
function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(file.replaceAll("\\", "/"))?.[1];
}

async function licenseOf(name: string): Promise<string> {
  const folder = path.join(ROOT, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.(?:md|txt))?$/iu.test(entry));
  if (file === undefined) throw new Error(`${name} has no license file; bundling it needs a decision`);
  return `${name} ${version} (${license})\n\n${(await readFile(path.join(folder, file), "utf8")).trim()}\n`;
}

/**
 * The licenses of every package inside a bundle, sorted by name.
 *
 * The bundler's own list is no use: it is written once a chunk, so that it ends up with the last chunk's packages only.
 *
 * @param statistics the bundler's report (`--stats-out`)
 */
export async function bundledLicenses(statistics: string): Promise<string> {
  const { modules }: { modules: readonly BundledModule[] } = JSON.parse(await readFile(statistics, "utf8"));
  const names = new Set(filesOf(modules).map(packageOf));
  const licenses = await Promise.all(
    [...names]
      .filter((name) => name !== undefined)
      .toSorted()
      .map(licenseOf),
  );
  return licenses.join(`\n${"-".repeat(80)}\n\n`);
}
