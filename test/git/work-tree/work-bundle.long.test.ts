import { copyFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { gatherBundle, unpackBundle } from "../../../src/carry/bundle.ts";
import type { GitHttp } from "../../support/git-http.ts";
import { aRecord, placesIn, writeLoop } from "../../carry/a-loop.ts";
import {
  advance,
  type Machine,
  machine,
  type MachineOptions,
  REF,
  remoteWith,
  SOON,
} from "../../carry/git-machines.ts";
import { FILES, work } from "./some-work.ts";

const CHECKOUTS: readonly [string, MachineOptions][] = [
  ["a whole clone", {}],
  ["a shallow clone", { clone: ["--depth=1"] }],
  ["a clone without old contents", { clone: ["--filter=blob:none"] }],
];

/** Where the file lies on a machine. */
function fileOn({ path: folder }: Machine): string {
  return path.join(folder, "work.bundle");
}

/** Saves the work of a machine. */
async function save(one: Machine, secrets: readonly string[] = []): Promise<readonly string[]> {
  const unfinished = { base: one.head, tree: await one.tree() };
  return one.workFile({ secrets }).save(fileOn(one), unfinished, SOON);
}

/** Restores on a machine what was saved on another one. */
async function restore(other: Machine, one: Machine, overrides?: Parameters<Machine["workFile"]>[0]) {
  await copyFile(fileOn(one), fileOn(other));
  return other.workFile(overrides).restore(fileOn(other), "101", SOON);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

for (const [name, options] of CHECKOUTS) {
  test(`the file brings the same work tree: ${name} [C13]`, async () => {
    await using remote = await remoteWith(FILES);
    await using one = await machine(remote, options);
    await using other = await machine(remote, options);
    await work(one);
    expect(await save(one)).toEqual([]);
    expect(await restore(other, one)).toEqual({ restored: "applied" });
    expect(await other.files()).toEqual(await one.files());
    expect(await other.tree()).toBe(await one.tree());
    expect(await other.compare(await one.tree())).toMatchObject({ files: 0 });
    expect(await other.git("diff", "--cached", "--name-only")).toBe("");
    expect(await other.git("for-each-ref", "--format=%(refname)")).toBe(
      await one.git("for-each-ref", "--format=%(refname)"),
    );
    expect(await other.git("status", "--porcelain")).toBe(await one.git("status", "--porcelain"));
    expect(remote.requests.filter(({ url }) => url.includes("receive-pack"))).toEqual([]);
    expect(await restore(other, one)).toEqual({ restored: "applied" });
  });
}

test("a workspace below the top, and a repository of SHA-256 objects [C13]", async () => {
  await using remote = await remoteWith(FILES, "sha256");
  await using one = await machine(remote, { prefix: "packages/a/" });
  await using other = await machine(remote, { prefix: "packages/a/" });
  await one.write("in.txt", "changed\n");
  await one.write("sub/new.txt", "new\n");
  expect(await save(one)).toEqual([]);
  expect(await restore(other, one)).toEqual({ restored: "applied" });
  expect(await other.files()).toEqual(await one.files());
});

test("it holds what was changed, and git alone can look at it [C13]", async () => {
  const big = Array.from({ length: 20_000 }, () => Math.random()).join("\n");
  await using remote = await remoteWith({ ...FILES, "big.txt": big });
  await using one = await machine(remote);
  await using person = await machine(remote);
  await work(one);
  await save(one);
  expect((await stat(fileOn(one))).size).toBeLessThan(100_000);
  expect(await person.git("bundle", "verify", fileOn(one))).toContain(` ${REF}\n`);
  await person.git("fetch", "-q", fileOn(one), REF);
  expect(await person.git("rev-parse", "FETCH_HEAD^{tree}")).toBe(await one.tree());
  expect(await person.git("log", "-1", "--format=%P", "FETCH_HEAD")).toBe(one.head);
});

test("it travels with the loop's other files, sealed as they are [C13, T16]", async () => {
  await using remote = await remoteWith(FILES);
  for (const seal of [null, "a long state key"]) {
    await using one = await machine(remote);
    await using other = await machine(remote);
    await one.write("README.md", "the work, in words\n");
    const [from, to] = [placesIn(one.path), placesIn(other.path)];
    const unfinished = { base: one.head, tree: await one.tree() };
    await writeLoop(from);
    await one.workFile().save(path.join(from.folder, "work.bundle"), unfinished, SOON);
    const record = aRecord(7);
    const bundle = await gatherBundle({
      places: from,
      record,
      into: path.join(one.path, "bundle"),
      seal,
      secrets: ["a secret"],
    });
    const stored = await readdir(path.join(bundle.folder, "loop"));
    expect(stored).toContain(seal === null ? "work.bundle" : "work.bundle.sealed");
    const unpacked = await unpackBundle(bundle, { to, state: record.state, key: seal });
    expect(unpacked).toMatchObject({ work: seal === null ? "plain" : "sealed" });
    expect(await other.workFile().restore(path.join(to.folder, "work.bundle"), "101", SOON)).toEqual({
      restored: "applied",
    });
    expect(await other.files()).toEqual(await one.files());
  }
});

test("secrets stay behind and are told; a loop without work leaves no file of an earlier one [C13]", async () => {
  await using remote = await remoteWith({ ...FILES, ".env": "A=1\n" });
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write("README.md", "changed\n");
  await one.write(".env", "A=2\n");
  await one.write("config.json", '{"key":"sk-secret-value"}\n');
  expect(await save(one, ["sk-secret-value"])).toEqual([
    expect.stringContaining(".env (files of that name hold secrets)"),
    expect.stringContaining("config.json (it holds a secret value)"),
  ]);
  expect(await restore(other, one)).toEqual({ restored: "applied" });
  expect(await other.git("status", "--porcelain")).toBe(" M README.md");
  expect(await one.workFile().save(fileOn(one), null, SOON)).toEqual([]);
  expect(await exists(fileOn(one))).toBe(false);
});

test("nothing has changed: that is told apart from nothing being kept [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  expect(await save(one)).toEqual([]);
  expect(await restore(one, one)).toEqual({ restored: "nothing" });
  const unknown = { base: one.head, tree: "1".repeat(40) };
  expect(await one.workFile().save(fileOn(one), unknown, SOON)).toEqual([expect.stringContaining("not kept")]);
  expect(await exists(fileOn(one))).toBe(false);
});

/** A machine whose clone has only what came after the commit that the work began with. */
async function later(remote: GitHttp, name: string, content: string): Promise<Machine> {
  await advance(remote, ({ write }) => write(name, content));
  return machine(remote, { clone: ["--depth=1"] });
}

test("a branch that went on is merged with the work; its old commit is fetched [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote, { clone: ["--depth=1"] });
  await work(one);
  await save(one);
  await using other = await later(remote, "later.txt", "later\n");
  expect(await restore(other, one)).toEqual({ restored: "applied" });
  expect(await readFile(path.join(other.top, "README.md"), "utf8")).toContain("TWO");
  expect(await other.files()).toEqual({ ...(await one.files()), "later.txt": expect.stringContaining("file") });
});

