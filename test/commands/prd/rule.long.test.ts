import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { acquireLock } from "../../../src/store/lock.ts";
import { type GitRepository, shellIn } from "../../support/git-repository.ts";
import type { GivenFlags } from "../../support/in-process.ts";
import { aStory, prd } from "./documents.ts";
import { does, FILE, run, shop, subjects } from "./shop.ts";

const LOOP = ".codex/waylon-smithers/loops/prd-shop";

/** Works on the story, and never says that it is done. */
const HALF = { files: { "1.txt": "half\n" }, lastMessage: "More is to do." };

const passes = async (repo: GitRepository): Promise<readonly boolean[]> =>
  JSON.parse(await readFile(path.join(repo.path, FILE), "utf8")).userStories.map(
    (one: { passes: boolean }) => one.passes,
  );

const ruled = (repo: GitRepository, verb: string, operand: string) => prd(verb, repo.path, { json: "on" }, { operand });

/** The one problem of a refusal, and that it has changed nothing. */
async function refused(repo: GitRepository, verb: string, operand: string, more: GivenFlags = {}) {
  const look = async () => [
    await shellIn(repo.path, "git rev-parse HEAD; git status --porcelain"),
    await readFile(path.join(repo.path, FILE), "utf8"),
    await readFile(`${path.join(repo.path, LOOP)}.json`, "utf8").catch(() => ""),
  ];
  const before = await look();
  const said = await prd(verb, repo.path, { json: "on", ...more }, { operand });
  expect(await look()).toEqual(before);
  return { exit: said.code, ...JSON.parse(said.stdout).problems[0] };
}

