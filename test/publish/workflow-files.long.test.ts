import { describe, expect, test } from "vitest";
import { shellIn } from "../support/git-repository.ts";
import { BRANCH, type PublishStage, publishStage } from "./publish-stage.ts";

const SOON = 60_000;
const CI = ".github/workflows/ci.yml";
const FOLDER = ".github/workflows";

/** Somebody writes a workflow file on main. @returns main's tip */
async function onMain(at: PublishStage, content: string): Promise<string> {
  const script = `export GIT_INDEX_FILE=person.index; git read-tree main
    git update-index --add --cacheinfo "100644,$(echo "$0" | git hash-object -w --stdin),$1"
    commit=$(git -c user.name=P -c user.email=p@example.invalid commit-tree -p main -m person "$(git write-tree)")
    git update-ref refs/heads/main "$commit"; echo "$commit"`;
  return shellIn(at.remote.folder, script, content, CI);
}

/** A checkout of a main that has a workflow file. */
async function begun(at: PublishStage): Promise<string> {
  const main = await onMain(at, "on: push");
  await shellIn(
    await at.git("rev-parse", "--show-toplevel"),
    "git fetch -q origin main; git reset -q --hard FETCH_HEAD",
  );
  return main;
}

const filesOf = async (at: PublishStage, ref: string): Promise<string> =>
  at.remote.git("ls-tree", "-r", "--name-only", ref);
const workflowsOf = async (at: PublishStage, ref: string): Promise<string> =>
  at.remote.git("rev-parse", `${ref}:${FOLDER}`);

