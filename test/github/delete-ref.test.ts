import path from "node:path";
import { expect, test } from "vitest";
import { createRefDeleter } from "../../src/github/refs.ts";
import { type GitHttp, gitHttp } from "../support/git-http.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const REF = "refs/smithers-loops/a-loop";

/** A remote whose ref of a loop is at `was`, and whose `main` is at `now`. */
async function start() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await gitHttp());
  const folder = stack.use(await tempFolder("delete-ref-"));
  const clone = stack.use(await gitRepository({ "a.txt": "a\n" }));
  const was = await clone.git("rev-parse", "HEAD");
  await clone.git("push", "-q", remote.folder, `HEAD:${REF}`, `HEAD:refs/smithers-loops/other`);
  await clone.git("commit", "-q", "--allow-empty", "-m", "next");
  const now = await clone.git("rev-parse", "HEAD");
  await clone.git("push", "-q", remote.folder, "main");
  const owned = stack.move();
  return {
    remote,
    was,
    now,
    deleter: ({ token = remote.writeToken, signal = AbortSignal.timeout(20_000) } = {}) =>
      createRefDeleter({ url: remote.url, token, folder: path.join(folder.path, "git"), mark: "test" }, signal),
    refs: () => refsOf(remote),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function refsOf(remote: GitHttp): Promise<readonly string[]> {
  return (await remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-loops")).split("\n");
}

test.concurrent("deletes a ref that is where it was seen, and no other; twice is once", async () => {
  await using at = await start();
  const deleteRef = at.deleter();
  expect(await deleteRef(REF, at.was)).toEqual({ ok: true, value: { already: false } });
  expect(await at.refs()).toEqual(["refs/smithers-loops/other"]);
  expect(await deleteRef(REF, at.was)).toEqual({ ok: true, value: { already: true } });
});

test.concurrent("leaves a ref that has moved meanwhile", async () => {
  await using at = await start();
  await at.remote.git("update-ref", REF, at.now);
  expect(await at.deleter()(REF, at.was)).toEqual({
    ok: false,
    trouble: { moved: true, because: `it was at ${at.was.slice(0, 12)}, and now it is at ${at.now.slice(0, 12)}` },
  });
  expect(await at.refs()).toContain(REF);
});

test.concurrent("says why it may not, or cannot", async () => {
  await using at = await start();
  expect(await at.deleter({ token: at.remote.readToken })(REF, at.was)).toMatchObject({
    ok: false,
    trouble: { moved: false, because: expect.stringContaining("Add `contents: write` to the job's `permissions:`") },
  });
  await at.remote.hook("pre-receive", "echo GH013: Repository rule violations found >&2; exit 1");
  expect(await at.deleter()(REF, at.was)).toMatchObject({
    ok: false,
    trouble: { moved: false, because: expect.stringContaining("a rule of the repository forbids it") },
  });
  await at.remote.hook("pre-receive", "");
  at.remote.fault = () => "hang";
  expect(await at.deleter({ signal: AbortSignal.timeout(300) })(REF, at.was)).toEqual({
    ok: false,
    trouble: { moved: false, because: "there was no answer in time" },
  });
  at.remote.fault = undefined;
  expect(await at.refs()).toContain(REF);
});
