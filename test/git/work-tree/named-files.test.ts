import { expect, test } from "vitest";
import { gitRepository } from "../../support/git-repository.ts";
import { snapshotOf, workspaceOf } from "../support.ts";

const FILES = { "src/old.ts": "1\n", "src/other.ts": "1\n", "gone.txt": "1\n", ".gitignore": "out/\n*.env\n" };

test("what became of files that somebody names: by the end of their paths, in any case [C47]", async () => {
  await using repository = await gitRepository(FILES);
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await repository.write("src/old.ts", "2\n");
  await repository.write("src/new.ts", "1\n");
  await repository.write("out/deep/made.json", "1\n");
  await repository.write("my.env", "1\n");
  await repository.git("rm", "-q", "gone.txt");
  const now = await snapshotOf(workspace);
  const names = ["src/old.ts", "old.ts", "new.ts", "Src/NEW.ts", "other.ts", "her.ts", "gone.txt", "no/new.ts"];
  const hidden = ["made.json", "my.env", "out/deep/made.json", "../no.ts", "new.ts/inside.ts", "missing.env"];
  const found = await workspace.named(before, now, [...names, ...hidden]);
  expect(Object.fromEntries(found ?? [])).toEqual({
    "src/old.ts": "changed",
    "old.ts": "changed",
    "new.ts": "changed",
    "Src/NEW.ts": "changed",
    "other.ts": "unchanged",
    "her.ts": "missing",
    "gone.txt": "changed",
    "no/new.ts": "missing",
    "made.json": "unknown",
    "my.env": "unknown",
    "out/deep/made.json": "unknown",
    "../no.ts": "missing",
    "new.ts/inside.ts": "missing",
    "missing.env": "missing",
  });
});

test("where repositories are nested, nothing is said to be missing [C47]", async () => {
  await using inner = await gitRepository({ "deep.ts": "1\n" });
  await using repository = await gitRepository(FILES);
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "lib");
  const workspace = await workspaceOf(repository.path);
  const now = await snapshotOf(workspace);
  const found = await workspace.named(now, now, ["deep.ts", "other.ts"]);
  expect(Object.fromEntries(found ?? [])).toEqual({ "deep.ts": "unknown", "other.ts": "unchanged" });
});

test("of a lost tree nothing is known [C47]", async () => {
  await using repository = await gitRepository(FILES);
  const workspace = await workspaceOf(repository.path);
  const now = await snapshotOf(workspace);
  const lost = { ...now, tree: "1".repeat(40) };
  expect(await workspace.named(lost, now, ["a.ts"])).toBeNull();
  expect(await workspace.named(now, lost, ["a.ts"])).toBeNull();
});