describe.concurrent("workflow files that move on the default branch while a run is at work [C80]", () => {
  test.for(["documented", "strict"] as const)("cost none of its work: by the rule that is %s", async (rule) => {
    await using at = await publishStage();
    at.remote.workflows.rule = rule;
    const base = await begun(at);
    const job = await at.job();
    const branch = await at.checkOut(job);
    const first = await at.work("a.txt");
    await onMain(at, "on: [push]");
    const pushed = await branch.push(first, SOON);
    const tip = await at.tip(BRANCH);
    expect(pushed).toEqual({ ok: true, value: { head: tip, here: tip } });
    expect(await at.remote.git("log", "--format=%H", `${base}..${tip}`)).toBe(`${tip}\n${first}`);
    expect(await filesOf(at, tip)).toBe(`${CI}\nREADME.md\na.txt`);
    expect(await workflowsOf(at, tip)).toBe(await workflowsOf(at, "main"));
    expect(await at.remote.git("log", "-1", "--format=%(trailers:key=Smithers-Loop,valueonly)", tip)).toBe("a-loop\n");
    expect(job.notices.join("\n")).toContain("has them in one more commit on top of the work");
    // Nothing was done to the workspace, and there is nothing left to push.
    expect(await at.git("rev-parse", "HEAD")).toBe(first);
    expect(await at.git("status", "--porcelain")).toBe("");
    expect(await branch.push(first, SOON)).toEqual(pushed);

    const second = await at.work("b.txt");
    expect(await branch.push(second, SOON)).toMatchObject({ ok: true });
    const joined = await at.tip(BRANCH);
    expect(await at.remote.git("rev-parse", `${joined}^1`, `${joined}^2`)).toBe(`${second}\n${tip}`);
    expect(await filesOf(at, joined)).toBe(`${CI}\nREADME.md\na.txt\nb.txt`);
    expect(await workflowsOf(at, joined)).toBe(await workflowsOf(at, "main"));

    // They move again, and what ends the run knows of the branch what main had noted.
    await onMain(at, "on: [push, pull_request]");
    const third = await at.work("c.txt");
    const note = { name: BRANCH, tip: branch.tip, head: branch.head };
    const post = await at.branches(job).reopen(note);
    expect(await post?.push(third, SOON)).toMatchObject({ ok: true });
    // They were main's when the branch got them: none of the loop's doing, whatever main has become since.
    expect(await branch.unlikeDefault([CI], await at.tip(BRANCH), SOON)).toEqual([]);
    // By the documented rule those on the branch itself will do.
    expect(await workflowsOf(at, BRANCH)).toBe(await workflowsOf(at, rule === "strict" ? "main" : tip));
    expect(await at.remote.git("diff", "--stat", third, BRANCH, "--", ".", `:!${FOLDER}`)).toBe("");
    // Main was ended before it could note its last push.
    const late = await at.branches(job).reopen(note);
    expect(await late?.push(third, SOON)).toMatchObject({ ok: true });
  });

  test("with sign-commits as well", async () => {
    await using at = await publishStage();
    await begun(at);
    const job = await at.job({ inputs: { "sign-commits": "true" } });
    const branch = await at.checkOut(job);
    const first = await at.work("a.txt");
    await onMain(at, "on: [push]");
    expect(await branch.push(first, SOON)).toMatchObject({ ok: true });
    expect(await filesOf(at, BRANCH)).toBe(`${CI}\nREADME.md\na.txt`);
    expect(await workflowsOf(at, BRANCH)).toBe(await workflowsOf(at, "main"));
    const second = await at.work("b.txt");
    expect(await branch.push(second, SOON)).toMatchObject({ ok: true });
    expect(await filesOf(at, BRANCH)).toBe(`${CI}\nREADME.md\na.txt\nb.txt`);
  });

  test.for([
    ["changes one", "", `the work changes ${CI}, and the token may write no workflow files`],
    [
      "changes one and takes it back",
      "git revert --no-edit HEAD >/dev/null;",
      "a commit of the work changes a workflow file, though a later one takes it back, and the token may write none",
    ],
  ] as const)("work that %s is not pushed, and the ways out are told", async ([, more, why]) => {
    await using at = await publishStage();
    await begun(at);
    const branch = await at.checkOut(await at.job());
    const top = await at.git("rev-parse", "--show-toplevel");
    const commit = await shellIn(top, `echo "on: x" > ${CI}; git commit -q -am mine; ${more} git rev-parse HEAD`);
    const next = expect.stringMatching(/“Workflows: read and write”.*apply its change by hand/u);
    const refused = { ok: false, trouble: { kind: "workflow_files", because: why, next } };
    expect(await branch.push(commit, SOON)).toEqual(refused);
    expect(await at.tip(BRANCH)).toBe("");
    at.remote.workflowTokens.add(at.remote.writeToken);
    expect(await branch.push(commit, SOON)).toMatchObject({ ok: true });
  });
});

test("a workflow file that main had before the branch left it, or never, is the loop's doing on the branch [C80]", async () => {
  await using at = await publishStage();
  await onMain(at, "on: push");
  await onMain(at, "on: [push]");
  await begun(at);
  const branch = await at.checkOut(await at.job());
  const top = await at.git("rev-parse", "--show-toplevel");
  at.remote.workflowTokens.add(at.remote.writeToken);
  for (const content of ["on: [push]", "on: never"]) {
    const commit = await shellIn(top, `echo "$0" > ${CI}; git commit -q -am mine; git rev-parse HEAD`, content);
    expect(await branch.push(commit, SOON)).toMatchObject({ ok: true });
    await onMain(at, `on: pull_request # ${content}`);
    expect(await branch.unlikeDefault([CI], commit, SOON)).toEqual([CI]);
    at.api.fail("repos/compare-commits", { status: 500, body: { message: "" } }, 9);
    expect(await branch.unlikeDefault([CI], commit, SOON)).toEqual([CI]);
    at.api.fail("repos/compare-commits", { status: 500, body: { message: "" } }, 0);
  }
});

