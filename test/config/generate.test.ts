import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CONTEXT_INPUTS, OUTPUTS, PLAN_OUTPUTS } from "../../src/config/action.ts";
import { allowedIn } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ROOT = path.join(import.meta.dirname, "../..");

const Action = z.looseObject({
  inputs: z.record(z.string(), z.strictObject({ description: z.string(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.strictObject({ description: z.string() })),
  runs: z.record(z.string(), z.string()),
});

const MARKED = `# mine

<!-- inputs-start -->
<!-- inputs-end -->
<!-- outputs-start -->
<!-- outputs-end -->

also mine
`;

/** A copy of what the generator reads and writes. */
async function project() {
  const folder = await tempFolder("generate-");
  for (const part of [
    "scripts",
    "test/golden/screens",
    "docs/action.md",
    "docs/settings.md",
    "docs/inputs.md",
    "docs/images",
    "src",
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
    const page = path.join(copy.path, "docs/inputs.md");
    await writeFile(page, MARKED);
    const check = copy.generate("--check");
    expect(check.status).toBe(1);
    expect(check.stderr).toContain("docs/inputs.md is out of date. Repair it with: npm run fix");
    expect(copy.generate().status).toBe(0);
    expect(copy.generate("--check").status).toBe(0);
    const text = await readFile(page, "utf8");
    expect(text).toMatch(
      /^# mine\n\n<!-- inputs-start -->\n[^]*`job-timeout-minutes`[^]*`artifact-id`[^]*<!-- outputs-end -->\n\nalso mine\n$/u,
    );
  });

  test("a page that has lost its marks is left alone", async () => {
    await using copy = await project();
    await writeFile(path.join(copy.path, "docs/inputs.md"), "# mine\n");
    const { status, stderr } = copy.generate();
    expect(status).toBe(1);
    expect(stderr).toContain("docs/inputs.md has lost its marks");
    expect(await readFile(path.join(copy.path, "docs/inputs.md"), "utf8")).toBe("# mine\n");
  });
});

describe("action.yml", async () => {
  const action = Action.parse(parse(await readFile(path.join(ROOT, "action.yml"), "utf8")));

  test("every setting that can be an input is one, and no default but the token's and the context's [section 9]", () => {
    const settings = SETTINGS.filter((setting) => allowedIn(setting, "input")).map(({ name }) => name);
    const context = CONTEXT_INPUTS.map(({ name }) => name);
    expect(Object.keys(action.inputs).toSorted()).toEqual([...settings, ...context].toSorted());
    const defaults = Object.entries(action.inputs).flatMap(([name, { default: usual }]) =>
      usual ? [[name, usual]] : [],
    );
    expect(Object.fromEntries(defaults)).toEqual({
      "github-token": "${{ github.token }}",
      matrix: "${{ toJSON(matrix) }}",
      "job-check-run-id": "${{ job.check_run_id }}",
    });
  });

  test("what people need most comes first", () => {
    expect(Object.keys(action.inputs).slice(0, 7)).toEqual([
      "prompt",
      "prompt-file",
      "success-cmd",
      "success-sh",
      "quality-commands",
      "api-key",
      "github-token",
    ]);
  });

  test("outputs and programs", () => {
    expect(Object.keys(action.outputs)).toEqual([...OUTPUTS, ...PLAN_OUTPUTS].map(({ name }) => name));
    expect(action.runs).toEqual({
      using: "node24",
      main: "dist/action/index.js",
      post: "dist/post/index.js",
      "post-if": "always()",
    });
  });
});
