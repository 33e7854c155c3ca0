import { execFile } from "node:child_process";
import { link, lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { appendIn, replaceIn, sharedFolder, unfinishedName } from "../../src/os/shared-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

describe("C11: the folder", () => {
  test("is made, and taken as it is the next time", async () => {
    await using root = await tempFolder();
    const folder = await sharedFolder(root.path, ".loopr");
    expect(folder).toBe(path.join(root.path, ".loopr"));
    expect(await sharedFolder(root.path, ".loopr")).toBe(folder);
    expect(await sharedFolder(root.path, "")).toBe(root.path);
  });

  test.each([
    ["a link to a folder", async (root: string) => symlink(path.join(root, "elsewhere"), path.join(root, ".loopr"))],
    ["a link to nowhere", async (root: string) => symlink(path.join(root, "gone"), path.join(root, ".loopr"))],
    ["a file", async (root: string) => writeFile(path.join(root, ".loopr"), "theirs")],
  ])("is not %s", async (_, make) => {
    await using root = await tempFolder();
    await mkdir(path.join(root.path, "elsewhere"));
    await make(root.path);
    await expect(sharedFolder(root.path, ".loopr")).rejects.toThrow("is no folder of its own");
    expect(await readdir(path.join(root.path, "elsewhere"))).toEqual([]);
  });

  test("is not made below one that is not there", async () => {
    await using root = await tempFolder();
    await expect(sharedFolder(path.join(root.path, "gone"), ".loopr")).rejects.toThrow("ENOENT");
  });
});

describe("R-21, C11: a file that is replaced", () => {
  test("is new, then another, and leaves nothing else behind", async () => {
    await using folder = await tempFolder();
    await replaceIn(folder.path, ".call_count", "1\n");
    await replaceIn(folder.path, ".call_count", "2\n");
    expect(await readFile(path.join(folder.path, ".call_count"), "utf8")).toBe("2\n");
    expect(await readdir(folder.path)).toEqual([".call_count"]);
  });

  test("takes the place of a link, and what a killed run has left", async () => {
    await using folder = await tempFolder();
    const at = (name: string): string => path.join(folder.path, name);
    await writeFile(at("theirs"), "theirs\n");
    await symlink(at("theirs"), at("status.json"));
    await symlink(at("theirs"), at(unfinishedName("status.json")));
    await replaceIn(folder.path, "status.json", "ours\n");
    expect(await readFile(at("theirs"), "utf8")).toBe("theirs\n");
    expect((await lstat(at("status.json"))).isFile()).toBe(true);
    expect((await readdir(folder.path)).toSorted()).toEqual(["status.json", "theirs"]);
  });

  test("is not put in the place of a folder", async () => {
    await using folder = await tempFolder();
    await mkdir(path.join(folder.path, "status.json", "mine"), { recursive: true });
    await expect(replaceIn(folder.path, "status.json", "ours\n")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/u);
    expect(await readdir(folder.path)).toEqual(["status.json"]);
  });
});

describe("L-22, C11: a file that only grows", () => {
  test("keeps what is in it", async () => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "loop.log"), "theirs\n");
    await appendIn(folder.path, "loop.log", "1\n");
    await appendIn(folder.path, "loop.log", "2\n");
    expect(await readFile(path.join(folder.path, "loop.log"), "utf8")).toBe("theirs\n1\n2\n");
  });

  test.each([
    ["a link", async (from: string, to: string) => symlink(to, from)],
    ["a second name of another file", async (from: string, to: string) => link(to, from)],
    ["a pipe that nobody reads", async (from: string) => void (await run("mkfifo", [from]))],
  ])("is not %s", async (_, make) => {
    await using folder = await tempFolder();
    const theirs = path.join(folder.path, "theirs");
    await writeFile(theirs, "theirs\n");
    await make(path.join(folder.path, "loop.log"), theirs);
    await expect(appendIn(folder.path, "loop.log", "ours\n")).rejects.toThrow("loop.log");
    expect(await readFile(theirs, "utf8")).toBe("theirs\n");
  });
});
