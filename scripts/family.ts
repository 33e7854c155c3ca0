import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
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

/** Writes each program's `index.js`, which does nothing but have the family's code run it. */
export async function writePrograms(dist: string, { folder, programs }: Family): Promise<void> {
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
}
