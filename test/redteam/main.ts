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
import { proofOf, type Row, type Tried, verdictOf } from "./row.ts";
import { THREATS } from "./threats.ts";
import { USERS, WHO } from "./users.ts";

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
/** Runs every test that a row names, once. */
async function tried(): Promise<readonly Tried[]> {
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
  const { testResults } = report.parse(JSON.parse(await readFile(file, "utf8")));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName: title, status }) => ({
      ...{ file: path.relative(path.join(ROOT, "test"), name), title, status },
    })),
  );
}

const ran = await tried();
const lines = ROWS.map((row) => {
  const { open, notTriedAs } = verdictOf(row, ran, WHO);
  const but = notTriedAs.map((who) => ` (not tried as ${who})`).join("");
  const verdict = open === undefined ? `${row.proofs.join("; ")}${but}` : `OPEN (${open})`;
  return { open, but, line: `${row.id} | ${row.attack} | ${row.by} | ${verdict}` };
});
const open = lines.filter((line) => line.open !== undefined);
const partly = lines.filter(({ but }) => but !== "");
process.stdout.write(
  `${["threat | attack | stopped by | proof", ...lines.map(({ line }) => line)].join("\n")}\n\n${lines.length} rows, ${open.length} open; tried as ${USERS.map(({ who }) => who).join(" and ")}${partly.length > 0 ? `; ${partly.length} not as everybody: run this as root` : ""}.\n`,
);
process.exitCode = open.length > 0 ? 1 : 0;
