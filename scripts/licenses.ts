import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { packageOf } from "./bundled-files.ts";
import { ROOT } from "./command.ts";

/** A package that only names one of these may be bundled: its name and its license are all there is to repeat. */
const NAMED: ReadonlySet<string> = new Set(["MIT", "MIT/X11"]);

/** Packages that name no license at all, and why they are bundled all the same. */
const DECIDED: Readonly<Record<string, string>> = {
  buffers: "It names no license; its author licenses the packages that it is a part of (binary, chainsaw) as MIT.",
};

async function licenseOf(name: string): Promise<string> {
  const folder = path.join(ROOT, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(?:\.(?:md|txt))?$/iu.test(entry));
  const title = `${name} ${version} (${license})`;
  if (file !== undefined) return `${title}\n\n${(await readFile(path.join(folder, file), "utf8")).trim()}\n`;
  const instead = DECIDED[name] ?? (NAMED.has(license) ? "The package names its license and has no text of it." : null);
  if (instead === null) throw new Error(`${title} has no license file; bundling it needs a decision`);
  return `${title}\n\n${instead}\n`;
}

/**
 * The licenses of every package inside a bundle, sorted by name.
 *
 * The bundler's own list is no use: it is written once a chunk, so that it ends up with the last chunk's packages only.
 *
 * @param files absolute paths of all that is bundled
 */
export async function licensesOf(files: readonly string[]): Promise<string> {
  const names = new Set(files.map(packageOf));
  const licenses = await Promise.all(
    [...names]
      .filter((name) => name !== undefined)
      .toSorted()
      .map(licenseOf),
  );
  return licenses.join(`\n${"-".repeat(80)}\n\n`);
}
