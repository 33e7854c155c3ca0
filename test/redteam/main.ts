/**
 * `npm run redteam`: tries every attack of the table and prints `threat | attack | stopped by | proof`. Exit code 1 when a
 * row has no proof that passes here.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { tempFolder } from "../support/temp-folder.ts";
import { DOORS } from "./doors.ts";
import { proofOf, type Row } from "./row.ts";
import { THREATS } from "./threats.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const ROWS: readonly Row[] = [...THREATS, ...DOORS];

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
type Results = z.output<typeof report>["testResults"];

/** Runs every test that a row names, once. */
async function tried(): Promise<Results> {
  await using folder = await tempFolder("redteam-");
  const file = path.join(folder.path, "report.json");
  const proofs = ROWS.flatMap((row) => row.proofs).map(proofOf);
  const files = new Set(proofs.map((proof) => `test/${proof.file}`));
  const titles = new Set(proofs.map(({ words }) => words.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)));
  const PATH = [path.join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(path.delimiter);
  const run = spawn(
    process.execPath,
    [path.join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...files, "-t", [...titles].join("|")],
    { cwd: ROOT, env: { ...process.env, PATH, TEST_REPORT: file }, stdio: ["ignore", 2, 2] },
  );
  await once(run, "close");
  return report.parse(JSON.parse(await readFile(file, "utf8"))).testResults;
}

/** Why a row is open; undefined: it is not. */
function openBecause({ proofs }: Row, results: Results): string | undefined {
  for (const proof of proofs) {
    const { file, words } = proofOf(proof);
    const tests = results
      .filter(({ name }) => name === path.join(ROOT, "test", file))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => fullName.includes(words));
    if (tests.length === 0) return `no such test: ${proof}`;
    const failed = tests.find(({ status }) => status !== "passed");
    if (failed !== undefined) return `${failed.status}: ${failed.fullName}`;
  }
  return undefined;
}

const results = await tried();
const lines = ROWS.map((row) => {
  const because = openBecause(row, results);
  const verdict = because === undefined ? row.proofs.join("; ") : `OPEN (${because})`;
  return { isOpen: because !== undefined, line: `${row.id} | ${row.attack} | ${row.by} | ${verdict}` };
});
const open = lines.filter(({ isOpen }) => isOpen);
const users =
  process.getuid?.() === 0
    ? "as root and as uid 1001"
    : "as a user without rights; as root not, because this is not root";
process.stdout.write(
  `${["threat | attack | stopped by | proof", ...lines.map(({ line }) => line)].join("\n")}\n\n${lines.length} rows, ${open.length} open; tried ${users}.\n`,
);
process.exitCode = open.length > 0 ? 1 : 0;
