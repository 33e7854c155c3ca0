import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { RefGit } from "../../../src/git/work-tree/ref-git.ts";
import { Blobs } from "../../../src/git/work-tree/work-selection.ts";
import { isNamedSecret, SecretValues } from "../../../src/os/secrets.ts";
import { advance, type Machine, machine, REF, remoteWith, SOON } from "../../carry/git-machines.ts";

const SECRET = 'sk-"quoted"/slash+plus';

test.each([
  [".env", true],
  [".env.local", true],
  ["packages/a/.ENV.production", true],
  [".envrc", true],
  ["certs/server.pem", true],
  ["server.KEY", true],
  ["id_rsa", true],
  ["home/.ssh/id_ed25519.pub", true],
  ["a.p12", true],
  [".env/lib/site.py", true],
  ["env.ts", false],
  ["keys.ts", false],
  ["monkey", false],
  ["pem.txt", false],
  ["src/my.env.ts", false],
])("by its name %s is a file of secrets: %s [C13]", (name, expected) => {
  expect(isNamedSecret(name)).toBe(expected);
});

test.each([
  ["as it is", `key = ${SECRET}`, true],
  ["in JSON", JSON.stringify({ key: SECRET }), true],
  ["in a URL", `https://x/?key=${encodeURIComponent(SECRET)}`, true],
  ["in base64", Buffer.from(SECRET).toString("base64"), true],
  ["not at all", "sk-quoted", false],
])("a secret value is found %s [C13]", (_name, text, expected) => {
  expect(new SecretValues([SECRET, "x", ""]).areIn(text)).toBe(expected);
});

/** Writes the machine's work to the ref; what a person is told. */
async function noticesOf(one: Machine, ref = one.ref({ secrets: [SECRET] })): Promise<readonly string[]> {
  const written = await ref.write(one.record(), await one.tree(), SOON);
  if (!written.ok) throw new Error(written.trouble.because);
  return written.value.notices;
}

test("what must not leave the machine stays, is named, and the rest goes [C13]", async () => {
  await using remote = await remoteWith({ ".env": "A=1\n", "old.key": "old\n", "a.txt": "a\n", "moved.pem": "m\n" });
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write(".env", "A=2\n");
  await one.write("sub/.env.local", "B=1\n");
  await one.write("config.json", JSON.stringify({ token: SECRET }));
  await one.write("big.bin", Buffer.alloc((10 << 20) + 1));
  await one.write("fits.bin", Buffer.alloc(10 << 20));
  await one.write(`named ${SECRET.replace("/", "")}`, "");
  await one.write("a.txt", "changed\n");
  await rm(path.join(one.top, "old.key"));
  await chmod(path.join(one.top, "moved.pem"), 0o755);
  const notices = await noticesOf(one);
  expect(notices).toEqual([
    expect.stringMatching(
      /Not kept, so the next machine will not have it: \.env, sub\/\.env\.local \(files of that name/u,
    ),
    expect.stringContaining("big.bin (it is larger than 10 MB)"),
    expect.stringContaining("config.json (it holds a secret value)"),
  ]);
  expect(await remote.git("show", `${REF}:tree/.env`)).toBe("A=1");
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect((await other.git("status", "--porcelain")).split("\n").toSorted()).toEqual([
    " D old.key",
    " M a.txt",
    " M moved.pem",
    '?? "named sk-\\"quoted\\"slash+plus"',
    "?? fits.bin",
  ]);
});

test("a path that holds a secret value stays, and is named without it [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await one.write("by-plainsecretvalue.txt", "");
  const [notice = ""] = await noticesOf(one, one.ref({ secrets: ["plainsecretvalue"] }));
  expect(notice).toContain("by-***.txt");
  expect(await remote.git("ls-tree", "-r", "--name-only", `${REF}:tree`)).toBe("README.md");
});

