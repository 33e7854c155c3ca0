import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { Family } from "./entries.ts";

/**
 * Writes what the bundler begins with for programs that share their code: a function for each that loads it.
 *
 * @param scripts where the compiled sources lie
 * @returns the file's name without `.js`
 */
export async function writeFamily(scripts: string, { folder, programs }: Family): Promise<string> {
  const loaders = Object.entries(programs).map(
    ([name, source]) => `export const ${name} = () => import("./${source}.js");`,
  );
  const name = `${folder}-programs`;
  await writeFile(path.join(scripts, `${name}.js`), `${loaders.join("\n")}\n`);
  return name;
}

/**
 * Writes each program's `index.js`, which does nothing but have the family's code run it; a guarded one looks at all that
 * the family is made of first.
 *
 * @param scripts where the compiled sources lie
 */
export async function writePrograms(dist: string, scripts: string, family: Family): Promise<void> {
  const { folder, programs, guards } = family;
  await Promise.all(
    Object.keys(programs).map(async (name) => {
      const out = path.join(dist, name);
      await mkdir(out, { recursive: true });
      await writeFile(
        path.join(out, "index.js"),
        `import { ${name} } from "../${folder}/index.js";\nawait ${name}();\n`,
      );
      await writeFile(path.join(out, "package.json"), `{\n  "type": "module"\n}\n`);
    }),
  );
  const shipped = JSON.stringify(await digestsOf(dist, [folder, ...Object.keys(programs)], Object.keys(guards)));
  await Promise.all(
    Object.entries(guards).map(([name, source]) =>
      build({
        stdin: { contents: guarded(name, source, family), resolveDir: scripts },
        external: [`../${folder}/index.js`],
        outfile: path.join(dist, name, "index.js"),
        ...{ bundle: true, platform: "node", format: "esm", target: "node20", charset: "utf8", minify: true },
        define: { SHIPPED: shipped },
      }),
    ),
  );
}

/** A program that loads the family's code when its guard finds that it is as shipped. */
function guarded(name: string, source: string, { folder }: Family): string {
  const loaded = `const { ${name} } = await import("../${folder}/index.js");\n  await ${name}();`;
  return `import { areAsShipped } from "./${source}.js";\nif (areAsShipped(SHIPPED, import.meta.url)) {\n  ${loaded}\n}\n`;
}

/**
 * The digest of every file that Node reads in some folders of `dist/`, by its path in the project.
 *
 * @param guarded programs whose `index.js` is not there yet
 */
async function digestsOf(
  dist: string,
  folders: readonly string[],
  guarded: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const digests: [string, string][] = [];
  for (const folder of folders.toSorted()) {
    for (const file of (await readdir(path.join(dist, folder))).toSorted()) {
      if (!/\.js$|^package\.json$/u.test(file) || (file === "index.js" && guarded.includes(folder))) continue;
      const bytes = await readFile(path.join(dist, folder, file));
      digests.push([`dist/${folder}/${file}`, createHash("sha256").update(bytes).digest("hex")]);
    }
  }
  return Object.fromEntries(digests);
}
