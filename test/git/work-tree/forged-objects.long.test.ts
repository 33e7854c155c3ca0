import { appendFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { CommitFiles } from "../../../src/git/commit-files.ts";
import { findRepository } from "../../../src/git/repository.ts";
import { SecretValues } from "../../../src/os/secrets.ts";
import { forgeObject } from "../../support/forge-object.ts";
import { type GitRepository, gitRepository, shellIn } from "../../support/git-repository.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { BRANCH, machine, remoteWith, SOON } from "../branch-support.ts";

const SETTINGS = "require-isolation = true\n";
const EVIL = "require-isolation = false\n";
const FILES = { "a/.smithers.toml": SETTINGS, "b/.smithers.toml": EVIL };

/** The file of an object that lies by itself. */
function fileOf(top: string, id: string): string {
  return path.join(top, ".git/objects", id.slice(0, 2), id.slice(2));
}

const REFUSED = { code: expect.stringMatching(/^(?:GIT_OBJECT_FORGED|BASE_UNREACHABLE)$/u) };

/** What makes git say that the settings are others, or that there are none, and what comes of it. */
const LIES: Readonly<Record<string, readonly [(repo: GitRepository) => Promise<unknown>, object]>> = {
  "a forged file": [
    async (repo) => forgeObject(repo.path, await repo.git("rev-parse", "HEAD:a/.smithers.toml"), "blob", EVIL),
    REFUSED,
  ],
  "a forged folder": [
    async (repo) => {
      const [name, id] = [await repo.git("rev-parse", "HEAD:a"), await repo.git("rev-parse", "HEAD:b/.smithers.toml")];
      await forgeObject(repo.path, name, "tree", `100644 .smithers.toml\0${Buffer.from(id, "hex").toString("latin1")}`);
    },
    REFUSED,
  ],
  "a forged folder without the file": [
    async (repo) => forgeObject(repo.path, await repo.git("rev-parse", "HEAD:a"), "tree", ""),
    REFUSED,
  ],
  "a forged commit": [
    async (repo) => {
      const content = await repo.git("cat-file", "commit", "HEAD");
      const tree = await shellIn(repo.path, `printf "040000 tree %s\\ta\\n" "$(git rev-parse HEAD:b)" | git mktree`);
      const head = await repo.git("rev-parse", "HEAD");
      await forgeObject(repo.path, head, "commit", `${content.replace(/^tree \w+/u, `tree ${tree}`)}\n`);
    },
    REFUSED,
  ],
  "a forged file in another repository's objects": [
    async (repo) => {
      const id = await repo.git("rev-parse", "HEAD:a/.smithers.toml");
      await forgeObject(repo.path, id, "blob", EVIL);
      const [from, to] = [fileOf(repo.path, id), path.join(repo.path, ".git/other", id.slice(0, 2), id.slice(2))];
      await mkdir(path.dirname(to), { recursive: true });
      await rename(from, to);
      await mkdir(path.join(repo.path, ".git/objects/info"), { recursive: true });
      await writeFile(path.join(repo.path, ".git/objects/info/alternates"), `${path.join(repo.path, ".git/other")}\n`);
      expect(await repo.git("show", "HEAD:a/.smithers.toml")).toBe(EVIL.trim());
    },
    REFUSED,
  ],
  "a folder that was taken away": [
    async (repo) => {
      await forgeObject(repo.path, "0".repeat(40), "blob", "");
      await rm(fileOf(repo.path, await repo.git("rev-parse", "HEAD:a")));
    },
    REFUSED,
  ],
  "a replaced file and a replaced commit": [
    async (repo) => {
      await repo.git(
        "replace",
        await repo.git("rev-parse", "HEAD:a/.smithers.toml"),
        await repo.git("rev-parse", "HEAD:b/.smithers.toml"),
      );
      await repo.git("replace", "HEAD", await shellIn(repo.path, "git commit-tree $(git mktree < /dev/null) -m none"));
    },
    { text: SETTINGS },
  ],
};

test.each(Object.entries(LIES))(
  "settings of the base are the base's, or nothing is done: %s [T8]",
  async (_, [lie, outcome]) => {
    await using repo = await gitRepository(FILES);
    await using own = await tempFolder("own-");
    const repository = await findRepository(repo.path);
    if (repository === undefined) throw new Error("there is a repository");
    const commit = await repo.git("rev-parse", "HEAD");
    const use = {
      repository,
      folder: path.join(own.path, "base"),
      url: "http://127.0.0.1:9/o/r",
      token: null,
      mark: "test",
    };
    const before = await CommitFiles.open(use, commit);
    expect(await before.text("a/.smithers.toml")).toBe(SETTINGS);
    await lie(repo);
    const read = async () => (await CommitFiles.open(use, commit)).text("a/.smithers.toml");
    const said = await read().then(
      (found) => ({ text: found }),
      (error: unknown) => error,
    );
    expect(said).toMatchObject(outcome);
  },
);

/** A machine on a branch of which another has more commits, and a commit that leaves these out. */
async function rewound() {
  const stack = new AsyncDisposableStack();
  const remote = stack.use(await remoteWith());
  const job = stack.use(await machine(remote));
  const first = await remote.push(BRANCH, { "first.md": "x\n" });
  const tip = await remote.push(BRANCH, { "second.md": "x\n" });
  const branch = await job.branch();
  await branch.checkOut(SOON);
  await job.git("checkout", "-q", "-B", BRANCH, first);
  const mine = await job.commit("mine.md", "x\n");
  return { ...{ remote, job, first, tip, branch, mine }, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("a commit that is forged to follow the branch's tip does not make a push a step forward [T17]", async () => {
  await using at = await rewound();
  const { job, first, tip, branch, mine } = at;
  const content = await job.git("cat-file", "commit", first);
  await forgeObject(job.top, first, "commit", `${content.replace(/^parent \w+$/mu, `parent ${tip}`)}\n`);
  expect(await job.git("rev-list", mine)).toContain(tip);
  expect(await branch.push(mine, tip, SOON)).toMatchObject({ ok: false });
  expect(await at.remote.http.git("rev-parse", `refs/heads/${BRANCH}`)).toBe(tip);
});

test("a commit-graph that says so neither [T17]", async () => {
  await using at = await rewound();
  const { job, tip, branch, mine } = at;
  const honest = `${await job.git("cat-file", "commit", mine)}\n`;
  await forgeObject(job.top, mine, "commit", honest.replace(/^parent \w+$/mu, `parent ${tip}`));
  await job.git("commit-graph", "write", "--reachable");
  await forgeObject(job.top, mine, "commit", honest);
  expect(await job.git("rev-list", mine)).toContain(tip);
  expect(await branch.push(mine, tip, SOON)).toMatchObject({ trouble: { kind: "not_fast_forward" } });
});

test("a public commit that is forged to hold the agent's own hides no secret from a push [T17]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  const branch = await job.branch();
  const secret = await job.commit("note.txt", "the canary-of-this-job\n");
  await job.git("rm", "-q", "note.txt");
  const commit = await job.commit("other.txt", "x\n");
  const added = { commit, known: [base], others: async () => [] };
  const secrets = new SecretValues(["canary-of-this-job"]);
  expect(await branch.placesAdding(added, secrets, SOON)).toMatchObject({ ok: true, value: ["line 1 of note.txt"] });
  const content = await job.git("cat-file", "commit", base);
  await forgeObject(job.top, base, "commit", `${content.replace(/^parent \w+$/mu, `parent ${secret}`)}\n`);
  expect(await job.git("rev-list", commit, "--not", base)).toBe(commit);
  expect(await branch.placesAdding(added, secrets, SOON)).toMatchObject({ ok: false });
});

test("commits to make again are what their ids say, and so are their files [T17]", async () => {
  await using remote = await remoteWith();
  await using job = await machine(remote);
  const base = await job.git("rev-parse", "HEAD");
  const branch = await job.branch();
  const commit = await job.commit("note.txt", "honest\n");
  const blob = await job.git("rev-parse", `${commit}:note.txt`);
  const content = await job.git("cat-file", "commit", commit);
  await appendFile(path.join(job.top, ".git/info/grafts"), `${commit}\n`);
  const stretch = { base, commit, most: 9 };
  expect(await branch.commitsSince(stretch, SOON)).toMatchObject({ value: { commits: [{ message: "engine\n" }] } });
  await forgeObject(job.top, blob, "blob", "evil\n");
  expect(await branch.contents([blob], SOON)).toMatchObject({ ok: false });
  await forgeObject(job.top, commit, "commit", `${content.replace("engine", "evil")}\n`);
  expect(await branch.commitsSince(stretch, SOON)).toMatchObject({ ok: false });
});
