import type { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import { readComment, reply } from "../../src/github/comments.ts";
import { controlRefOf } from "../../src/core/control-requests.ts";
import { createRef } from "../../src/github/refs.ts";
import { addLabels, makeLabels, missingLabels, removeLabel } from "../../src/github/labels.ts";
import { ALL_LABELS, LABELS } from "../../src/views/github/labels.ts";
import { publishPullRequest } from "../../src/github/own-pull-request.ts";
import { gitHttp } from "../support/git-http.ts";
import { gitRepository } from "../support/git-repository.ts";
import { bind } from "../../src/github/client.ts";
import { clientOf } from "../support/github-api/client.ts";
import { startGithubApi } from "../support/github-api/server.ts";

interface FarEnd extends AsyncDisposable {
  readonly octokit: Octokit;
}

async function start(): Promise<FarEnd> {
  await using stack = new AsyncDisposableStack();
  const git = stack.use(await gitHttp());
  const seed = stack.use(await gitRepository());
  await seed.git("push", "-q", git.folder, "main");
  const permissions = { contents: "write", issues: "write", "pull-requests": "write" } as const;
  const api = await startGithubApi({ git, tokens: { t: { login: "github-actions[bot]", permissions } } });
  const owned = stack.move();
  return {
    octokit: clientOf(api),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await owned.disposeAsync();
      expect(api.problems).toEqual([]);
    },
  };
}

const AT = { owner: "octo", repo: "demo" };

/** Begins a branch with a commit of its own. */
async function commitOn({ octokit }: FarEnd, name: string): Promise<string> {
  const { data: main } = await octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...AT, ref: "heads/main" });
  const { sha: parent } = main.object;
  const commit = { ...AT, commit_sha: parent };
  const { data: old } = await octokit.request("GET /repos/{owner}/{repo}/git/commits/{commit_sha}", commit);
  const { data: tree } = await octokit.request("POST /repos/{owner}/{repo}/git/trees", {
    ...{ ...AT, base_tree: old.tree.sha },
    tree: [{ path: "done.txt", mode: "100644", type: "blob", content: "done\n" }],
  });
  const { data: made } = await octokit.request("POST /repos/{owner}/{repo}/git/commits", {
    ...{ ...AT, message: "work", tree: tree.sha, parents: [parent] },
  });
  await octokit.request("POST /repos/{owner}/{repo}/git/refs", { ...AT, ref: `refs/heads/${name}`, sha: made.sha });
  return made.sha;
}

test("a loop's pull request, labels, comments and requests: what one call writes the next one reads", async () => {
  await using far = await start();
  const { octokit } = far;
  const { data: repository } = await octokit.request("GET /repos/{owner}/{repo}", AT);
  const here = { id: Number(repository.id), owner: "octo", name: "demo" };
  const github = bind(octokit, here, AbortSignal.timeout(20_000));
  const commit = await commitOn(far, "smithers/a");
  const text = { title: "t", body: "b", marker: "<!-- smithers:loop a -->" };
  const wish = { branch: "smithers/a", base: "main", ...text, draft: true, known: null };
  const opened = await publishPullRequest(github, wish);
  if (!opened.ok) throw new Error(opened.trouble.because);
  expect(opened).toMatchObject({ value: { created: true, draft: true, notes: [] } });
  const { number } = opened.value;
  const again = await publishPullRequest(github, { ...wish, title: "new", known: number });
  expect(again).toMatchObject({ ok: true, value: { created: false, number } });
  const { data: pull } = await octokit.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", {
    ...{ ...AT, pull_number: number },
  });
  expect(pull).toMatchObject({ title: "new", state: "open", head: { ref: "smithers/a", sha: commit } });

  const on = { ...AT, issue_number: number };
  expect(await missingLabels(github, [LABELS.paused, LABELS.cancel])).toMatchObject({ ok: true, value: [{}, {}] });
  expect(await makeLabels(github, [LABELS.paused, LABELS.cancel])).toMatchObject({ ok: true });
  expect(await missingLabels(github, ALL_LABELS)).toMatchObject({ value: [LABELS.start, LABELS.fix, LABELS.continue] });
  expect(await addLabels(github, number, ["smithers:paused", "smithers:cancel"])).toMatchObject({ ok: true });
  expect(await removeLabel(github, number, "smithers:cancel")).toMatchObject({ ok: true });
  expect(await removeLabel(github, number, "smithers:cancel")).toMatchObject({ ok: true });
  const { data: labels } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/labels", on);
  expect(labels.map(({ name }) => name)).toEqual(["smithers:paused"]);

  expect(await reply(github, number, "hello")).toMatchObject({ ok: true });
  const { data: comments } = await octokit.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", on);
  expect(await readComment(github, Number(comments[0]?.id))).toMatchObject({
    value: { body: "hello", number },
  });

  const order = { loopId: "a", kind: "pause", login: "alice", id: 7 } as const;
  const ref = controlRefOf(order.loopId, order);
  expect(await createRef(github, ref, commit)).toMatchObject({ ok: true });
  expect(await createRef(github, ref, commit)).toMatchObject({ ok: true });
  const { data: refs } = await octokit.request("GET /repos/{owner}/{repo}/git/matching-refs/{ref}", {
    ...{ ...AT, ref: "smithers-control/a/" },
  });
  expect(refs.map((found) => [found.ref, found.object.sha])).toEqual([[ref, commit]]);
});
