import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { whatLogsIn } from "../../src/git/kept-credentials.ts";
import { gitRepository } from "../support/git-repository.ts";

test("a person is told of a token in their repository, which stays [T13]", async () => {
  await using repository = await gitRepository();
  await repository.git("remote", "add", "origin", "https://someone:secret-token@github.com/o/r.git");
  const config = path.join(repository.path, ".git/config");
  const before = await readFile(config, "utf8");
  const told = await whatLogsIn(repository.path);
  expect(told).toContain(config);
  expect(told).not.toContain("secret-token");
  expect(await readFile(config, "utf8")).toBe(before);
});

test("what names no secret is not told: plain URLs, git@, a command for SSH without a key", async () => {
  await using repository = await gitRepository();
  await repository.git("remote", "add", "origin", "https://github.com/o/r.git");
  await repository.git("remote", "add", "ssh", "ssh://git@github.com/o/r.git");
  await repository.git("config", "core.sshCommand", "ssh -v");
  expect(await whatLogsIn(repository.path)).toBeNull();
});
