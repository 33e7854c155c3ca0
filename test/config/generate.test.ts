import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** A copy of what the generator reads and writes. */
async function project() {
  const folder = await tempFolder("generate-");
  for (const part of [
    "scripts/generate.ts",
    "scripts/generate",
    "src/config",
    "src/core",
    "package.json",
    ".oxfmtrc.json",
  ]) {
    await mkdir(path.dirname(path.join(folder.path, part)), { recursive: true });
    await cp(path.join(ROOT, part), path.join(folder.path, part), { recursive: true });
  }
  await symlink(path.join(ROOT, "node_modules"), path.join(folder.path, "node_modules"));
  const generate = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/generate.ts", ...args], { cwd: folder.path, encoding: "utf8" });
  return { ...folder, generate };
}

describe("scripts/generate.ts", () => {
  test("what is committed is up to date", () => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("--check names the command that repairs, and the command repairs without touching the rest", async () => {
    await using copy = await project();
    const readme = path.join(copy.path, "README.md");
    await writeFile(readme, "# mine\n\n<!-- settings-start -->\n<!-- settings-end -->\n\nalso mine\n");
    const check = copy.generate("--check");
    expect(check.status).toBe(1);
    expect(check.stderr).toContain("README.md is out of date. Repair it with: node scripts/generate.ts");
    expect(copy.generate().status).toBe(0);
    expect(copy.generate("--check").status).toBe(0);
    const text = await readFile(readme, "utf8");
    expect(text).toMatch(
      /^# mine\n\n<!-- settings-start -->\n[^]*`max-iterations`[^]*<!-- settings-end -->\n\nalso mine\n$/u,
    );
  });

  test("a README that has lost its marks is left alone", async () => {
    await using copy = await project();
    await writeFile(path.join(copy.path, "README.md"), "# mine\n");
    const { status, stderr } = copy.generate();
    expect(status).toBe(1);
    expect(stderr).toContain("README.md has lost its marks");
    expect(await readFile(path.join(copy.path, "README.md"), "utf8")).toBe("# mine\n");
  });
});
