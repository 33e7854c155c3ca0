import { chmod, mkdir, rename, rm, symlink } from "node:fs/promises";
import { Octokit } from "@octokit/rest";
import { describe, expect, test } from "vitest";
import { bind } from "../../src/github/client.ts";
import { pushSigned } from "../../src/github/signed-commits.ts";
import { githubOf } from "../support/github-api/client.ts";
import { BRANCH, type PublishStage, publishStage } from "../publish/publish-stage.ts";
import { signedStage } from "./signed-stage.ts";

const SUBMODULE = "5".repeat(40);

/** How often an operation was asked for since some moment. */
function asked({ api }: PublishStage, operation: string, since = 0): number {
  return api.requests.slice(since).filter((request) => request.operation === operation).length;
}

describe("sign-commits: what GitHub makes is what git has made", () => {
  test("every kind of file and change, commit by commit, with few writes", async () => {
    await using at = await publishStage();
    const { base, commit, file, write, push, workOf } = await signedStage(at);
    const files: Readonly<Record<string, string | Buffer>> = {
      "run.sh": "#!/bin/sh\n",
      "deep/er/ä “b”\n.txt": "zwölf\r\n",
      "bytes.bin": Buffer.from([0xff, 0xfe, 0, 1]),
      "nul.txt": "a\0b",
      "mark.txt": "\uFEFFwith a mark\n",
      "empty.txt": "",
      "empty-too.txt": "",
      "big.txt": `${"näh ".repeat(300_000)}\n`,
      "same.txt": "zwölf\r\n",
      "will-be-a-folder": "x\n",
    };
    for (const [name, content] of Object.entries(files)) await write(name, content);
    await chmod(file("run.sh"), 0o755);
    await symlink("deep/er", file("link"));
    await mkdir(file("sub"));
    await at.git("update-index", "--add", "--cacheinfo", `160000,${SUBMODULE},sub`);
    await commit("feat: all kinds\n\nA body.\n\nSmithers-Loop: a-loop\nSmithers-Iteration: 1");

    await rename(file("bytes.bin"), file("renamed.bin"));
    await chmod(file("run.sh"), 0o644);
    for (const name of ["README.md", "link", "will-be-a-folder", "deep", "sub"]) {
      await rm(file(name), { recursive: true });
    }
    for (const name of ["link", "will-be-a-folder/x", "deep"]) await write(name, "another one now\n");
    await commit("refactor: other kinds");
    const last = await commit("chore: nothing");

    const pushed = await push(last, null);
    if (!pushed.ok) throw new Error(pushed.trouble.because);
    expect(pushed.value.unverified).toBeNull();
    expect(await at.tip(BRANCH)).toBe(pushed.value.head);
    const log = (format: string) => ["log", "--reverse", `--format=${format}`];
    const theirs = await at.remote.git(...log("%T%n%B"), `${base}..${BRANCH}`);
    expect(theirs).toBe(await at.git(...log("%T%n%B"), `${base}..HEAD`));
    expect(theirs).toContain("Smithers-Loop: a-loop\nSmithers-Iteration: 1\n");
    expect(await at.git("ls-tree", "-r", "HEAD~2")).toMatch(
      /^120000 .*link$[^]*^100755 .*run\.sh$[^]*^160000 .*sub$/mu,
    );
    const ids = (await at.remote.git("rev-list", `${base}..${BRANCH}`)).split("\n");
    expect(ids.map((id) => at.api.world.signed.has(id))).toEqual([true, true, true]);
    // Blobs: bytes, NUL, mark, nothing (once), big. Trees: one, then what goes and what comes; none for nothing.
    expect(asked(at, "git/create-blob")).toBe(5);
    expect(asked(at, "git/create-tree")).toBe(3);
    expect(asked(at, "git/create-commit")).toBe(3);

    const before = at.api.requests.length;
    for (let i = 0; i < 7; i += 1) await write(`${i}.txt`, `${i} ${"x".repeat(900_000)}\n`);
    at.api.world.tokens.set("alice's", { login: "alice", permissions: { contents: "write" } });
    const access = githubOf(at.api, AbortSignal.timeout(20_000), "alice's");
    // A person's token: it is done, and GitHub shows it as not verified.
    const texts = await pushSigned(access, await workOf(await commit("texts"), pushed.value.head, last));
    expect(texts).toMatchObject({ ok: true, value: { unverified: "unsigned" } });
    expect([asked(at, "git/create-blob", before), asked(at, "git/create-tree", before)]).toEqual([0, 3]);
  });

  test("with a merge among them commits become one, with the last one's message and trailers [C13]", async () => {
    await using at = await publishStage();
    const { base, commit, push } = await signedStage(at);
    const tip = await at.push(BRANCH);
    await at.git("fetch", "-q", `file://${at.remote.folder}`, BRANCH);
    await at.git("reset", "-q", "--hard", tip);
    await at.git("checkout", "-q", "-b", "side", base);
    await at.work("side.txt");
    await at.git("checkout", "-q", "-");
    await at.work("b.txt");
    await at.git("merge", "-q", "--no-edit", "side");
    const last = await commit("fix: the end\n\nIts body.\n\nSmithers-Loop: a-loop");
    const pushed = await push(last, tip);
    if (!pushed.ok) throw new Error(pushed.trouble.because);
    expect(await at.remote.git("rev-list", "--parents", "-1", BRANCH)).toBe(`${pushed.value.head} ${tip}`);
    expect(await at.remote.git("log", "-1", "--format=%B", BRANCH)).toMatch(
      /^fix: the end\n\nIts body\.\n\nWith it:\n\n(?:- .+\n){3}\nSmithers-Loop: a-loop\n$/u,
    );
    expect(await at.remote.git("rev-parse", `${BRANCH}^{tree}`)).toBe(await at.git("rev-parse", `${last}^{tree}`));
  });
});

