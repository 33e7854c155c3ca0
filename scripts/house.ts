/**
 * `npm run house`: whether `src` is simple to live in, line by line. Exit code 1 when a limit is missed; the totals are
 * only told.
 *
 * `--all` tells every place where a limit is missed. `--record` makes today's totals those that later ones are compared
 * with.
 */
import path from "node:path";
import { undefinedCodes } from "./codes.ts";
import { ROOT } from "./command.ts";
import { measured } from "./house/measure.ts";
import { atMost, type Row, tableOf } from "./house/row.ts";
import { recordedTotals, recordTotals, totals } from "./house/totals.ts";
import { readTree } from "./house/tree.ts";

const tree = await readTree(path.join(ROOT, "src"));
if (process.argv.includes("--record")) await recordTotals(tree);
const unknown = (await undefinedCodes()).map(({ file, line, code }) => `${file}:${line}: ${code}`);
const rows: readonly Row[] = [...measured(tree), atMost(0, "codes that cannot be looked up", unknown.length, unknown)];
console.log(tableOf(rows, { all: process.argv.includes("--all") }));
console.log(`\n${totals(tree, await recordedTotals())}`);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
