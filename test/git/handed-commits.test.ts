import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleCommits, type Claims, HANDED_REF, HandedRepository } from "../../src/git/handed-commits.ts";
import { findRepository } from "../../src/git/repository.ts";
import { gitHttp, type GitHttp } from "../support/git-http.ts";
import { gitRepository, type GitRepository, shellIn } from "../support/git-repository.ts";
import { tempFolder, type TempFolder } from "../support/temp-folder.ts";

const MS = 30_000;
const program = promisify(execFile);

let remote: GitHttp;
let person: GitRepository;
let folder: TempFolder;
let head: string;
let work: string;
let fork: string;
beforeAll(async () => {
  remote = await gitHttp();
  person = await gitRepository({ "a.txt": "a\n" });
  folder = await tempFolder("handed-");
  await person.git("push", "-q", remote.folder, "main");
  // What anybody can have here: the head of a pull request from a fork.
  const script = `
    mkdir -p .github/workflows; echo evil > .github/workflows/evil.yml; git add -A; git commit -qm fork
    git push -q "$0" HEAD:refs/pull/9/head; git rev-parse HEAD; git reset -q --hard HEAD~1`;
  [fork = ""] = (await shellIn(person.path, script, remote.folder)).split("\n");
  head = await person.git("rev-parse", "HEAD");
  await person.git("commit", "-q", "--allow-empty", "-m", "work");
  await person.write("b.txt", "b\n");
  await person.git("add", "-A");
  await person.git("commit", "-qm", "more work");
  work = await person.git("rev-parse", "HEAD");
});
afterAll(async () => {
  await Promise.all([remote, person, folder].map((one) => one[Symbol.asyncDispose]()));
});

let number = 0;
const file = (): string => path.join(folder.path, `${++number}.bundle`);
const at = () => ({ url: remote.url, token: remote.readToken, mark: "handed" });

/** A bundle the way git makes it, of what somebody says. */
async function bundle(...args: string[]): Promise<string> {
  const made = file();
  await person.git("bundle", "create", "-q", made, ...args);
  return made;
}

async function take(made: string | null, claims: Partial<Claims> = {}) {
  await using root = await tempFolder("publish-");
  const repository = new HandedRepository(root.path, at());
  await repository.make();
  const all: Claims = { commit: work, tip: null, head, branches: ["main"], event: null, ...claims };
  const bundles = made === null ? [] : [{ file: made, ref: HANDED_REF, commit: all.commit }];
  const taken = await repository.take(all, bundles, MS);
  const named = await readFile(path.join(root.path, ".git/HEAD"), "utf8");
  const files = (await readdir(root.path)).filter((name) => name !== ".git");
  return { said: taken.ok ? "taken" : taken.trouble.because, named: named.trim(), files };
}

test("commits travel as objects: nothing is checked out, and the repository names them alone [T12]", async () => {
  const repository = await findRepository(person.path);
  if (repository === undefined) throw new Error("there is no repository");
  const made = file();
  const place = { ...at(), folder: path.join(folder.path, "making") };
  const bundled = await bundleCommits(place, repository, { commit: work, known: [head] }, made, MS);
  expect(bundled.ok).toBe(true);
  expect(await take(made)).toEqual({ said: "taken", named: work, files: [] });
  // Nor is a bundle needed where there is nothing new.
  expect(await take(null, { commit: head })).toEqual({ said: "taken", named: head, files: [] });
});

test("a bundle with another ref, of another commit, or with more than one ref is refused [T15]", async () => {
  await person.git("update-ref", HANDED_REF, work);
  const other = await bundle("main", `^${head}`);
  expect((await take(other)).said).toContain("just the one ref");
  const more = await bundle(HANDED_REF, "main", `^${head}`);
  expect((await take(more)).said).toContain("just the one ref");
  const right = await bundle(HANDED_REF, `^${head}`);
  expect((await take(right, { commit: fork })).said).toContain("another commit");
  expect((await take(right)).said).toBe("taken");
  await writeFile(right, (await readFile(right)).subarray(0, -30));
  expect((await take(right)).said).toContain("git refuses a bundle");
});

test("work on a commit that only a fork has is refused, though GitHub would give it out by its id [T3, T17]", async () => {
  const evil = await person.git("commit-tree", "-p", fork, "-m", "on top", `${fork}^{tree}`);
  await person.git("update-ref", HANDED_REF, evil);
  const made = await bundle(HANDED_REF, `^${fork}`);
  const claims = { commit: evil, head: fork };
  expect(await take(made, claims)).toMatchObject({ said: expect.stringContaining("on none of the branches") });
  // Nor does it help to say something else about it.
  expect((await take(made, { commit: evil })).said).toContain("built on commits that are not");
});

test("a branch that has moved on since still holds what the work was built on [T6]", async () => {
  await person.git("update-ref", HANDED_REF, work);
  const made = await bundle(HANDED_REF, `^${head}`);
  await shellIn(
    person.path,
    `git push -q "$0" "$(git commit-tree -p ${head} -m later ${head}^{tree})":refs/heads/moved`,
    remote.folder,
  );
  expect((await take(made, { branches: ["moved"] })).said).toBe("taken");
  expect((await take(made, { branches: ["gone"] })).said).toContain("on none of the branches");
  expect((await take(made, { branches: [], event: head })).said).toBe("taken");
});