/** A client that never gets the answer to a request whose address ends so; GitHub still does it. */
function losing({ api, remote }: PublishStage, end: string): Octokit {
  const cut = async (url: string, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init);
    if (url.endsWith(end)) throw new Error("cut");
    return answer;
  };
  return new Octokit({ auth: remote.writeToken, baseUrl: api.url, request: { fetch: cut } });
}

describe("the branch is moved from where it was seen, or not at all [T6]", () => {
  test("somebody was there first, pushed, set it back, deleted it; in the very moment; an answer that is lost", async () => {
    await using at = await publishStage();
    const { base, push, workOf } = await signedStage(at);
    const work = await at.work("a.txt");
    const theirs = await at.push(BRANCH);
    expect(await push(work, null)).toMatchObject({ ok: false, trouble: { kind: "moved", now: theirs } });
    expect(await push(work, base)).toMatchObject({ trouble: { kind: "moved", now: theirs } });

    const ref = `refs/heads/${BRANCH}`;
    const url = at.api.url;
    const seen = { status: 200, body: { ref, node_id: "r", url, object: { type: "commit", sha: base, url } } };
    at.api.fail("git/get-ref", seen);
    expect(await push(work, base)).toMatchObject({ trouble: { kind: "moved", now: theirs } });

    await at.remote.git("update-ref", ref, base);
    await at.git("fetch", "-q", `file://${at.remote.folder}`, theirs);
    await at.git("reset", "-q", "--hard", theirs);
    const onTop = await at.work("b.txt");
    const why = `${BRANCH} was at ${theirs.slice(0, 12)}, and now it is at ${base.slice(0, 12)}`;
    expect(await push(onTop, theirs)).toEqual({ ok: false, trouble: { kind: "moved", now: base, because: why } });

    await at.remote.git("update-ref", "-d", ref);
    at.api.fail("git/get-ref", seen);
    expect(await push(work, base)).toMatchObject({ trouble: { kind: "moved", now: null } });
    expect(await push(onTop, theirs)).toMatchObject({ trouble: { kind: "moved", now: null } });
    expect(await at.tip(BRANCH)).toBe("");

    const { repository, signal } = at.access();
    const lost = await pushSigned(bind(losing(at, "/git/refs"), repository, signal), await workOf(work, null));
    expect(lost).toMatchObject({ ok: true, value: { head: await at.tip(BRANCH) } });
    at.api.fail("git/update-ref", "drop");
    await at.git("reset", "-q", "--hard", work);
    const next = await at.work("c.txt");
    expect(await push(next, await at.tip(BRANCH), work)).toMatchObject({ trouble: { kind: "unreachable" } });
  });
});
