import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { githubPlace } from "../../src/commands/github-place.ts";
import type { Shell } from "../../src/app/shell.ts";
import { gitRepository } from "../support/git-repository.ts";

const shell = (env: Shell["env"], cwd: string): Shell => ({
  ...{ program: "smithers", cwd, env, stdout: new PassThrough(), stderr: new PassThrough() },
});
const TOKEN = { GITHUB_TOKEN: "t" };
const UNCLEAR =
  "GitHub is not looked at, for it is not clear which repository is meant: name it with --repo owner/name.";

test.for([
  { origin: "https://github.com/octo/demo.git", repository: "octo/demo" },
  { origin: "https://github.com/octo/demo/", repository: "octo/demo" },
  { origin: "https://x-access-token:secret@github.com/octo/demo", repository: "octo/demo" },
  { origin: "git@github.com:octo/demo.git", repository: "octo/demo" },
  { origin: "ssh://git@github.com:22/octo/dotted.name.git", repository: "octo/dotted.name" },
  { origin: "https://example.org/octo/demo.git", repository: null },
  { origin: "https://example.org/github.com/octo/demo.git", repository: null },
  { origin: "../demo", repository: null },
  { origin: null, repository: null },
])("origin $origin is $repository", async ({ origin, repository }) => {
  await using repo = await gitRepository();
  if (origin !== null) await repo.git("remote", "add", "origin", origin);
  const place = await githubPlace(undefined, repo.path, shell(TOKEN, repo.path));
  expect(typeof place === "string" ? place : `${place.owner}/${place.name}`).toBe(repository ?? UNCLEAR);
});

test("what is asked for outranks the variable, and that the origin; so do servers of one's own", async () => {
  await using repo = await gitRepository();
  await repo.git("remote", "add", "origin", "https://github.com/octo/demo.git");
  const own = { GITHUB_SERVER_URL: "https://git.example.org/", GITHUB_API_URL: "https://git.example.org/api/v3/" };
  const env = { GH_TOKEN: "t", GITHUB_REPOSITORY: "octo/other", ...own };
  const found = (asked?: string) => githubPlace(asked, repo.path, shell(env, repo.path));
  expect(await found()).toEqual({
    ...{ owner: "octo", name: "other", token: "t" },
    ...{ serverUrl: "https://git.example.org", apiUrl: "https://git.example.org/api/v3" },
  });
  expect(await found("octo/third")).toMatchObject({ name: "third" });
});
