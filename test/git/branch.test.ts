import { describe, expect, it, test } from "vitest";
import type { Fault } from "../support/git-http.ts";
import { BRANCH, machine, remoteWith, SOON } from "./branch-support.ts";

const REF = `refs/heads/${BRANCH}`;

describe("where the branch is", () => {
  it("absent, then where somebody pushed it [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    // Its name ends the same.
    await remote.push(`other/refs/heads/${BRANCH}`, { a: "" });
    expect(await branch.tip(SOON)).toEqual({ tip: "absent" });
    const commit = await remote.push(BRANCH, { "a.md": "a\n" });
    expect(await branch.tip(SOON)).toEqual({ tip: "found", commit });
  });

  it("unreachable, and nothing is changed then [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const head = await job.git("rev-parse", "HEAD");
    const faults: readonly (readonly [Fault, number, string])[] = [
      [{ status: 401, text: "no" }, SOON, "does not accept the token"],
      [{ status: 503, text: "no" }, SOON, "503"],
      ["drop", SOON, ""],
      ["hang", 700, "there was no answer within 0.7 s"],
    ];
    for (const [fault, within, why] of faults) {
      remote.http.fault = () => fault;
      expect(await branch.tip(within)).toEqual({ tip: "unreachable", why: expect.stringContaining(why) });
      expect(await branch.checkOut(within)).toMatchObject({
        ok: false,
        trouble: { because: expect.stringContaining(why) },
      });
    }
    await job.expectAt(head, "main");
  });

  it("a name that git could take for something else is never given to it [T15]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    for (const branch of ["--upload-pack=x", "a..b", "refs/heads/x"])
      await expect(job.branch({ branch })).rejects.toThrow(RangeError);
  });
});

describe("pushing", () => {
  it("a branch that is not there yet, then a step forward, and the same again [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    expect(await branch.checkOut(SOON)).toMatchObject({ ok: true, value: { how: "begun", tip: null } });
    const first = await job.commit("new.md", "1\n");
    expect(await branch.push(first, null, SOON)).toEqual({ ok: true });
    const second = await job.commit("new.md", "2\n");
    expect(await branch.push(second, first, SOON)).toEqual({ ok: true });
    // An answer that was lost.
    expect(await branch.push(second, first, SOON)).toEqual({ ok: true });
    expect(await remote.http.git("rev-parse", REF)).toBe(second);
  });

  it("somebody pushed meanwhile: nothing is pushed [T6]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const first = await job.commit("new.md", "1\n");
    await branch.push(first, null, SOON);
    await remote.person.git("fetch", "-q", remote.http.folder, REF);
    const theirs = await remote.push(BRANCH, { "theirs.md": "x\n" }, "FETCH_HEAD");
    const second = await job.commit("new.md", "2\n");
    const because = `${BRANCH} was at ${first.slice(0, 12)}, and now it is at ${theirs.slice(0, 12)}`;
    const moved = { ok: false, trouble: { kind: "moved", now: theirs, because } };
    expect(await branch.push(second, first, SOON)).toEqual(moved);
    expect(await branch.push(second, null, SOON)).toMatchObject({ trouble: { kind: "moved", now: theirs } });
    expect(await remote.http.git("rev-parse", REF)).toBe(theirs);
  });

  it("somebody deleted it meanwhile: it is not made again [T6]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const first = await job.commit("new.md", "1\n");
    await branch.push(first, null, SOON);
    await remote.http.git("update-ref", "-d", REF);
    const second = await job.commit("new.md", "2\n");
    const answer = await branch.push(second, first, SOON);
    expect(answer).toMatchObject({
      ok: false,
      trouble: { kind: "moved", now: null, because: expect.stringContaining("gone") },
    });
    expect(await branch.tip(SOON)).toEqual({ tip: "absent" });
  });

  it("of two that push at once, one wins and the other learns where it is [T6]", async () => {
    await using remote = await remoteWith();
    await using one = await machine(remote);
    await using other = await machine(remote);
    const commits = [await one.commit("a.md", "1\n"), await other.commit("a.md", "2\n")] as const;
    const branches = [await one.branch(), await other.branch()] as const;
    // The server waits until both have seen that the branch does not exist.
    const came = 'touch "$GIT_PROJECT_ROOT/came.$$"';
    await remote.http.hook(
      "pre-receive",
      `${came}; until [ "$(ls $GIT_PROJECT_ROOT | grep -c came)" = 2 ]; do sleep 0.02; done`,
    );
    const answers = await Promise.all([
      branches[0].push(commits[0], null, SOON),
      branches[1].push(commits[1], null, SOON),
    ]);
    const now = await remote.http.git("rev-parse", REF);
    expect(commits).toContain(now);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ trouble: { kind: "moved", now } });
  });

  it("people's commits are never rewritten, whatever the lease says [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const first = await job.commit("new.md", "1\n");
    await branch.push(first, null, SOON);
    await job.git("commit", "-q", "--amend", "-m", "rewritten");
    const rewritten = await job.git("rev-parse", "HEAD");
    const answer = await branch.push(rewritten, first, SOON);
    expect(answer).toMatchObject({ ok: false, trouble: { kind: "not_fast_forward" } });
    expect(await remote.http.git("rev-parse", REF)).toBe(first);
  });

  it("what the server refuses is told apart, with its cure [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const commit = await job.commit("new.md", "1\n");
    const workflows = "create or update workflow `.github/workflows/x.yml` without `workflows` permission";
    const refusals: readonly (readonly [kind: string, said: string, cure?: string])[] = [
      ["ruleset", "GH013: Repository rule violations found. - Commits must have verified signatures.", "sign-commits"],
      ["ruleset", "GH006: Protected branch update failed. Commits must have valid signatures.", "sign-commits"],
      ["ruleset", "GH013: Repository rule violations found for refs/heads/x."],
      ["ruleset", "GH006: Protected branch update failed for refs/heads/x."],
      ["workflow_files", `refusing to allow a GitHub App to ${workflows}`],
      ["secret", "GH013: Repository rule violations found: Push cannot contain secrets"],
      ["hidden_ref", "deny updating a hidden ref"],
      ["declined", "GH001: Large files detected."],
    ];
    for (const [kind, text, cure = ""] of refusals) {
      await remote.http.hook("pre-receive", `echo '${text}' >&2; exit 1`);
      const answer = await branch.push(commit, null, SOON);
      expect(answer).toMatchObject({ ok: false, trouble: { kind, because: expect.stringContaining(text) } });
      expect(answer).toHaveProperty("trouble.next", expect.stringMatching(/\.$/u));
      expect(answer).toHaveProperty("trouble.next", expect.stringContaining(cure));
    }
  });

  it("a token that may not write, and one that nobody knows [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const commit = await job.commit("new.md", "1\n");
    for (const [kind, token] of [
      ["permission", remote.http.readToken],
      ["token", "unknown"],
    ] as const) {
      const branch = await job.branch({ token });
      expect(await branch.push(commit, null, SOON)).toMatchObject({ ok: false, trouble: { kind } });
      expect(await branch.dryRun([], SOON)).toMatchObject({ ok: false, trouble: { kind } });
    }
  });

  it("unreachable: the server says nothing [C13]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    const commit = await job.commit("new.md", "1\n");
    remote.http.fault = () => "hang";
    const because = "there was no answer within 0.7 s";
    expect(await branch.push(commit, null, 700)).toEqual({ ok: false, trouble: { kind: "unreachable", because } });
  });

  it("what is not a commit never reaches git [T15]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const branch = await job.branch();
    expect(await branch.push("--exec=x", null, SOON)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
    expect(remote.http.requests.some(({ url }) => url.includes("receive-pack"))).toBe(false);
  });
});

