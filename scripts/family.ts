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
 * Writes each program's `index.js`, which does nothing but have the family's code run it; some close their process first,
 * and a guarded one looks at all that the family is made of.
 *
 * @param scripts where the compiled sources lie
 */
export async function writePrograms(dist: string, scripts: string, family: Family): Promise<void> {
  const { folder, programs, closed, guards } = family;
  const write = async (
    name: string,
    contents: string,
    define: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    await build({
      stdin: { contents, resolveDir: scripts },
      external: [`../${folder}/index.js`],
      outfile: path.join(dist, name, "index.js"),
      ...{ bundle: true, platform: "node", format: "esm", target: "node20", charset: "utf8", minify: true },
      define: { ...define },
    });
  };
  await Promise.all(
    Object.keys(programs).map(async (name) => {
      await mkdir(path.join(dist, name), { recursive: true });
      await writeFile(path.join(dist, name, "package.json"), `{\n  "type": "module"\n}\n`);
      if (name in guards) return;
      if (name in closed) return write(name, `${closing(family, name)}${loading(family, name)}`);
      await writeFile(path.join(dist, name, "index.js"), loading(family, name));
    }),
  );
  const SHIPPED = JSON.stringify(await digestsOf(dist, [folder, ...Object.keys(programs)], Object.keys(guards)));
  await Promise.all(
    Object.entries(guards).map(([name, source]) => {
      const guard = `import { areAsShipped } from "./${source}.js";\n${closing(family, name)}`;
      const guarded = `if (areAsShipped(SHIPPED, import.meta.url)) {\n${loading(family, name)}}\n`;
      return write(name, `${guard}${guarded}`, { SHIPPED });
    }),
  );
}

/** Has a program begin again without secrets that others can see, where it is to. */
function closing({ closed }: Family, name: string): string {
  if (!(name in closed)) return "";
  const firstLine = closed[name] ?? undefined;
  return `import { goOnClosed } from "./os/closed-process.js";\ngoOnClosed(${JSON.stringify(firstLine) ?? ""});\n`;
}

/** Loads the family's code, and has it run the program. */
function loading({ folder }: Family, name: string): string {
  return `const { ${name} } = await import("../${folder}/index.js");\nawait ${name}();\n`;
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