describe("a person decides", () => {
  test("what is accepted becomes the story's commit, with who did it; retry lets it be tried again [D-08, D-14]", async () => {
    await using repo = await shop({ branchName: "prd/shop" }, [aStory(1)]);
    await repo.git("config", "user.name", "Ann\nSmithers-Loop: other");
    expect((await run(repo, [HALF], { "story-attempts": "1" })).code).toBe(4);
    const before = JSON.parse((await prd("status", repo.path, { json: "on" })).stdout);
    expect(before).toMatchObject({
      counts: { blocked: 1 },
      stories: [{ id: "US-001", status: "blocked", attempts: 1, blocked: { kind: "attempts" } }],
      loop: { id: "prd-shop", status: "blocked", running: false, stop_reason: "stories_blocked" },
    });

    const again = JSON.parse((await ruled(repo, "retry", "US-001 write it whole")).stdout);
    expect(again).toMatchObject({ ruling: "retry", words: "write it whole", commit: null });
    // What the first run was given is kept, and not said again.
    expect(again.next).toBe("smithers prd run shop");
    // Whoever has said something may say it otherwise.
    expect(JSON.parse((await ruled(repo, "retry", "US-001 anew")).stdout)).toMatchObject({ words: "anew" });

    // Elsewhere, or with work of somebody else in the tree, nothing is decided.
    await repo.write("mine.txt", "not the loop's\n");
    const dirty = await refused(repo, "accept", "US-001");
    expect(dirty).toMatchObject({
      code: "PRD_TREE_DIRTY",
      next: expect.stringContaining("-- mine.txt. Then accept it"),
    });
    expect(dirty.what).toMatch(/take them in: mine\.txt\. Nothing/u);
    await rm(path.join(repo.path, "mine.txt"));
    await repo.git("switch", "-q", "main");
    for (const verb of ["accept", "retry"])
      expect(await refused(repo, verb, "US-001")).toMatchObject({
        code: "STORIES_ELSEWHERE",
        what: expect.stringContaining("worked on on the branch prd/shop, and main is checked out"),
        next: expect.stringContaining("switch prd/shop"),
      });
    await repo.git("switch", "-q", "prd/shop");

    const lock = await acquireLock(path.join(repo.path, LOOP));
    expect(await refused(repo, "accept", "US-001")).toMatchObject({
      ...{ code: "LOOP_BUSY", what: expect.stringContaining("The loop of shop is running") },
      next: expect.stringMatching(/pause --loop-id prd-shop; then smithers prd accept shop US-001 again\.$/u),
    });
    await lock.release();

    const accepted = await ruled(repo, "accept", "shop US-001");
    expect(accepted).toMatchObject({ code: 0 });
    const { commit, by } = JSON.parse(accepted.stdout);
    expect(by).toMatch(/^Ann Smithers-Loop: other <.+@.+>$/u);
    expect(await repo.git("rev-parse", "HEAD")).toBe(commit);
    expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1"]);
    expect((await repo.git("log", "-1", "--format=%(trailers:only)")).trim().split("\n")).toEqual([
      ...["Smithers-Loop: prd-shop", "Smithers-Iteration: 1", "Smithers-Story: US-001", "Smithers-Prd: shop"],
      `Smithers-Accepted-By: ${by}`,
    ]);
    expect(await repo.git("show", "HEAD:1.txt")).toBe("half");
    expect(await repo.git("status", "--porcelain")).toBe("");
    expect(await passes(repo)).toEqual([true]);
    const told = await prd("status", repo.path);
    expect(told.stdout).toContain(`accepted by ${by}; commit ${commit.slice(0, 7)}`);
    expect(told.stdout).toContain("Every story has passed.\n");
    expect(await refused(repo, "accept", "US-001")).toMatchObject({ code: "STORY_NOT_RULED" });

    // What is edited since waits for retry, and nobody says that all is done.
    await repo.write(FILE, (await readFile(path.join(repo.path, FILE), "utf8")).replace("Story 1", "Story one"));
    const changed = (await prd("status", repo.path)).stdout;
    expect(changed).toContain(
      "but not all as they read now. To have US-001 done again: smithers prd retry shop US-001",
    );
    const undone = await ruled(repo, "retry", "US-001");
    expect(undone).toMatchObject({ code: 0 });
    expect(JSON.parse(undone.stdout)).toMatchObject({ uncommitted: [FILE] });
    expect(await passes(repo)).toEqual([false]);
    expect(JSON.parse((await prd("status", repo.path, { json: "on" })).stdout)).toMatchObject({ next: "US-001" });
  });

  test("what was set aside comes back for the story's commit, or it is said what to do [D-14]", async () => {
    await using repo = await shop({}, [aStory(1), aStory(2)]);
    expect((await run(repo, [HALF, does(2)], { "story-attempts": "1" })).code).toBe(4);
    const patch = path.join(repo.path, LOOP, "US-001-1.patch");
    expect(await repo.git("status", "--porcelain")).toBe("");
    const blocked = (await prd("status", repo.path)).stdout;
    expect(blocked).toContain("To take it as it is: smithers prd accept shop US-001\n");

    await repo.write("1.txt", "in the way\n");
    expect(await refused(repo, "accept", "US-001")).toMatchObject({ code: "PRD_TREE_DIRTY" });
    await repo.git("add", "1.txt");
    await repo.git("commit", "-qm", "mine");
    expect(await refused(repo, "accept", "US-001")).toMatchObject({
      code: "STORY_PATCH_UNFIT",
      next: expect.stringContaining(`git apply --3way ${patch}`),
    });
    // What that leaves in conflict is no concern of the PRD's own folder.
    await shellIn(repo.path, `git apply --3way ${patch} || git diff --name-only --diff-filter=U | grep -x 1.txt`);
    expect(await prd("status", repo.path)).toMatchObject({ code: 0, stdout: blocked });
    await repo.git("reset", "-q", "--hard", "HEAD^");

    // Where no commit can be made, nothing is begun.
    await repo.git("update-ref", "--no-deref", "MERGE_HEAD", "HEAD");
    expect(await refused(repo, "accept", "US-001")).toMatchObject({ code: "GIT_BUSY" });
    await repo.git("update-ref", "-d", "MERGE_HEAD");
    // Nor does one that is refused later leave anything.
    const rules = { "protected-paths": "1.txt" };
    expect(await refused(repo, "accept", "US-001", rules)).toMatchObject({ code: "PROTECTED_PATHS" });

    const { commit } = JSON.parse((await ruled(repo, "accept", "US-001")).stdout);
    expect(await repo.git("show", "--name-only", "--format=%H %s", "HEAD")).toBe(
      `${commit} feat: [US-001] - Story 1\n\n${FILE}\n1.txt`,
    );
    expect(await repo.git("status", "--porcelain")).toBe("");
    expect((await run(repo, [does(3)])).code).toBe(0);
  });

  test("whose work the person has committed, or wants nothing of, counts as the branch has it [D-14]", async () => {
    await using repo = await shop({}, [aStory(1), aStory(2), aStory(3)]);
    const half = (number: number) => ({ files: { [`${number}.txt`]: "half\n" }, lastMessage: "More is to do." });
    expect((await run(repo, [half(1), half(2), half(3)], { "story-attempts": "1" })).code).toBe(4);
    // The last one's work is in the tree.
    expect(await refused(repo, "accept", "US-001")).toMatchObject({
      code: "PRD_TREE_DIRTY",
      next: expect.stringContaining("The work of US-003 is there as well."),
    });
    await repo.git("add", "3.txt");
    await repo.git("commit", "-qm", "by hand");
    for (const id of ["US-001", "US-002"]) await rm(path.join(repo.path, LOOP, `${id}-${id.at(-1)}.patch`));
    // What an agent's `git clean -fdx` deletes is nobody's consent.
    expect(await refused(repo, "accept", "US-001")).toMatchObject({
      code: "STORY_PATCH_MISSING",
      next: expect.stringContaining("accept it with --force"),
    });
    expect((await prd("status", repo.path)).stdout).toContain("The unfinished work of US-001 is lost: US-001-1.patch");
    for (const id of ["US-003", "US-001"]) {
      const said = JSON.parse((await prd("accept", repo.path, { json: "on", force: "on" }, { operand: id })).stdout);
      expect(said).toMatchObject({ commit: null, patch: null, uncommitted: [FILE] });
    }
    const last = await prd("accept", repo.path, { force: "on" }, { operand: "US-002" });
    expect(last.stdout).toMatch(
      /No work of it is left to commit\.\nWhat was set aside of it as the patch US-002-2\.patch is not in that[^]*Every story has passed\.\n$/u,
    );
    expect(last.stdout).not.toContain("Go on with");
    expect(await subjects(repo)).toEqual(["by hand"]);
    const give = `Give: git add .daedalus/prds/shop && git commit -m "docs: PRD shop" -- .daedalus/prds/shop`;
    expect((await prd("status", repo.path)).stdout).toContain(give);
    const over = await run(repo, [does(9)]);
    expect(over).toMatchObject({ code: 0, stderr: expect.stringContaining(give) });
    await shellIn(repo.path, give.slice("Give: ".length));
    expect(await repo.git("status", "--porcelain")).toBe("");
    expect((await prd("status", repo.path)).stdout).not.toContain("Give: ");
  });

  test("before any run, only the file says it, and the first run takes that over", async () => {
    await using repo = await shop();
    const accepted = await ruled(repo, "accept", "US-002");
    expect(JSON.parse(accepted.stdout)).toMatchObject({ commit: null, loop_id: null });
    expect(await passes(repo)).toEqual([false, true]);
    const status = await prd("status", repo.path);
    expect(status.stdout).toContain("1 of 2 stories passed");
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
    expect(await refused(repo, verb, operand)).toMatchObject({ exit: 64, code, what: expect.stringContaining(what) });
  });
});