test("preflight: a rehearsal shows whether branch and loop ref may be written, and writes nothing", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  await remote.push(BRANCH, { "a.md": "not here\n" });
  const before = [await remote.http.git("for-each-ref"), await job.git("count-objects")];
  const branch = await job.branch();
  expect(await branch.dryRun(["refs/smithers-loops/a-loop"], SOON)).toEqual({ ok: true });
  expect([await remote.http.git("for-each-ref"), await job.git("count-objects")]).toEqual(before);
  remote.http.fault = () => ({ status: 403, text: "no" });
  const next = "Add `contents: write` to the job's `permissions:`.";
  expect(await branch.dryRun([], SOON)).toMatchObject({ ok: false, trouble: { kind: "permission", next } });
});

describe("changed paths", () => {
  it("are told with what was done to them, a bounded number of them [T17]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote);
    const base = await job.git("rev-parse", "HEAD");
    await job.git("rm", "-q", "README.md");
    await job.write("docs/a.md", "c\n");
    const head = await job.commit("tests/ä\n.ts", "x\n");
    const branch = await job.branch();
    expect(await branch.changedPaths(base, head, SOON)).toEqual({
      ok: true,
      value: {
        more: 0,
        paths: [
          { path: "README.md", change: "deleted" },
          { path: "docs/a.md", change: "modified" },
          { path: "tests/ä\n.ts", change: "added" },
        ],
      },
    });
    expect(await branch.changedPaths(base, head, SOON, 1)).toMatchObject({ ok: true, value: { more: 2 } });
  });

  it("what a shallow checkout lacks is fetched [T17]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote, ["--depth=1"]);
    const base = await remote.http.git("rev-parse", "main~2");
    const head = await job.git("rev-parse", "HEAD");
    const branch = await job.branch();
    const paths = [{ path: "docs/a.md", change: "added" }];
    expect(await branch.changedPaths(base, head, SOON)).toEqual({ ok: true, value: { paths, more: 0 } });
    expect(await job.git("fsck", "--connectivity-only", "--no-dangling")).toBe("");
    expect(await branch.changedPaths("0".repeat(40), head, SOON)).toMatchObject({ ok: false });
  });

  it("a commit that a shallow checkout lacks is brought, without its history [C40]", async () => {
    await using remote = await remoteWith();
    await using job = await machine(remote, ["--depth=1"]);
    const base = await remote.http.git("rev-parse", "main~1");
    const branch = await job.branch();
    await expect(job.git("cat-file", "-e", `${base}^{tree}`)).rejects.toThrow(/cat-file/u);
    expect(await branch.bring([base, await job.git("rev-parse", "HEAD")], SOON)).toMatchObject({ ok: true });
    expect(await job.git("rev-list", "--count", base)).toBe("1");
    expect(await branch.bring(["0".repeat(40)], SOON)).toMatchObject({ ok: false });
  });
});
