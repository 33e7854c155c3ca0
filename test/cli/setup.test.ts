import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { cli, jsonOf } from "./run-cli.ts";

test("R-09, R-10, W-65: setup, import and install-helpers are commands with operands, help and results for machines", async () => {
  await using repo = await gitRepository({ "prd.md": "# Till\n\n## Tasks\n\n- scan\n" });
  const [setup, imported, helped] = await Promise.all([
    cli(["setup", "shop", "--json"], repo.path),
    cli(["import", "prd.md", "--name", "till"], repo.path),
    cli(["install-helpers", "--help"], repo.path),
  ]);
  expect(jsonOf(setup)).toMatchObject({ schema: 1, folder: path.join(repo.path, "shop") });
  expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("1 item, 0 of them ticked") });
  expect(helped.stdout).toMatch(/smithers install-helpers --dry-run[\s\S]*Exit codes: 0 /u);
  expect(await readdir(path.join(repo.path, "till"))).toContain("PROMPT.md");
});