/** Where somebody says that the work began, and what the publishing job makes of it. */
async function foundation(script: string, claims: (ids: readonly string[]) => Partial<Claims>) {
  await using root = await tempFolder("publish-");
  await using own = await gitHttp();
  const ids = (await shellIn(person.path, script, own.folder)).split("\n");
  const [old = "", tip = "", commit = ""] = ids;
  await person.git("update-ref", HANDED_REF, commit);
  const made = await bundle(HANDED_REF, `^${old}`);
  const repository = new HandedRepository(root.path, { url: own.url, token: own.readToken, mark: "handed" });
  await repository.make();
  const all: Claims = { commit, tip: null, head: old, branches: ["main"], event: null, ...claims(ids) };
  const taken = await repository.take(all, [{ file: made, ref: HANDED_REF, commit }], MS);
  if (!taken.ok) return { said: taken.trouble.because };
  const undone = await repository.undone(await repository.treeOf(commit, MS), taken.value, MS);
  return { ids: { [old]: "old", [tip]: "tip" }[taken.value.head ?? ""], undone: undone.map((change) => change.path) };
}

/** `main` gets CODEOWNERS after `old`; `work` holds both commits, and the files of the old one. */
const UNDOING = `git checkout -q --detach main~2; old=$(git rev-parse HEAD); mkdir -p .github; echo "* @team" > .github/CODEOWNERS
  git add -A; git commit -qm owners; tip=$(git rev-parse HEAD); git push -q "$0" $tip:refs/heads/main
  work=$(git commit-tree -p $old -p $tip -m work "$old^{tree}"); git checkout -q main; echo $old; echo $tip; echo $work`;

test("an older commit that the work is said to have begun with excuses nothing that people did since [T17]", async () => {
  expect(await foundation(UNDOING, () => ({}))).toMatchObject({ ids: "tip" });
  // Nor where the workflow began with it: what is merged counts as well.
  const event = await foundation(UNDOING, ([old = ""]) => ({ event: old }));
  expect(event).toEqual({ ids: "old", undone: [".github/CODEOWNERS"] });
  const branch = `${UNDOING}; git push -q "$0" $old:refs/heads/own`;
  const own = await foundation(branch, ([old = ""]) => ({ tip: old, branches: ["own", "main"] }));
  expect(own).toEqual({ ids: "old", undone: [".github/CODEOWNERS"] });
  // What the branch's people have changed themselves stays theirs.
  const theirs = `git checkout -q --detach main~2; git push -q "$0" HEAD:refs/heads/main; echo x > .github-own
    git add -A; git commit -qm theirs; old=$(git rev-parse HEAD); git push -q "$0" HEAD:refs/heads/own
    git checkout -q --detach main~2; echo m > m; git add -A; git commit -qm m; tip=$(git rev-parse HEAD); git push -q "$0" HEAD:refs/heads/main
    git checkout -q --detach $old; git merge -q -m merged $tip; git checkout -q main; echo $old; echo $tip; git rev-parse HEAD@{1}`;
  const merged = await foundation(theirs, ([old = ""]) => ({ tip: old, branches: ["own", "main"] }));
  expect(merged).toEqual({ ids: "old", undone: [] });
});

test("the work's branch is where it is, not where it is said to have been [T6, T17]", async () => {
  const moved = `${UNDOING}; git push -q "$0" $tip:refs/heads/own`;
  const claims = ([old = ""]: readonly string[]) => ({ tip: old, branches: ["own", "main"] });
  expect(await foundation(moved, claims)).toMatchObject({ ids: "tip" });
});

test.each([
  ["leads out of the folder", ".."],
  ["is a git directory", ".git"],
  ["is one on other disks", ".GIT"],
])("a tree in which a name %s is refused [T12, T14]", async (_what, name) => {
  const blob = await person.git("rev-parse", `${head}:a.txt`);
  const tree = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]);
  const raw = path.join(folder.path, "tree");
  await writeFile(raw, tree);
  const id = await person.git("hash-object", "-t", "tree", "--literally", "-w", raw);
  const commit = await person.git("commit-tree", "-p", head, "-m", "bad", id);
  await person.git("update-ref", HANDED_REF, commit);
  const made = await bundle(HANDED_REF, `^${head}`);
  expect((await take(made, { commit })).said).toContain("git refuses a bundle");
});

test("history that does not hold what it says it began with is refused [T6]", async () => {
  const commit = await person.git("commit-tree", "-m", "rootless", `${work}^{tree}`);
  await person.git("update-ref", HANDED_REF, commit);
  const made = await bundle(HANDED_REF);
  expect((await take(made, { commit })).said).toContain("does not hold the commit that it began with");
  const { stdout } = await program("git", ["-C", remote.folder, "for-each-ref", "--format=%(refname)"]);
  expect(stdout).not.toContain("smithers");
});