test("a workflow file that main had is none of the loop's doing, also where main has moved by more commits than GitHub tells of at once [C80]", async () => {
  await using at = await publishStage();
  await begun(at);
  const branch = await at.checkOut(await at.job());
  const first = await at.work("a.txt");
  await shellIn(
    at.remote.folder,
    `tree=$(git rev-parse main^{tree}); tip=$(git rev-parse main)
    for nth in $(seq 260); do tip=$(git -c user.name=P -c user.email=p@example.invalid commit-tree -p "$tip" -m "$nth" "$tree"); done
    git update-ref refs/heads/main "$tip"`,
  );
  await onMain(at, "on: [push]");
  expect(await branch.push(first, SOON)).toMatchObject({ ok: true });
  await onMain(at, "on: [push, pull_request]");
  expect(await branch.unlikeDefault([CI], await at.tip(BRANCH), SOON)).toEqual([]);
});

describe.concurrent("a branch from the beginning [C81]", () => {
  test("takes the work as it is, whatever happens to main", async () => {
    await using at = await publishStage();
    const base = await begun(at);
    const job = await at.job();
    const branch = await at.checkOut(job);
    expect(await branch.begin(SOON)).toEqual({ ok: true });
    expect([await at.tip(BRANCH), branch.tip]).toEqual([base, null]);
    await onMain(at, "on: [push]");
    const commit = await at.work("a.txt");
    expect(await branch.push(commit, SOON)).toMatchObject({ ok: true });
    expect(await at.tip(BRANCH)).toBe(commit);
    expect(await branch.end(SOON)).toEqual({ ok: true, value: false });
    expect(job.notices).toEqual([]);
  });

  test("is deleted if nothing was pushed to it and nobody has moved it, and an earlier run's is taken over", async () => {
    await using at = await publishStage();
    const base = await begun(at);
    const job = await at.job();
    const first = await at.checkOut(job);
    await first.begin(SOON);
    expect(await first.end(SOON)).toEqual({ ok: true, value: true });
    expect(await at.tip(BRANCH)).toBe("");
    expect(await first.end(SOON)).toEqual({ ok: true, value: false });

    // A run that vanished has left one, and main has moved since.
    await first.begin(SOON);
    const moved = await begun(at);
    const second = await at.branches(job).checkOut(BRANCH, true);
    expect([second?.tip, second?.head, await at.git("rev-parse", "HEAD")]).toEqual([null, moved, moved]);
    expect(await second?.begin(SOON)).toEqual({ ok: true });
    expect(await at.tip(BRANCH)).toBe(moved);
    // Somebody tidies up what has no commit of its own.
    await at.remote.git("update-ref", "-d", `refs/heads/${BRANCH}`);
    expect(await second?.push(await at.work("a.txt"), SOON)).toMatchObject({ ok: true });

    const other = await at.checkOut(job, "other");
    await other.begin(SOON);
    const theirs = await at.push("other");
    const why = expect.stringMatching(/^other was at [0-9a-f]{12}, and now it is at [0-9a-f]{12}$/u);
    expect(await other.end(SOON)).toEqual({ ok: false, trouble: { because: why } });
    expect(await at.tip("other")).toBe(theirs);
    expect(base).not.toBe(moved);
  });

  test("post publishes on one that main made and could not note", async () => {
    await using at = await publishStage();
    const base = await begun(at);
    const job = await at.job();
    const main = await at.checkOut(job);
    await main.begin(SOON);
    const commit = await at.work("a.txt");
    const note = { name: BRANCH, tip: null, head: base };
    const post = await at.branches(job).reopen(note);
    expect(await post?.push(commit, SOON)).toMatchObject({ ok: true });
    expect(await at.tip(BRANCH)).toBe(commit);
    await at.remote.git("update-ref", `refs/heads/${BRANCH}`, base);
    const idle = await at.branches(job).reopen({ ...note, begun: base });
    expect(await idle?.end(SOON)).toEqual({ ok: true, value: true });
    expect(await at.tip(BRANCH)).toBe("");
  });
});
