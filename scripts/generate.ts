/**
 * Writes what follows from the settings table: the `Config` type, its schema, and the tables in the README.
 *
 *     node scripts/generate.ts           writes
 *     node scripts/generate.ts --check   changes nothing; exits 1 when something is out of date
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { configSchemaSource, configSource } from "./generate/config-source.ts";
import { settingsTable } from "./generate/settings-table.ts";

const ROOT = path.join(import.meta.dirname, "..");
const START = "<!-- settings-start -->";
const END = "<!-- settings-end -->";
const MINIMAL_README = `# smithers/loop\n\n## Settings\n\n${START}\n${END}\n`;

/** Formats as `npm run format` demands it; the name tells the language. */
function formatted(name: string, text: string): string {
  const oxfmt = path.join(ROOT, "node_modules/.bin/oxfmt");
  return execFileSync(oxfmt, [`--stdin-filepath=${name}`], { cwd: ROOT, input: text, encoding: "utf8" });
}

function current(name: string): string | undefined {
  const file = path.join(ROOT, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The README with the table between the marks; everything around them stays as it is. */
function readme(text: string): string {
  const start = text.indexOf(START);
  const end = text.indexOf(END);
  if (start === -1 || end < start) {
    throw new Error(`README.md has lost its marks. Put these two lines where the settings belong:\n${START}\n${END}`);
  }
  const table = formatted("README.md", settingsTable());
  return `${text.slice(0, start + START.length)}\n\n${table}\n${text.slice(end)}`;
}

const wanted = new Map([
  ["src/config/config.ts", formatted("src/config/config.ts", configSource())],
  ["src/config/config-schema.ts", formatted("src/config/config-schema.ts", configSchemaSource())],
  ["README.md", readme(current("README.md") ?? MINIMAL_README)],
]);
const outdated = [...wanted].filter(([name, text]) => current(name) !== text);

if (process.argv.includes("--check")) {
  for (const [name] of outdated) console.error(`${name} is out of date. Repair it with: node scripts/generate.ts`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of outdated) {
    writeFileSync(path.join(ROOT, name), text);
    console.log(`wrote ${name}`);
  }
}
