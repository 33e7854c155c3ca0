import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readOptional } from "../../src/app/locate.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("L-13, S-05: a config file that is not there is none, and what is no file is said to be none", async () => {
  await using folder = await tempFolder();
  const at = (name: string): string => path.join(folder.path, name);
  await writeFile(at("file"), "MAX_ITERATIONS=5\n");
  await mkdir(at("folder"));
  await promisify(execFile)("mkfifo", [at("pipe")]);
  await symlink("/dev/zero", at("device"));

  expect(await readOptional(at("file"), "--loopr-root")).toBe("MAX_ITERATIONS=5\n");
  expect(await readOptional(at("missing"), "--loopr-root")).toBeUndefined();
  for (const name of ["folder", "pipe", "device"]) {
    await expect(readOptional(at(name), "--loopr-root")).rejects.toThrow(
      `The config file ${at(name)} cannot be read: it is no regular file.`,
    );
  }
});

test("a config file that a shell hands over is read", async () => {
  expect(await readOptional("/dev/null", "--config-file")).toBe("");
});
