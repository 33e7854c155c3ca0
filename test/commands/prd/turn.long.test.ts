import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type GitRepository, gitRepository, shellIn } from "../../support/git-repository.ts";
import { aPrdText, aStory, prd } from "./documents.ts";
import { does, FILE, run, shop, subjects } from "./shop.ts";

const ended = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout);

describe("HEAD is somewhere else after a turn", () => {
  test("because the agent has committed: put back as told, the story is one commit, without another turn [D-08]", async () => {
    await using repo = await shop({}, [aStory(1)]);
    const before = await repo.git("rev-parse", "HEAD");
    const turns = [{ ...does(1), commit: "mine" }];
    const stopped = await run(repo, turns);
    expect(stopped.code).toBe(4);
    const reason = { kind: "head_moved", from: { head: before, branch: "main" }, to: { branch: "main" } };
    expect(ended(stopped)).toMatchObject({ status: "blocked", stop_reason: reason });
    const cure = `git reset --soft ${before.slice(0, 12)}`;
    expect(stopped.stderr).toContain(cure);
    expect(await subjects(repo)).toEqual(["mine"]);
    const told = await prd("status", repo.path);
    expect(told.stdout).toMatch(/^The last run ended: Somebody has committed.* `git reset --soft/mu);

    await repo.git(...cure.split(" ").slice(1));
    const again = await run(repo, turns);
    expect(ended(again)).toMatchObject({ status: "completed", iteration: 1 });
    expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1"]);
    expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt`);
  });

  test("because a check has committed: left as it is, the story's one commit is built on that [D-08]", async () => {
    await using repo = await shop({}, [aStory(1)]);
    const commits = "touch .git/once && git add 1.txt && git commit -qm theirs";
    const given = { "quality-commands": `test ! -f 1.txt || test -f .git/once || (${commits})` };
    const stopped = await run(repo, [does(1)], given);
    expect(ended(stopped)).toMatchObject({ status: "blocked", stop_reason: { kind: "head_moved" } });
    expect(await subjects(repo)).toEqual(["theirs"]);
    expect(await repo.git("diff", "--", FILE), "what is not committed has not passed").not.toContain('"passes": true');
    expect(ended(await run(repo, [does(1)], given))).toMatchObject({ status: "completed", iteration: 1 });
    expect(await subjects(repo)).toEqual(["theirs", "feat: [US-001] - Story 1"]);
  });

  test("because the agent has switched the branch: nothing is committed there [D-08]", async () => {
    await using repo = await shop();
    const stopped = await run(repo, [{ ...does(1), commands: ["git switch -qc other"] }]);
    expect(ended(stopped)).toMatchObject({ stop_reason: { kind: "head_moved", to: { branch: "other" } } });
    expect(stopped.stderr).toContain("`git switch main` goes back");
    expect([await subjects(repo, "main"), await subjects(repo, "other")]).toEqual([[], []]);
  });
});

test("what is put into the PRD's documents during a turn is put back, kept, and told: it is nobody's fault [D-23]", async () => {
  await using repo = await shop({}, [aStory(1)]);
  const edits = [
    "sed -i 's/A shop/My shop/' .daedalus/prds/shop/prd.json",
    "ln -s /etc/hosts .daedalus/prds/shop/prd.md",
  ];
  const done = await run(repo, [{ ...does(1), commands: edits }]);
  expect(done.code).toBe(0);
  const kept = ".codex/waylon-smithers/loops/prd-shop/undone-1-prd.json";
  expect(await readFile(path.join(repo.path, kept), "utf8")).toContain("My shop");
  expect(await repo.git("show", `HEAD:${FILE}`)).toContain("A shop");
  expect(done.stderr).toContain(`by the agent or somebody else, and is put back: what it said is kept in ${kept}`);
  expect(done.stderr).toMatch(/prd\.md was changed .* no plain file/u);
  expect(ended(done)).toMatchObject({
    stories: { undone: [{ file: FILE, kept: "undone-1-prd.json" }, { kept: null }] },
  });
});

const STATE = ".codex/waylon-smithers/loops/prd-shop.json";
/** What a run that dies now leaves of its state. */
const DIES = `cp ${STATE} .git/killed`;
const asKilled = (repo: GitRepository) => shellIn(repo.path, `cp .git/killed ${STATE}`);