test("sealed or not, secrets stay [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write("config.json", SECRET);
  await one.write("a.txt", "a\n");
  const sealed = { sealKey: "k", secrets: [SECRET] };
  expect(await noticesOf(one, one.ref(sealed))).toHaveLength(1);
  expect(await other.ref(sealed).restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await other.git("status", "--porcelain")).toBe("?? a.txt");
});

test("ignored files are not kept [C13]", async () => {
  await using remote = await remoteWith({ ".gitignore": "build/\n" });
  await using one = await machine(remote);
  await one.write("build/out.o", "out");
  await one.write("a.txt", "a");
  expect(await noticesOf(one)).toEqual([]);
  expect(await remote.git("ls-tree", "-r", "--name-only", `${REF}:tree`)).toBe(".gitignore\na.txt");
});

test("each is told once [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await one.write(".env", "A=1\n");
  expect(await noticesOf(one, ref)).toHaveLength(1);
  await one.write("a.txt", "more\n");
  expect(await noticesOf(one, ref)).toEqual([]);
  await one.write(".env.test", "A=1\n");
  expect(await noticesOf(one, ref)).toEqual([expect.stringContaining(".env.test")]);
});

test("files that a filter such as LFS belongs to stay; unchanged ones do not matter [C13]", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 3\n`;
  const files = {
    ".gitattributes": "*.psd filter=lfs diff=lfs merge=lfs -text\n",
    "sub/a.psd": pointer,
    "b.psd": pointer,
  };
  await using remote = await remoteWith(files);
  for (const prefix of ["", "sub/"]) {
    await using one = await machine(remote, { prefix });
    await one.write("a.psd", "changed");
    await one.write("c.txt", "c\n");
    expect(await noticesOf(one)).toEqual([expect.stringContaining("a.psd (a git filter such as LFS")]);
    await remote.git("update-ref", "-d", REF);
  }
});

test("submodules stay as they are checked out [C13]", async () => {
  await using remote = await remoteWith();
  await advance(remote, async ({ path: folder }) => nested(path.join(folder, "sub"), "one"));
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.write("a.txt", "a\n");
  const ref = one.ref();
  expect(await noticesOf(one, ref)).toEqual([]);
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await other.git("status", "--porcelain")).toBe("?? a.txt");
  await nested(path.join(one.top, "sub"), "two");
  expect(await noticesOf(one, ref)).toEqual([expect.stringContaining("sub (submodules are not carried)")]);
  expect(await remote.git("rev-parse", `${REF}:tree/sub`)).toBe(await remote.git("rev-parse", "main:sub"));
});

async function nested(folder: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "file"), content);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=N", "-c", "user.email=n@example.invalid", "commit", "-q", "-m", content);
}

test("contents are read once [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const place = { ref: REF, url: remote.url, token: "", folder: remote.folder, workTree: null, mark: "test" };
  const blobs = new Blobs(new SecretValues(["hello"]));
  const look = (signal: AbortSignal, objects: readonly string[]) => {
    const git = new RefGit(place, signal);
    return git.reading((read) => blobs.look(git, read, objects));
  };
  const blob = await one.git("rev-parse", "HEAD:README.md");
  expect((await look(AbortSignal.timeout(SOON), [blob])).get(blob)).toEqual({
    bytes: 6,
    holdsSecret: false,
  });
  // Git cannot be asked any more.
  expect((await look(AbortSignal.abort(), [blob])).get(blob)).toEqual({ bytes: 6, holdsSecret: false });
  await expect(look(AbortSignal.abort(), [blob, "1".repeat(40)])).rejects.toThrow("aborted");
});

// The last one, because every program that is started copies what this process holds.
test("with more than 100 MB of changes the record goes alone [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  for (let i = 0; i < 11; i += 1) await one.write(`${i}.bin`, Buffer.alloc(10 << 20, i));
  expect(await noticesOf(one)).toEqual([expect.stringContaining("110 MB, more than 100 MB")]);
  expect(await remote.git("ls-tree", "--name-only", REF)).toBe("record.json");
});
