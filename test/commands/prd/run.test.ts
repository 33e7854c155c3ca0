import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { shellIn } from "../../support/git-repository.ts";
import type { GivenFlags } from "../../support/in-process.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { prd } from "./documents.ts";
import { does, FILE, run, shop, subjects } from "./shop.ts";

describe("prd run", () => {
  test("goes on where it was, with the stories that are asked for [D-27, D-32]", async () => {
    await using repo = await shop({ branchName: "prd/shop" });
    const first = await run(repo, [does(1)], { "max-stories": "1" });
    expect(first).toMatchObject({ code: 0 });
    expect(first.stderr).toContain("the checkout is on the branch prd/shop now, which is new");
    expect(JSON.parse(first.stdout)).toMatchObject({ loop_id: "prd-shop", status: "completed" });
    expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1"]);
    expect(await repo.git("symbolic-ref", "--short", "HEAD")).toBe("prd/shop");
    expect(await subjects(repo, "main")).toEqual([]);

    // Whoever stands elsewhere is brought back, and what has passed there counts.
    await repo.git("switch", "-q", "main");
    const second = await run(repo, [does(2)]);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).toContain("the checkout is on the branch prd/shop now, and stays there");
    expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
  });

  test("works in a work tree beside the checkout, which stays as it is, until its branch is merged [D-27, D-47]", async () => {
    await using repo = await shop();
    await using home = await tempFolder();
    const env = { XDG_STATE_HOME: home.path };
    const beside: GivenFlags = { "worktree-setup": "echo set >> script.json" };
    // Once, though two runs ask for it.
    const setUp = 'test "$(cat script.json)" = set';
    await repo.write("mine.txt", "not committed\n");
    const before = await shellIn(
      repo.path,
      "git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain; cat mine.txt",
    );
    await repo.write(FILE, `${await readFile(path.join(repo.path, FILE), "utf8")}\n`);
    const refused = await run(repo, [does(1)], { ...beside, worktree: "on" }, env);
    expect(JSON.parse(refused.stdout)).toMatchObject({ problems: [{ code: "PRD_NOT_COMMITTED" }] });
    await repo.git("checkout", "--", FILE);

    const first = await run(
      repo,
      [does(1)],
      { ...beside, worktree: "on", "max-stories": "1", "quality-commands": setUp },
      env,
    );
    expect(first).toMatchObject({ code: 0 });
    const second = await run(repo, [does(2)], { ...beside, "quality-commands": setUp }, env);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).toMatch(/working in \S+, on the branch smithers\/prd-shop; your checkout stays as it is/u);
    expect(await subjects(repo, "smithers/prd-shop")).toEqual(["feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
    const after = "git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain; cat mine.txt";
    expect(await shellIn(repo.path, after)).toBe(before);

    const where = JSON.parse((await prd("status", repo.path, { json: "on" }, { env })).stdout).worktree;
    expect(where).toMatchObject({ branch: "smithers/prd-shop", folder: expect.stringContaining(home.path) });
    await repo.git("merge", "-q", "--no-edit", "smithers/prd-shop");
    const third = await run(repo, [does(3)], { commit: "story" }, env);
    expect(JSON.parse(third.stdout)).toMatchObject({ problems: [{ code: "PRD_TREE_DIRTY" }] });
    expect(third.stderr).toContain(`The work tree ${where.folder} was removed: its branch smithers/prd-shop is merged`);
    expect(existsSync(where.folder)).toBe(false);
  });

  test("refuses to do again what another branch holds [D-32]", async () => {
    await using repo = await shop();
    await repo.git("switch", "-qc", "work");
    expect((await run(repo, [does(1)], { story: "US-001" })).code).toBe(0);
    await repo.git("switch", "-q", "main");
    const refused = await run(repo, [does(1)]);
    expect(refused.code).toBe(64);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      problems: [{ code: "STORIES_ELSEWHERE", what: expect.stringContaining("US-001 has passed on the branch work") }],
    });
  });
});
