/**
 * Writes what follows from the tables in src/config: `action.yml`, the tables in the guides, the man page;
 * from the shape of a PRD its schema, from package.json the version, and from a screen of the tests the picture of the view.
 *
 *     npm run fix                        writes, with what else can be repaired
 *     node scripts/generate.ts --check   changes nothing; exits 1 when something is out of date
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { actionSource } from "./generate/action-source.ts";
import { inputsTable, outputsTable } from "./generate/action-tables.ts";
import { endingsTable } from "./generate/endings-table.ts";
import { manPage } from "./generate/man-page.ts";
import { prdSchema } from "./generate/prd-schema.ts";
import { settingsTable } from "./generate/settings-table.ts";
import { watchPicture } from "./generate/watch-picture.ts";

const ROOT = path.join(import.meta.dirname, "..");

/** The tables in texts, by the name in the marks around them: `<!-- inputs-start -->`, `<!-- inputs-end -->`. */
const TABLES = {
  "docs/settings.md": { settings: settingsTable },
  "docs/inputs.md": { inputs: inputsTable, outputs: outputsTable },
  "docs/action.md": { endings: endingsTable },
};

/** Formats as `npm run format` demands it; the name tells the language. */
function formatted(name: string, text: string): string {
  const oxfmt = path.join(ROOT, "node_modules/.bin/oxfmt");
  return execFileSync(oxfmt, [`--stdin-filepath=${name}`], { cwd: ROOT, input: text, encoding: "utf8" });
}

function current(name: string): string | undefined {
  const file = path.join(ROOT, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The file with the tables between their marks; everything around them stays as it is. */
function withTables(file: keyof typeof TABLES): string {
  const tables = Object.entries(TABLES[file]);
  return tables.reduce((text, [name, table]) => withTable(file, text, name, table()), current(file) ?? "");
}

function withTable(file: string, text: string, name: string, table: string): string {
  const [startMark, endMark] = [`<!-- ${name}-start -->`, `<!-- ${name}-end -->`];
  const start = text.indexOf(startMark);
  const end = text.indexOf(endMark);
  if (start === -1 || end < start) {
    throw new Error(
      `${file} has lost its marks. Put these two lines where the ${name} belong:\n${startMark}\n${endMark}`,
    );
  }
  return `${text.slice(0, start + startMark.length)}\n\n${formatted(file, table)}\n${text.slice(end)}`;
}

/** `VERSION`, which stands in package.json and is shown in many places. */
function withVersion(): string {
  const { version } = JSON.parse(current("package.json") ?? "{}");
  return (current(NAMES) ?? "").replace(/(?<=^export const VERSION = ")[^"]*/mu, version);
}

const NAMES = "src/core/names.ts";
const wanted = new Map([
  [NAMES, withVersion()],
  ["action.yml", formatted("action.yml", actionSource())],
  ["docs/settings.md", withTables("docs/settings.md")],
  ["docs/inputs.md", withTables("docs/inputs.md")],
  ["docs/action.md", withTables("docs/action.md")],
  ["docs/smithers.1", `${manPage()}\n`],
  ["docs/images/watch.svg", watchPicture(current("test/golden/screens/80x24/watch-dashboard.txt") ?? "")],
  ["docs/prd.schema.json", formatted("docs/prd.schema.json", prdSchema())],
]);
const outdated = [...wanted].filter(([name, text]) => current(name) !== text);

if (process.argv.includes("--check")) {
  for (const [name] of outdated) console.error(`${name} is out of date. Repair it with: npm run fix`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of outdated) {
    writeFileSync(path.join(ROOT, name), text);
    console.log(`wrote ${name}`);
  }
}
