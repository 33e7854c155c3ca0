import path from "node:path";
import { expect, test, vi } from "vitest";
import { findRepository } from "../../src/git/repository.ts";
import { readSettings } from "../../src/git/private-git.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { workspaceOf } from "./support.ts";

const FALLBACK = { name: "smithers", email: "smithers@localhost", source: "fallback" };

async function settingsOf(repository: GitRepository, env: Record<string, string>) {
  const found = await findRepository(repository.path);
  if (found === undefined) throw new Error("a repository is found");
  return readSettings(found, { PATH: process.env["PATH"], ...env });
}

function by(name: string, email: string) {
  return { name, email, source: "git" };
}

test("the environment says who commits before the configuration does [C13]", async () => {
  await using repository = await gitRepository();
  const test = by("Test", "test@example.invalid");
  expect(await settingsOf(repository, {})).toMatchObject({ author: test, committer: test });
  const author = { GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.invalid" };
  expect(await settingsOf(repository, author)).toMatchObject({
    author: by("Ann", "ann@example.invalid"),
    committer: test,
  });
  expect(await settingsOf(repository, { GIT_COMMITTER_NAME: "Bot", GIT_AUTHOR_EMAIL: " " })).toMatchObject({
    author: test,
    committer: by("Bot", "test@example.invalid"),
  });
  await repository.git("config", "author.name", "Role");
  expect((await settingsOf(repository, {})).author).toEqual(by("Role", "test@example.invalid"));
});

test("GIT_CONFIG_GLOBAL says who commits, and starts nothing [C13, T12]", async () => {
  await using repository = await gitRepository();
  await repository.git("config", "--unset", "user.name");
  await repository.git("config", "--unset", "user.email");
  expect(await settingsOf(repository, {})).toMatchObject({ author: FALLBACK, committer: FALLBACK });
  const evil = '[core]\n\thooksPath = /evil\n[filter "x"]\n\tclean = evil\n[gpg]\n\tprogram = evil\n';
  await repository.write("own", `[user]\n\tname = Own\n\temail = own@example.invalid\n${evil}`);
  const settings = await settingsOf(repository, { GIT_CONFIG_GLOBAL: path.join(repository.path, "own") });
  expect(settings).toMatchObject({
    author: by("Own", "own@example.invalid"),
    committer: by("Own", "own@example.invalid"),
  });
  expect(settings.config).not.toMatch(/evil/u);
});

test("a commit names the environment's author and committer [C13]", async () => {
  await using repository = await gitRepository();
  await repository.write("new.txt", "new\n");
  vi.stubEnv("GIT_AUTHOR_NAME", "Ann");
  vi.stubEnv("GIT_COMMITTER_EMAIL", "bot@example.invalid");
  try {
    await (await workspaceOf(repository.path)).commit({ message: "done", loopId: "loop", iteration: 1 });
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await repository.git("log", "-1", "--format=%an %ae, %cn %ce")).toBe(
    "Ann test@example.invalid, Test bot@example.invalid",
  );
});
