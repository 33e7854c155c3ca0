import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { GitRepository } from "../../support/git-repository.ts";
import { aStory, prd } from "./documents.ts";
import { FILE, run, shop, subjects } from "./shop.ts";

/** Works on the story, and never says that it is done. */
const HALF = { files: { "1.txt": "half\n" }, lastMessage: "More is to do." };

const passes = async (repo: GitRepository): Promise<readonly boolean[]> =>
  JSON.parse(await readFile(path.join(repo.path, FILE), "utf8")).userStories.map(
    (one: { passes: boolean }) => one.passes,
  );

const ruled = (repo: GitRepository, verb: string, operand: string) => prd(verb, repo.path, { json: "on" }, { operand });

describe("a person decides", () => {
  test("what is accepted becomes the story's commit, with who did it; retry lets it be tried again [D-08, D-14]", async () => {
    await using repo = await shop({}, [aStory(1)]);
    expect((await run(repo, [HALF], { "story-attempts": "1" })).code).toBe(4);
    const before = JSON.parse((await prd("status", repo.path, { json: "on" })).stdout);
    expect(before).toMatchObject({
      counts: { blocked: 1 },
      stories: [{ id: "US-001", attempts: 1, blocked_kind: "attempts", passing: null }],
      loop: { id: "prd-shop", status: "blocked", running: false, stop_reason: "stories_blocked" },
    });

    const again = await ruled(repo, "retry", "US-001 write it whole");
    expect(JSON.parse(again.stdout)).toMatchObject({ ruling: "retry", words: "write it whole", commit: null });
    const accepted = await ruled(repo, "accept", "shop US-001");
    expect(accepted).toMatchObject({ code: 0 });
    const { commit, by } = JSON.parse(accepted.stdout);
    expect(by).toMatch(/.+ <.+@.+>/u);
    expect(await repo.git("rev-parse", "HEAD")).toBe(commit);
    expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1"]);
    expect(
      await repo.git(
        "log",
        "-1",
        "--format=%(trailers:key=Smithers-Story,valueonly)%(trailers:key=Smithers-Prd,valueonly)",
      ),
    ).toMatch(/US-001\s+shop/u);
    expect(await repo.git("show", "HEAD:1.txt")).toBe("half");
    expect(await repo.git("status", "--porcelain")).toBe("");
    expect(await passes(repo)).toEqual([true]);
    const told = await prd("status", repo.path);
    expect(told.stdout).toContain(`(accepted by ${by}; ${commit.slice(0, 10)})`);

    const undone = await ruled(repo, "retry", "US-001");
    expect(undone).toMatchObject({ code: 0 });
    expect(await passes(repo)).toEqual([false]);
    expect(JSON.parse((await prd("status", repo.path, { json: "on" })).stdout)).toMatchObject({ next: "US-001" });
  });

  test("before any run, only the file says it, and the first run takes that over", async () => {
    await using repo = await shop();
    const accepted = await ruled(repo, "accept", "US-002");
    expect(JSON.parse(accepted.stdout)).toMatchObject({ commit: null, loop_id: null });
    expect(await passes(repo)).toEqual([false, true]);
    const status = await prd("status", repo.path);
    expect(status.stdout).toContain("1 open, 1 passed");
    expect(JSON.parse((await ruled(repo, "retry", "US-002")).stdout)).toMatchObject({ ruling: "retry" });
    expect(await passes(repo)).toEqual([false, false]);
  });

  test.each([
    ["accept", "US-009", "STORY_UNKNOWN", "has no story US-009"],
    ["accept", "shop US-02", "STORY_UNNAMED", "no story's id"],
    ["accept", "US-001 words", "WORDS_REFUSED", "takes no words"],
    ["accept", "other US-001", "PRD_UNKNOWN", "no PRD other"],
    ["retry", "US-001", "STORY_NOT_RULED", "has not been tried yet"],
    ["retry", "", "STORY_UNNAMED", "was not told which story"],
  ])("%s %s is refused, and nothing is written", async (verb, operand, code, what) => {
    await using repo = await shop();
    const said = await ruled(repo, verb, operand);
    expect(said.code).toBe(64);
    expect(JSON.parse(said.stdout).problems).toMatchObject([{ code, what: expect.stringContaining(what) }]);
    expect(await repo.git("status", "--porcelain")).toBe("");
  });
});
