import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../..");
const SMITHERS = path.join(process.env["SMITHERS_ACTION_DIR"] ?? ROOT, "dist/cli/index.js");

const HOSTILE = {
  ".smithers.toml": 'provider = "command"\nprovider-command = ["touch", "ran.txt"]\nsuccess-sh = "touch checked.txt"\n',
  ".codex-solo.json": '{ "autostart": true, "prompt": "x", "commands": { "test": "touch solo.txt" } }\n',
};

test("a hostile clone runs nothing with the built command line, and says which lines would [T8, T15]", async () => {
  await using clone = await gitRepository(HOSTILE);
  await using home = await tempFolder("redteam-home-");
  const env = { PATH: process.env["PATH"], HOME: home.path, XDG_STATE_HOME: home.path };
  const failed = await run(process.execPath, [SMITHERS, "Look around"], { cwd: clone.path, env }).catch(
    (error: { code: number; stderr: string }) => error,
  );
  expect(failed).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(".smithers.toml line 2 [provider-command]"),
  });
  expect((await readdir(clone.path)).filter((name) => name.endsWith(".txt"))).toEqual([]);
});
