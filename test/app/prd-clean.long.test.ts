import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openWorktree } from "../../src/app/checkout/worktree.ts";
import { type PrdRemnant, prdRemnants } from "../../src/app/prd-clean.ts";
import type { LoopState } from "../../src/core/state.ts";
import { replaceState } from "../../src/store/loop-files.ts";
import { placeOf } from "../../src/store/place.ts";
import { aState } from "../support/builders.ts";
import { gitRepository, shellIn } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const folder = ".daedalus/prds/login";

async function stage(state: Partial<LoopState>) {
  const repository = await gitRepository({ [`${folder}/prd.md`]: "# x\n", [`${folder}/prd.json`]: "{}\n" });
  const home = await tempFolder();
  const env = { XDG_STATE_HOME: home.path };
  const place = placeOf(repository.path, "prd-login", null);
  for (const name of ["progress.md", "agent.log", "events.jsonl", "mine.txt"])
    await repository.write(`${folder}/${name}`, "x\n");
  await mkdir(place.folder, { recursive: true });
  await writeFile(path.join(place.folder, "progress.md"), "x\n");
  await replaceState(place, aState({ loop_id: "prd-login", ...state }));
  const { root } = await openWorktree({ root: repository.path, name: "login", env, branch: "prd/login" });
  const look = (unmerged = false) => prdRemnants({ place, name: "login", folder, env, unmerged });
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  };
  return { repository, place, root, look, [Symbol.asyncDispose]: dispose };
}

const OVER = { status: "canceled", stop_reason: { kind: "canceled", by: "a person" } } as const;
const going = (found: readonly PrdRemnant[]) => found.filter((one) => one.remove).map((one) => one.kind);

test("what the work on a PRD has left is shown, and goes when a person says so; documents, branch and state stay", async () => {
  await using the = await stage(OVER);
  const found = await the.look();
  expect(going(found)).toEqual(["worktree", "notes", "notes", "notes", "loop"]);
  expect(await readdir(the.root)).toContain(".daedalus");
  for (const one of found) expect(await one.remove?.()).toMatchObject({ ok: true });
  expect(await readdir(path.join(the.repository.path, folder))).toEqual(["mine.txt", "prd.json", "prd.md"]);
  expect(await readdir(path.dirname(the.place.folder))).toEqual(["prd-login.json"]);
  expect(await the.repository.git("branch", "--list", "prd/login")).toContain("prd/login");
  expect(await the.look()).toEqual([]);
});

test("a loop that can go on keeps everything", async () => {
  await using the = await stage({ status: "running" });
  const found = await the.look(true);
  expect(found).toHaveLength(5);
  expect(going(found)).toEqual([]);
  expect(found[0]?.why).toBe("the loop is running and can go on");
});

test("work that is not committed or merged keeps its work tree, and a file that git tracks or that is a link stays", async () => {
  await using the = await stage(OVER);
  await the.repository.git("add", `${folder}/progress.md`);
  await shellIn(the.repository.path, `rm "$0"; ln -s /etc/passwd "$0"`, `${folder}/agent.log`);
  await writeFile(path.join(the.root, "new.txt"), "new\n");
  const [open, late] = [await the.look(true), await the.look()];
  expect(open[0]).toMatchObject({ kind: "worktree", why: expect.stringContaining("new.txt") });
  expect(going(open)).toEqual(["notes", "loop"]);
  expect(going(late)).toEqual(["notes", "loop"]);
  await shellIn(the.root, "git add -A; git commit -qm on");
  expect(going(await the.look())).toEqual(["notes", "loop"]);
  const agreed = await the.look(true);
  expect(going(agreed)).toEqual(["worktree", "notes", "loop"]);
  // What came since it was shown is looked at again.
  await writeFile(path.join(the.root, "late.txt"), "new\n");
  expect(await agreed[0]?.remove?.()).toMatchObject({
    ok: false,
    trouble: { because: expect.stringContaining("late.txt") },
  });
});

test("a PRD's folder that is a link is not followed [T14]", async () => {
  await using the = await stage(OVER);
  await using elsewhere = await tempFolder();
  await writeFile(path.join(elsewhere.path, "agent.log"), "theirs\n");
  await shellIn(the.repository.path, `rm -r "$0"`, folder);
  await symlink(elsewhere.path, path.join(the.repository.path, folder));
  await expect(the.look()).rejects.toHaveProperty("code", "LINK_REFUSED");
  expect(await readdir(elsewhere.path)).toEqual(["agent.log"]);
});
