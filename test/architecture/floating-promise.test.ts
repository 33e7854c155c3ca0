import { execFile } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const OXLINT = path.join(ROOT, "node_modules/.bin/oxlint");

/** A statement that is nothing but an awaited call. */
const AWAITED = /^(\s*)await (?=[\w.]+\()/u;

/** Copies of `source`, each with another `await` forgotten. */
function planted(source: string): string[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) =>
    AWAITED.test(line) ? [lines.with(index, line.replace(AWAITED, "$1")).join("\n")] : [],
  );
}

/** Files with a floating promise, as the project's own linter settings see them. */
async function floating(folder: string): Promise<string[]> {
  const args = ["-c", ".oxlintrc.json", "--format", "json", "src/core"];
  const { stdout } = await promisify(execFile)(OXLINT, args, { cwd: folder, maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(stdout);
  const found = diagnostics.filter(({ code }) => code.includes("no-floating-promises"));
  return found.map(({ filename }) => path.basename(filename));
}

test("the linter sees every forgotten await of the loop, and none in the loop as it is [R-36]", async () => {
  // A repository of its own, because this one ignores the folder that it lies in.
  await using project = await gitRepository();
  const core = path.join(project.path, "src/core");
  await cp(path.join(ROOT, "src/core"), core, { recursive: true });
  for (const name of ["tsconfig.json", ".oxlintrc.json"]) {
    await cp(path.join(ROOT, name), path.join(project.path, name));
  }
  const copies = planted(await readFile(path.join(core, "loop.ts"), "utf8"));
  expect(copies.length).toBeGreaterThan(0);
  const names = copies.map((_, index) => `loop-with-a-plant-${index}.ts`);
  await Promise.all(copies.map((copy, index) => writeFile(path.join(core, names[index] ?? ""), copy)));

  expect((await floating(project.path)).toSorted()).toEqual(names.toSorted());
});
