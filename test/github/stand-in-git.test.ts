import { expect, test } from "vitest";
import { gitHttp, type GitHttp } from "../support/git-http.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { clientOf, refusalTo } from "../support/github-api/client.ts";
import { aPull, type GithubApi, startGithubApi } from "../support/github-api/server.ts";

const REPOSITORY = { owner: "octo", repo: "demo" };
const PERMISSIONS = { contents: "write", "pull-requests": "write", statuses: "read" } as const;

interface Stage extends AsyncDisposable {
  readonly api: GithubApi;
  readonly git: GitHttp;
  readonly clone: GitRepository;
  readonly main: string;
}

async function start(): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const git = stack.use(await gitHttp());
  const tokens = { t: { login: "github-actions[bot]", permissions: PERMISSIONS } };
  const api = stack.use(await startGithubApi({ git, tokens }));
  const clone = stack.use(await gitRepository({ "README.md": "hello\n", "src/a.ts": "a\n" }));
  await clone.git("push", "-q", git.folder, "main");
  const main = await clone.git("rev-parse", "HEAD");
  const owned = stack.move();
  return { api, git, clone, main, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test("refs made by the API are git's, and the other way round", async () => {
  await using stage = await start();
  const { api, git, clone, main } = stage;
  const { request } = clientOf(api);
  const ref = "refs/smithers-control/x/pause/alice-1";
  await request("POST /repos/{owner}/{repo}/git/refs", { ...REPOSITORY, ref, sha: main });
  expect(await git.git("rev-parse", ref)).toBe(main);
  const again = request("POST /repos/{owner}/{repo}/git/refs", { ...REPOSITORY, ref, sha: main });
  expect(await refusalTo(again)).toMatch(/^422 Reference already exists/u);
  const strange = request("POST /repos/{owner}/{repo}/git/refs", {
    ...REPOSITORY,
    ref: "refs/x/y",
    sha: "e".repeat(40),
  });
  expect(await refusalTo(strange)).toMatch(/^422 Object does not exist/u);

  await clone.git("commit", "-q", "--allow-empty", "-m", "next");
  const next = await clone.git("rev-parse", "HEAD");
  await clone.git("push", "-q", git.folder, `HEAD:refs/heads/feature`, `HEAD:refs/smithers-loops/x`);
  const { data } = await request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...REPOSITORY, ref: "smithers-loops/x" });
  expect(data.object.sha).toBe(next);
  const { data: all } = await request("GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
    ...REPOSITORY,
    ref: "smithers",
  });
  expect(all.map((row) => row.ref)).toEqual([ref, "refs/smithers-loops/x"]);
  const move = { ...REPOSITORY, ref: "smithers-loops/x", sha: main };
  expect(await refusalTo(request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", move))).toMatch(
    /^422 Update is not a fast forward/u,
  );
  await request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", { ...move, force: true });
  await request("DELETE /repos/{owner}/{repo}/git/refs/{ref}", { ...REPOSITORY, ref: "smithers-loops/x" });
  expect(
    await refusalTo(request("DELETE /repos/{owner}/{repo}/git/refs/{ref}", { ...REPOSITORY, ref: "smithers-loops/x" })),
  ).toMatch(/^422 Reference does not exist/u);
  expect(await git.git("for-each-ref", "refs/smithers-loops")).toBe("");
  expect(api.problems).toEqual([]);
});

test("a pull request's head follows the branch, and pushes are told with the server's time", async () => {
  await using stage = await start();
  const { api, git, clone, main } = stage;
  const { request } = clientOf(api);
  await clone.git("push", "-q", git.folder, "HEAD:refs/heads/feature");
  const fresh = { ...REPOSITORY, title: "t", head: "feature", base: "main" };
  expect(await refusalTo(request("POST /repos/{owner}/{repo}/pulls", fresh))).toMatch(
    /No commits between main and feature/u,
  );
  await clone.write("src/a.ts", "b\n");
  await clone.git("commit", "-q", "-am", "next");
  const url = git.url.replace("http://", `http://x-access-token:${git.writeToken}@`);
  await clone.git("push", "-q", url, "HEAD:refs/heads/feature");
  const next = await clone.git("rev-parse", "HEAD");
  const { data: pull } = await request("POST /repos/{owner}/{repo}/pulls", fresh);
  expect(pull.head.sha).toBe(next);
  const { data: files } = await request("GET /repos/{owner}/{repo}/pulls/{pull_number}/files", {
    ...{ ...REPOSITORY, pull_number: pull.number },
  });
  expect(files).toMatchObject([{ filename: "src/a.ts", status: "modified", additions: 1, deletions: 1 }]);
  const { data: pushes } = await request("GET /repos/{owner}/{repo}/activity", {
    ...REPOSITORY,
    ref: "refs/heads/feature",
  });
  expect(pushes.map(({ before, after, activity_type, actor }) => [before, after, activity_type, actor?.login])).toEqual(
    [
      [main, next, "push", "github-actions[bot]"],
      ["0".repeat(40), main, "branch_creation", "alice"],
    ],
  );
  expect(Math.abs(Date.parse(pushes[0]?.timestamp ?? "") - Date.now())).toBeLessThan(60_000);
  expect(api.problems).toEqual([]);
});

