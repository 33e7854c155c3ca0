import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { link, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import {
  inOwnFolder,
  openToAppend,
  openToRead,
  ownFolder,
  readOwnFile,
  replaceFile,
  workspaceFolder,
} from "../../src/os/own-file.ts";
import { tempFolder } from "../support/temp-folder.ts";

const REFUSED = expect.objectContaining({ code: "LINK_REFUSED" });

/** A workspace beside a folder that nobody gave us. */
async function places() {
  const folder = await tempFolder();
  const root = path.join(folder.path, "work");
  const outside = path.join(folder.path, "outside");
  await mkdir(root);
  await mkdir(outside);
  return { root, outside, folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("missing folders are made, part by part", async () => {
  await using at = await places();
  const own = { root: at.root, path: path.join(at.root, "a/b/c") };
  await inOwnFolder(own, (there) => writeFile(path.join(there, "file"), "text"));
  expect(await readFile(path.join(own.path, "file"), "utf8")).toBe("text");
});

test.each(["a", "a/b", "a/b/c"])(
  "a link at %s below the root is refused, and nothing is made behind it [T14]",
  async (name) => {
    await using at = await places();
    await mkdir(path.join(at.root, path.dirname(name)), { recursive: true });
    await symlink(at.outside, path.join(at.root, name));
    const work = inOwnFolder({ root: at.root, path: path.join(at.root, "a/b/c") }, async () => "reached");
    await expect(work).rejects.toEqual(REFUSED);
    expect(await readdir(at.outside)).toEqual([]);
  },
);

test("a folder that is swapped for a link while it is worked in is not left [T14]", async () => {
  await using at = await places();
  const own = { root: at.root, path: path.join(at.root, "a") };
  await inOwnFolder(own, async (there) => {
    await rename(own.path, path.join(at.root, "moved"));
    await symlink(at.outside, own.path);
    await writeFile(path.join(there, "file"), "text");
  });
  expect(await readdir(at.outside)).toEqual([]);
  expect(await readdir(path.join(at.root, "moved"))).toEqual(["file"]);
});

test("the root itself may be reached through the person's own link", async () => {
  await using at = await places();
  const linked = path.join(at.folder.path, "linked");
  await symlink(at.root, linked);
  await inOwnFolder({ root: linked, path: path.join(linked, "a") }, (there) => writeFile(path.join(there, "f"), ""));
  expect(await readdir(path.join(at.root, "a"))).toEqual(["f"]);
});

test("a folder elsewhere is the person's, unless it leads back into the workspace [T14]", async () => {
  await using at = await places();
  expect(await workspaceFolder(at.root, path.join(at.outside, "x"))).toBeUndefined();
  await symlink(at.root, path.join(at.outside, "back"));
  const back = path.join(at.outside, "back/new/sub");
  expect(await workspaceFolder(at.root, back)).toEqual({ root: at.root, path: path.join(at.root, "new/sub") });
  expect(await ownFolder(at.root, at.outside)).toEqual({ root: path.dirname(at.outside), path: at.outside });
});

test("links, pipes and folders are not read, and nothing waits for a pipe [T14]", async () => {
  await using at = await places();
  const name = (file: string): string => path.join(at.root, file);
  await writeFile(path.join(at.outside, "secret"), "secret");
  await symlink(path.join(at.outside, "secret"), name("link"));
  await promisify(execFile)("mkfifo", [name("pipe")]);
  await mkdir(name("folder"));
  for (const open of [openToRead, openToAppend]) {
    for (const file of ["link", "pipe"]) await expect(open(name(file))).rejects.toEqual(REFUSED);
    await expect(open(name("folder"))).rejects.toThrow("folder");
  }
});

test("a file with a second name is not added to [T14]", async () => {
  await using at = await places();
  const victim = path.join(at.outside, "victim");
  await writeFile(victim, "as it was");
  await link(victim, path.join(at.root, "file"));
  await expect(openToAppend(path.join(at.root, "file"))).rejects.toEqual(REFUSED);
  await inOwnFolder({ root: at.root, path: at.root }, (there) =>
    replaceFile(there, "file", (to) => to.writeFile("new")),
  );
  expect(await readFile(victim, "utf8")).toBe("as it was");
  expect(await readFile(path.join(at.root, "file"), "utf8")).toBe("new");
});

test("what is too long is not read [T14]", async () => {
  await using at = await places();
  await writeFile(path.join(at.root, "file"), "12345");
  await expect(readOwnFile(path.join(at.root, "file"), 4)).rejects.toThrow("has 5 bytes, and only 4 are read");
});

test("an error names the folder, not the handle it is reached by", async () => {
  await using at = await places();
  const own = { root: at.root, path: at.root };
  const reading = inOwnFolder(own, (there) => readOwnFile(path.join(there, "missing")));
  await expect(reading).rejects.toThrow(path.join(at.root, "missing"));
});
