import { createHash } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { workspaceOf } from "./support.ts";

const REQUEST = { message: "feat: the work", loopId: "demo", iteration: 4 };

describe("files behind a filter [C13]", () => {
  const content = "large\n".repeat(1_000);
  const digest = createHash("sha256").update(content).digest("hex");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${content.length}\n`;

  /** A repository with a file in Git LFS, checked out the way LFS does: pointer in git, content in the work tree. */
  async function withLargeFile(): Promise<GitRepository> {
    const repository = await gitRepository({ ".gitattributes": "*.bin filter=lfs\n" });
    await repository.write("large.bin", pointer);
    await repository.git("add", "-A");
    await repository.git("commit", "-qm", "pointer");
    await repository.write("large.bin", content);
    await repository.git("config", "filter.lfs.clean", `printf '%s' '${pointer}'`);
    await repository.git("add", "large.bin");
    return repository;
  }

  test("an unchanged one is ignored, also when git has to read it again", async () => {
    await using repository = await withLargeFile();
    const workspace = await workspaceOf(repository.path);
    await repository.write("a.txt", "a\n");
    expect(await workspace.commit(REQUEST)).toBeDefined();
    await utimes(path.join(repository.path, "large.bin"), 1, 1);
    expect(await workspace.dirtyFiles()).toEqual([]);
    await repository.write("a.txt", "b\n");
    expect(await workspace.dirtyFiles()).toEqual(["a.txt"]);
    expect(await workspace.commit(REQUEST)).toBeDefined();
    await repository.git("config", "--unset", "filter.lfs.clean");
    expect(await repository.git("show", "HEAD:large.bin")).toBe(pointer.trimEnd());
  });

  test("a changed or a new one ends the commit with a clear error, and nothing is committed", async () => {
    await using repository = await withLargeFile();
    const head = await repository.git("rev-parse", "HEAD");
    await repository.write("large.bin", `${content}more\n`);
    await repository.write("new.bin", "new\n");
    expect(await (await workspaceOf(repository.path)).dirtyFiles()).toEqual(["large.bin", "new.bin"]);
    await expect((await workspaceOf(repository.path)).commit(REQUEST)).rejects.toMatchObject({
      code: "GIT_FILTER_NEEDED",
      message: expect.stringContaining("large.bin, new.bin changed"),
    });
    expect(await repository.git("rev-parse", "HEAD")).toBe(head);
  });

  test("a deleted one is committed", async () => {
    await using repository = await withLargeFile();
    await rm(path.join(repository.path, "large.bin"));
    await (await workspaceOf(repository.path)).commit(REQUEST);
    expect(await repository.git("show", "--name-status", "--format=")).toBe("D\tlarge.bin");
  });
});
