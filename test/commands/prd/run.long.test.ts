import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { gitRepository, shellIn } from "../../support/git-repository.ts";
import { status } from "../../../src/commands/status.ts";
import { run as runLoop } from "../../../src/commands/run.ts";
import { placeOf } from "../../../src/store/place.ts";
import { enterWorkTree, loopAtWork } from "../../../src/store/work-tree-lock.ts";
import { type GivenFlags, inProcess, type Said } from "../../support/in-process.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { aPrdText, aStory, prd } from "./documents.ts";
import { does, FILE, run, shop, subjects } from "./shop.ts";

describe("prd run", () => {
  test("goes on where it was, with the stories that are asked for [D-27, D-32]", async () => {
    await using repo = await shop({ branchName: "prd/shop" });
    const dry = await run(repo, [does(1)], { "dry-run": "on" });
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("US-001") });
    expect(await repo.git("status", "--porcelain", "--ignored")).toBe("!! script.json");
    const half = { files: { "half.txt": "half\n" }, usage: { input: 9 }, lastMessage: "More is to do." };
    const capped = await run(repo, [half], { "max-tokens": "1" });
    expect(capped).toMatchObject({ code: 2 });
    expect(capped.stderr).toContain("the checkout is on the branch prd/shop now, which is new");
    // What a person commits and amends in between leaves unfinished work to its story.
    await shellIn(repo.path, "echo mine > mine.txt && git add mine.txt && git commit -qm mine");
    await repo.git("commit", "-q", "--amend", "-m", "mine, amended");
    // The loop remembers its caps: one that was reached needs a higher one.
    const still = await run(repo, [does(1)], { "max-stories": "1" });
    expect(still).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("used 9 tokens; --max-tokens has to be higher"),
    });
    const first = await run(repo, [does(1)], { "max-stories": "1", "max-tokens": "off" });
    expect(first.stderr).toContain("max-tokens: 1 so far, not set now (--max-tokens)");
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ loop_id: "prd-shop", status: "completed" });
    expect(await subjects(repo)).toEqual(["mine, amended", "feat: [US-001] - Story 1"]);
    expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt\nhalf.txt`);
    expect(await repo.git("symbolic-ref", "--short", "HEAD")).toBe("prd/shop");
    expect(await subjects(repo, "main")).toEqual([]);

    // Whoever stands elsewhere is brought back, and what has passed there counts.
    await repo.git("switch", "-q", "main");
    const second = await run(repo, [does(2)]);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).toContain("the checkout is on the branch prd/shop now, and stays there");
    // What it may take is told once the stories are read where they are worked on.
    expect(second.stderr.match(/max-iterations is \d+/gu)).toEqual(["max-iterations is 5"]);
    expect(second.stderr.indexOf("stays there")).toBeLessThan(second.stderr.indexOf("max-iterations is"));
    expect(await subjects(repo)).toEqual(["mine, amended", "feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
  });

  test("commits what was judged, and nothing that a check wrote: an idle agent passes no story by it [D-08, D-23]", async () => {
    const writes = [{ criterion: 1, run: "echo seen >> report.txt; echo shop > shop.txt" }];
    await using repo = await shop({}, [aStory(1), aStory(2, { acceptanceCriteria: ["a", "b"], checks: writes })]);
    await repo.write("shop.txt", "SHOP\n");
    await repo.git("add", "shop.txt");
    await repo.git("commit", "-qm", "shop");
    const gates = { "quality-commands": "echo built > built.txt" };
    expect(await run(repo, [does(1)], { ...gates, "max-stories": "1" })).toMatchObject({ code: 0 });
    const idle = await run(repo, [{ lastMessage: "<promise>TASK_COMPLETE</promise>" }], gates);
    expect(JSON.parse(idle.stdout)).toMatchObject({ stories: { stories: [{}, { blocked: { kind: "unchanged" } }] } });
    expect((await prd("retry", repo.path, {}, { operand: "US-002" })).code).toBe(0);
    const third = await run(repo, [does(2)], gates);
    expect(third).toMatchObject({ code: 0 });
    expect(third.stderr).toMatch(/the checks wrote built\.txt, report\.txt and shop\.txt; that is no work of a story/u);
    expect(await repo.git("log", "--format=", "--name-only", "HEAD~2..", "--", ".", ":!.daedalus")).toBe(
      "2.txt\n1.txt",
    );
    expect(await repo.git("status", "--porcelain")).toBe("");
    expect(await repo.git("show", "HEAD:shop.txt")).toBe("SHOP");
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
    // Refused because a file is not in the new work tree: that and its branch are taken back.
    const lacking = await run(repo, [does(1)], { ...beside, worktree: "on", script: "script.json" }, env);
    expect(JSON.parse(lacking.stdout).problems).toMatchObject([{ code: "SCRIPT_UNREADABLE" }]);
    expect(await repo.git("worktree", "list", "--porcelain")).not.toContain("prd-shop");
    expect(await repo.git("branch", "--list", "smithers/*")).toBe("");

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

    const seen = await inProcess(status, repo.path, {}, { env });
    expect(seen.stdout).toContain(", on smithers/prd-shop, last commit ");
    expect(second.stdout).toContain('"state_file":".codex/');
    const where = JSON.parse((await prd("status", repo.path, { json: "on" }, { env })).stdout).worktree;
    expect(where).toMatchObject({ branch: "smithers/prd-shop", folder: expect.stringContaining(home.path) });
    // What it remembers is where it was made from, and nothing starts over in there.
    for (const verb of ["run", "status", "clean"]) {
      const inside = await prd(verb, path.join(where.folder, ".daedalus"), { json: "on", cd: ".." }, { env });
      expect(JSON.parse(inside.stdout).problems).toMatchObject([
        { code: "WORKTREE_OF_PRD", next: expect.stringMatching(new RegExp(`--cd ${repo.path}/?$`, "u")) },
      ]);
    }
    expect(existsSync(path.join(where.folder, ".codex"))).toBe(false);

    // An edit in the checkout is not passed over without a word; brought over, it keeps how far the stories are.
    await repo.write(FILE, aPrdText([aStory(1, { title: "One" }), aStory(2), aStory(3)]));
    const passedOver = await run(repo, [does(3)], { ...beside, "quality-commands": setUp }, env);
    expect(JSON.parse(passedOver.stdout).problems).toMatchObject([{ code: "PRD_EDITED_BESIDE" }]);
    const read = async () => JSON.parse((await prd("status", repo.path, { json: "on" }, { env })).stdout);
    expect(await read()).toMatchObject({ edited_in_checkout: [FILE], counts: { total: 2 } });
    const bring = /prd edit shop --from (\S+);/u.exec((await prd("status", repo.path, {}, { env })).stdout)?.[1] ?? "";
    const brought = await prd("edit", repo.path, { from: bring }, { env });
    expect(brought).toMatchObject({ code: 0, stdout: expect.stringContaining(`, in the work tree ${where.folder}`) });
    expect(await read()).toMatchObject({
      edited_in_checkout: [],
      next: "US-003",
      counts: { total: 3, passed: 2, changed: 1 },
    });
    const last = await run(repo, [does(3)], { ...beside, "quality-commands": setUp }, env);
    expect(last).toMatchObject({ code: 0 });
    expect((await subjects(repo, "smithers/prd-shop")).at(-1)).toBe("feat: [US-003] - Story 3");
    await repo.git("checkout", "--", FILE);
    await repo.git("merge", "-q", "--no-edit", "smithers/prd-shop");
    const third = await run(repo, [does(3)], { commit: "story", worktree: "off" }, env);
    expect(JSON.parse(third.stdout)).toMatchObject({ problems: [{ code: "PRD_TREE_DIRTY" }] });
    expect(third.stderr).toContain(`The work tree ${where.folder} was removed: its branch smithers/prd-shop is merged`);
    expect(existsSync(where.folder)).toBe(false);
  });

  test("has a work tree to itself: loops keep out while another works there [D-08, D-27]", async () => {
    await using repo = await shop({ branchName: "prd/shop" });
    await using home = await tempFolder();
    const gitDir = path.join(repo.path, ".git");
    const { stateFile } = placeOf(repo.path, "fix", null);
    const problemsOf = (said: Said) => JSON.parse(said.stdout).problems;
    const before = await shellIn(repo.path, "git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain");
    for (const isPrd of [true, false]) {
      const other = await enterWorkTree(gitDir, loopAtWork("fix", stateFile, isPrd));
      expect(problemsOf(await run(repo, [does(1)]))).toMatchObject([
        {
          code: "WORK_TREE_BUSY",
          what: expect.stringContaining(`Loop fix is at work in ${repo.path}`),
          next: expect.stringMatching(
            /^Wait .*: smithers stop --loop-id fix; .*--worktree on\. .*delete \S+\/smithers\/\S+\.$/u,
          ),
        },
      ]);
      const ruled = await prd("accept", repo.path, { json: "on" }, { operand: "US-001" });
      expect(problemsOf(ruled)).toMatchObject([{ code: "WORK_TREE_BUSY" }]);
      if (other !== undefined && "entered" in other) await other.entered.remove();
    }
    expect(await shellIn(repo.path, "git rev-parse HEAD; git symbolic-ref HEAD; git status --porcelain")).toBe(before);

    await enterWorkTree(gitDir, loopAtWork("prd-cart", placeOf(repo.path, "prd-cart", null).stateFile, true));
    await repo.write("pkg/a.txt", "a\n");
    const flags = { provider: "scripted", script: path.join(repo.path, "script.json"), prompt: "x", commit: "never" };
    const below = await inProcess(runLoop, path.join(repo.path, "pkg"), { ...flags, trust: "on", json: "on" });
    expect(problemsOf(below)).toMatchObject([
      {
        code: "WORK_TREE_BUSY",
        next: expect.stringMatching(/loop-id prd-cart, where it was started; .*git worktree/u),
      },
    ]);
    await repo.git("clean", "-qfd");
    // Beside it, the stories are in nobody's way; there, nobody else is let in either, and nothing is removed.
    const env = { XDG_STATE_HOME: home.path };
    expect(await run(repo, [does(1)], { worktree: "on", "max-stories": "1" }, env)).toMatchObject({ code: 0 });
    const { folder } = JSON.parse((await prd("status", repo.path, { json: "on" }, { env })).stdout).worktree;
    const its = await shellIn(folder, "git rev-parse --absolute-git-dir");
    await enterWorkTree(its, loopAtWork("fix", stateFile, false));
    expect(problemsOf(await run(repo, [does(2)], {}, env))).toMatchObject([
      { code: "WORK_TREE_BUSY", next: expect.not.stringContaining("--worktree on") },
    ]);
    const kept = JSON.parse((await prd("clean", repo.path, { json: "on", yes: "on" }, { env })).stdout);
    expect(kept.found).toMatchObject([{ kind: "worktree", stays: true, why: "loop fix is at work in it" }, {}]);
    expect(existsSync(folder)).toBe(true);
  });

  test("says what is missing where it cannot work, and where its commits go", async () => {
    await using repo = await shop();
    await using elsewhere = await tempFolder();
    const wt = path.join(elsewhere.path, "wt");
    const problem = async (given: GivenFlags) => JSON.parse((await run(repo, [does(1)], given)).stdout).problems[0];
    await repo.git("worktree", "add", "-qb", "w", wt);
    expect(await problem({ branch: "w" })).toMatchObject({ next: expect.stringMatching(/^Work there \(--cd\)/u) });
    expect(await problem({ branch: "w", worktree: "on" })).toMatchObject({
      code: "WORKTREE_BRANCH_TAKEN",
      next: expect.not.stringContaining("--worktree off"),
    });
    // What lies in a repository belongs to that, so these are outside of ours.
    const outside = await realpath(await mkdtemp(path.join(tmpdir(), "prd-")));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rm(outside, { recursive: true }));
    await cp(path.join(repo.path, ".daedalus"), path.join(outside, ".daedalus"), { recursive: true });
    expect(await problem({ cd: outside, "skip-git-repo-check": "on" })).toMatchObject({
      code: "NOT_A_GIT_REPOSITORY",
      next: expect.not.stringContaining("skip-git"),
    });
    await shellIn(outside, "git init -q --bare .");
    expect(await problem({ cd: outside })).toMatchObject({
      what: `${outside} is a bare repository, which has no files to work on.`,
    });
    await repo.git("switch", "-q", "--detach");
    const detached = await run(repo, [does(1)], { story: "US-001" });
    expect(detached).toMatchObject({ code: 0 });
    expect(detached.stderr).toContain("the checkout is on no branch, so no branch will hold the stories' commits");
  });

  test("in a folder of a repository an idle agent passes nothing, and a person's word is about that folder [D-23]", async () => {
    const text = aPrdText([aStory(1, { checks: [] })]);
    await using repo = await gitRepository({ ".gitignore": "script.json\n", [`app/${FILE}`]: text });
    const app = { path: path.join(repo.path, "app") };
    const idle = { lastMessage: "Done.\n\n<promise>TASK_COMPLETE</promise>" };
    expect((await run(app, [idle], { "story-attempts": "1" })).code).toBe(4);
    expect((await prd("status", app.path)).stdout).toContain("blocked (unchanged)");
    await repo.write("mine.txt", "beside it\n");
    expect(await prd("accept", app.path, {}, { operand: "US-001" })).toMatchObject({ code: 0 });
    expect(await repo.git("status", "--porcelain")).toBe(` M app/${FILE}\n?? mine.txt`);
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
