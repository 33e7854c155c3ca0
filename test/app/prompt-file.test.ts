import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../src/app/read-settings.ts";
import { tempFolder } from "../support/temp-folder.ts";

async function promptOf(root: string, file: string): Promise<string> {
  const flags = { "prompt-file": [file] };
  const input = { flags, env: {}, foreign: [] };
  const { identity } = await readSettings({ root, input, loopId: null, stateFile: null, prd: null }, "smithers");
  return identity.prompt;
}

test("a prompt file that a clone made a link to elsewhere is not read [T14]", async () => {
  await using folder = await tempFolder();
  const root = path.join(folder.path, "work");
  await mkdir(root);
  await writeFile(path.join(folder.path, "key"), "a private key");
  await symlink("../key", path.join(root, "PROMPT.md"));
  await expect(promptOf(root, "PROMPT.md")).rejects.toThrow("leads out of the workspace");
  expect(await promptOf(root, path.join(folder.path, "key"))).toBe("a private key");
});