test("what a run that was killed has left in the PRD's documents is not believed: it is put back, kept, and told [D-23, D-32]", async () => {
  await using repo = await shop({}, [aStory(1)]);
  const turns = [{ commands: [DIES], lastMessage: "Not yet." }, does(1)];
  expect(await run(repo, turns, { "max-iterations": "1" })).toMatchObject({ code: 2 });
  await asKilled(repo);
  const text = await readFile(path.join(repo.path, FILE), "utf8");
  const edited = text.replace('"run": "true"', '"run": "touch pwned"').replace('"passes": false', '"passes": true');
  await repo.write(FILE, edited);
  await repo.write(path.join(path.dirname(FILE), "prd.md"), "# Do as I say\n");
  await run(repo, turns, { "dry-run": "on" });
  expect(await readFile(path.join(repo.path, FILE), "utf8"), "a dry run puts nothing back").toBe(edited);

  const again = await run(repo, turns, { "max-iterations": "5" });
  expect(again).toMatchObject({ code: 0 });
  expect(again.stderr).toMatch(
    /prd\.json is not as the last run had it, which was killed: .* kept in \S+\/undone-1-prd\.json\. If that was you, end this run/u,
  );
  const kept = ".codex/waylon-smithers/loops/prd-shop/undone-1-prd.json";
  expect(await readFile(path.join(repo.path, kept), "utf8")).toBe(edited);
  expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt`);
  expect(await repo.git("diff", "HEAD~", "--", FILE)).not.toContain("pwned");
  expect(await repo.git("status", "--porcelain")).toBe("");

  // Once a run has said that it ended, the file is a person's.
  await repo.write(FILE, aPrdText([aStory(1, { passes: true }), aStory(2)]));
  expect(ended(await run(repo, [does(1), does(1), does(2)]))).toMatchObject({ status: "completed" });
  expect(await subjects(repo)).toEqual(["feat: [US-001] - Story 1", "feat: [US-002] - Story 2"]);
});

test("what the checks of a run that was killed have left is in no commit: it is taken out, kept and told [D-08, D-32]", async () => {
  await using repo = await shop({}, [aStory(1)]);
  await repo.write("shop.txt", "SHOP\n");
  await repo.git("add", "shop.txt");
  await repo.git("commit", "-qm", "shop");
  const gates = { "quality-commands": `test ! -f 1.txt || test -f .git/killed || { ${DIES}; exit 1; }` };
  expect(await run(repo, [does(1)], { ...gates, "max-iterations": "1" })).toMatchObject({ code: 2 });
  await asKilled(repo);
  await repo.write("shop.txt", "built\n");
  await repo.write("report.txt", "seen\n");

  const again = await run(repo, [does(1)], gates);
  expect(ended(again)).toMatchObject({ status: "completed", iteration: 1 });
  expect(again.stderr).toMatch(
    /killed while its checks ran: the checks wrote report\.txt and shop\.txt; .* checks-1\.patch/u,
  );
  expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt`);
  expect(await repo.git("status", "--porcelain")).toBe("");
});

test("a hook that a turn has put there, and a submodule that it has moved, are told with the commit", async () => {
  await using repo = await shop({}, [aStory(1)]);
  await repo.git("init", "-q", "lib");
  await repo.git("-C", "lib", "commit", "-q", "--allow-empty", "-m", "one");
  await repo.git("add", "lib");
  await repo.git("commit", "-qm", "lib");
  const hook = "printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit";
  const moves = "git -C lib commit -q --allow-empty -m two";
  const done = await run(repo, [{ ...does(1), commands: [hook, moves] }]);
  expect(done.code).toBe(0);
  expect(done.stderr).toMatch(/commit hooks were put into this repository while the run went on: .*pre-commit/u);
  expect(done.stderr).toContain("the commit moves a submodule to another commit (lib)");
  const events = await readFile(path.join(repo.path, ".codex/waylon-smithers/loops/prd-shop/events.jsonl"), "utf8");
  expect(events).toContain('"submodules":["lib"]');
});

test("what a check has changed and nobody can put back is no story's work: the run ends for it, and so does the next [D-08, D-23]", async () => {
  await using repo = await shop({}, [aStory(1, { checks: [] })]);
  const clone = "git init -q lib; git -C lib commit -q --allow-empty -m one; git add lib; git commit -qm lib";
  await shellIn(repo.path, clone);
  const gates = {
    "quality-commands":
      "test ! -f 1.txt || test -f .git/mended || { git -C lib commit -q --allow-empty -m two; echo x > new.txt; }",
  };
  const stopped = await run(repo, [does(1)], gates);
  expect(stopped.code).toBe(1);
  const problem = { code: "CHECKS_LEFT_FILES", files: ["lib"] };
  expect(ended(stopped)).toMatchObject({ stop_reason: { kind: "gate_unrunnable", problem } });
  expect(stopped.stderr).toContain("lib is a repository of its own at another commit");
  await shellIn(repo.path, "touch .git/mended");
  const again = await run(repo, [does(1)], gates);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain("git submodule update --checkout -- lib");
  expect(await subjects(repo)).toEqual(["lib"]);
  await repo.git("-C", "lib", "reset", "-q", "--hard", "HEAD~1");
  const done = await run(repo, [does(1)], gates);
  expect(ended(done)).toMatchObject({ status: "completed", iteration: 1 });
  expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt`);
});

test("a person's file that git ignored is in no story's commit, whatever was made of the rules, and that is told", async () => {
  await using repo = await shop({}, [aStory(1)]);
  await repo.write(".gitignore", "script.json\nmy.env\n");
  await repo.git("commit", "-qam", "rules");
  await repo.write("my.env", "secret\n");
  const done = await run(repo, [{ ...does(1), commands: ["git add -f my.env"] }]);
  expect(done.code).toBe(0);
  expect(done.stderr).toContain("git ignored my.env before the story began");
  expect(await repo.git("show", "--format=", "--name-only", "HEAD")).toBe(`${FILE}\n1.txt`);
  expect(await readFile(path.join(repo.path, "my.env"), "utf8")).toBe("secret\n");
});

test("below the top of a repository the PRD's own files are no work either: an idle agent passes nothing [D-23]", async () => {
  await using repo = await gitRepository({
    [`part/${FILE}`]: aPrdText([aStory(1, { checks: [] })]),
    ".gitignore": "script.json\n",
  });
  const part: GitRepository = { ...repo, path: path.join(repo.path, "part") };
  const idle = await run(part, [{ lastMessage: does(1).lastMessage }]);
  expect(ended(idle)).toMatchObject({ stop_reason: { kind: "stories_blocked", stories: [{ id: "US-001" }] } });
  expect(await subjects(repo)).toEqual([]);
});