test("an old commit that cannot be fetched: the workspace is as it was, and the file is named [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote, { clone: ["--depth=1"] });
  await work(one);
  await save(one);
  await using other = await later(remote, "later.txt", "later\n");
  for (const token of ["a token that nobody knows", null]) {
    const restored = await restore(other, one, { token });
    expect(restored).toMatchObject({ restored: "failed", why: expect.stringContaining("its base cannot be fetched") });
    expect(restored).toMatchObject({ why: expect.stringContaining("loop/work.bundle in the artifact of run 101") });
  }
  expect(await other.git("status", "--porcelain")).toBe("");
});

test("work that does not fit leaves the workspace alone, and the command shows it [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await work(one);
  await save(one);
  await advance(remote, ({ write }) => write("README.md", FILES["README.md"].replace("two", "zwei")));
  await using other = await machine(remote);
  const restored = await restore(other, one);
  expect(restored).toMatchObject({ restored: "conflict", why: expect.stringContaining("README.md") });
  expect(await other.git("status", "--porcelain")).toBe("");
  const [, command = ""] = /`(.+?)`/u.exec("why" in restored ? restored.why : "") ?? [];
  const [fetch = "", diff = ""] = command.split(" && ").map((line) => line.replace(/^git /u, ""));
  await other.git(...fetch.replace("work.bundle", fileOn(other)).split(" "));
  expect(await other.git(...diff.split(" "))).toContain("+TWO");
});

test("a file that is not a bundle, is cut off, or holds something else changes nothing [T12]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await using other = await machine(remote);
  await work(one);
  await save(one);
  const whole = await readFile(fileOn(one));
  const damaged: readonly [string, Buffer][] = [
    ["no bundle", Buffer.from("hello\n")],
    ["empty", Buffer.alloc(0)],
    ["another format", Buffer.from(whole.toString("latin1").replace("# v2", "# v9"), "latin1")],
    [
      "an option for git",
      Buffer.from(whole.toString("latin1").replace(/^-[0-9a-f]{40}/mu, "---upload-pack=x"), "latin1"),
    ],
    ["a pack that was changed", Buffer.from(whole.with(whole.length - 30, 1 + (whole.at(-30) ?? 0)))],
  ];
  for (const [what, content] of damaged) {
    await writeFile(fileOn(one), content);
    expect({ what, ...(await restore(other, one)) }).toMatchObject({ what, restored: "failed" });
  }
  await writeFile(fileOn(one), whole);
  await truncate(fileOn(one), whole.length - 100);
  expect(await restore(other, one)).toMatchObject({ restored: "failed" });
  expect(await other.git("status", "--porcelain")).toBe("");
});

test("outside of a repository there is no work to carry [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await save(one);
  const file = one.workFile({ workTree: null });
  expect(await file.restore(fileOn(one), "101", SOON)).toEqual({ restored: "absent" });
  expect(await file.save(fileOn(one), { base: null, tree: "1".repeat(40) }, SOON)).toEqual([]);
});

// The last one, because every program that is started copies what this process holds.
test("with more than 100 MB of changes there is no file, which is told [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  for (let i = 0; i < 11; i++) await one.write(`${i}.bin`, Buffer.alloc(10 << 20, i));
  expect(await save(one)).toEqual([expect.stringContaining("110 MB, more than 100 MB")]);
  expect(await exists(fileOn(one))).toBe(false);
});