test("commits, trees, blobs and contents are git's", async () => {
  await using stage = await start();
  const { api, git, main } = stage;
  const { request } = clientOf(api);
  const { data: commit } = await request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", {
    ...REPOSITORY,
    commit_sha: main,
  });
  expect(commit).toMatchObject({ message: "start", author: { email: "test@example.invalid" }, parents: [] });
  const { data: tree } = await request("GET /repos/{owner}/{repo}/git/trees/{tree_sha}", {
    ...{ ...REPOSITORY, tree_sha: commit.tree.sha, recursive: "1" },
  });
  expect(tree.tree.map(({ path }) => path)).toEqual(["README.md", "src", "src/a.ts"]);
  const { data: file } = await request("GET /repos/{owner}/{repo}/contents/{path}", {
    ...REPOSITORY,
    path: "src/a.ts",
  });
  expect(file).toMatchObject({ type: "file", content: Buffer.from("a\n").toString("base64") });
  const { data: folder } = await request("GET /repos/{owner}/{repo}/contents/{path}", {
    ...REPOSITORY,
    path: "src",
    ref: main,
  });
  expect(folder).toMatchObject([{ type: "file", path: "src/a.ts" }]);
  const blob = await request("POST /repos/{owner}/{repo}/git/blobs", { ...REPOSITORY, content: "new\n" });
  const { data: read } = await request("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", {
    ...REPOSITORY,
    file_sha: blob.data.sha,
  });
  expect(read).toMatchObject({ size: 4, content: Buffer.from("new\n").toString("base64") });
  const written = await request("POST /repos/{owner}/{repo}/git/trees", {
    ...{ ...REPOSITORY, base_tree: commit.tree.sha },
    tree: [
      { path: "b.ts", mode: "100644", type: "blob", sha: blob.data.sha },
      { path: "README.md", mode: "100644", type: "blob", sha: null },
    ],
  });
  const made = await request("POST /repos/{owner}/{repo}/git/commits", {
    ...{ ...REPOSITORY, message: "made", tree: written.data.sha, parents: [main] },
  });
  expect(await git.git("ls-tree", "-r", "--name-only", made.data.sha)).toBe("b.ts\nsrc/a.ts");
  expect(
    await refusalTo(request("GET /repos/{owner}/{repo}/contents/{path}", { ...REPOSITORY, path: "nope" })),
  ).toMatch(/^404 /u);
  expect(api.problems).toEqual([]);
});

test("GitHub makes a commit on a branch only where the branch is where it was expected", async () => {
  await using stage = await start();
  const { api, git, main } = stage;
  api.world.issues.push(aPull({ number: 5, headBranch: "main" }));
  const { graphql } = clientOf(api);
  const commit = `mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`;
  const input = {
    branch: { repositoryNameWithOwner: "octo/demo", branchName: "main" },
    message: { headline: "by GitHub" },
    expectedHeadOid: main,
    fileChanges: {
      additions: [{ path: "b.ts", contents: Buffer.from("b\n").toString("base64") }],
      deletions: [{ path: "src/a.ts" }],
    },
  };
  const oid = await graphql(commit, { input });
  expect(oid).toEqual({ createCommitOnBranch: { commit: { oid: await git.git("rev-parse", "main") } } });
  expect(await git.git("ls-tree", "-r", "--name-only", "main")).toBe("README.md\nb.ts");
  expect(await refusalTo(graphql(commit, { input }))).toMatch(/Expected branch to point to/u);
  expect(api.problems).toEqual([]);
});

test("what lies between two commits is git's answer", async () => {
  await using stage = await start();
  const { api, git, clone, main } = stage;
  await clone.git("commit", "-q", "--allow-empty", "-m", "next");
  await clone.git("push", "-q", git.folder, "HEAD:refs/heads/feature");
  const head = await clone.git("rev-parse", "HEAD");
  const { request } = clientOf(api);
  const compare = async (base: string) =>
    request("GET /repos/{owner}/{repo}/compare/{base}...{head}", { ...REPOSITORY, base, head });
  const { data } = await compare(main);
  expect([data.total_commits, data.commits.map(({ sha, commit }) => [sha, commit.message])]).toEqual([
    1,
    [[head, "next"]],
  ]);
  expect(await refusalTo(compare("e".repeat(40)))).toMatch(/^404 /u);
  expect(api.problems).toEqual([]);
});
