import path from "node:path";
import { expect, test } from "vitest";
import { RemoteGit } from "../../src/git/remote-git.ts";
import { tempFolder } from "../support/temp-folder.ts";

test.each([40, 64])("an object that we write is one that git writes: ids of %i digits", async (digits) => {
  await using folder = await tempFolder();
  const place = { url: "http://127.0.0.1:9/x.git", token: null, mark: "m", folder: path.join(folder.path, "own.git") };
  const git = new RemoteGit(place, AbortSignal.timeout(60_000));
  const theirs = { folder: path.join(folder.path, "objects"), shallowFile: path.join(folder.path, "shallow") };
  await git.prepare({ ...theirs, isPartial: false, head: "1".repeat(digits) });
  const own = { objects: "own" } as const;
  const text = Buffer.from("größer\0\n");
  const blob = await git.write("blob", text);
  expect(blob).toBe((await git.run(["hash-object", "--stdin"], { ...own, input: text.toString("latin1") })).trim());
  const tree = await git.write("tree", Buffer.concat([Buffer.from("100644 a.txt\0"), Buffer.from(blob, "hex")]));
  expect(await git.run(["ls-tree", tree], own)).toBe(`100644 blob ${blob}\ta.txt\n`);
  const first = await git.writeCommit(tree, [], "the first");
  const second = await git.writeCommit(tree, [first], "the second");
  expect(await git.run(["log", "--format=%T %P %an %ae %cn %B", second], own)).toBe(
    ["second", "first"]
      .map((name) => `${tree} ${name === "second" ? first : ""} smithers smithers@localhost smithers the ${name}\n\n`)
      .join(""),
  );
  // Written twice, it is there once.
  expect(await git.write("blob", text)).toBe(blob);
  expect((await git.try(["fsck", "--strict", "--no-dangling", second], own)).exitCode).toBe(0);
});
