import { describe, expect, test } from "vitest";
import { gitHttp, type GitHttp } from "../git-http.ts";
import { gitRepository, type GitRepository, shellIn } from "../git-repository.ts";
import type { WorkflowRule } from "../push-rules/workflow-rule.ts";
import { clientOf, refusalTo } from "./client.ts";
import { startGithubApi } from "./server.ts";

const REPOSITORY = { owner: "octo", repo: "demo" };
const CI = ".github/workflows/ci.yml";
const SAYS =
  /\(refusing to allow a GitHub App to create or update workflow `(?:tree\/)?\.github\/workflows\/ci\.yml` without `workflows` permission\)/u;

interface Stage extends AsyncDisposable {
  readonly git: GitHttp;
  readonly clone: GitRepository;
}

/** A repository whose main has a workflow file; the clone is on a branch `work` that begins there. */
async function start(): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const git = stack.use(await gitHttp());
  const clone = stack.use(await gitRepository({ "README.md": "hello\n", [CI]: "on: push\n" }));
  await shellIn(clone.path, 'git push -q "$0" main; git checkout -q -b work', git.folder);
  const owned = stack.move();
  return { git, clone, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Somebody changes the workflow file of main on GitHub. */
const MAIN_MOVES = `git checkout -q main; echo "on: [push]" > ${CI}; git commit -q -am moved; git push -q "$0" main; git checkout -q work;`;
const WORK = "echo x > x; git add x; git commit -q -m work;";

/** @returns what git has said; "" where all was pushed */
async function push({ git, clone }: Stage, token: string, ...refs: readonly string[]): Promise<string> {
  const url = git.url.replace("http://", `http://x-access-token:${token}@`);
  return clone.git("push", url, ...refs).then(
    () => "",
    (error: unknown) => String(error),
  );
}

interface Row {
  readonly name: string;
  /** `$0` is the repository on GitHub */
  readonly script: string;
  readonly refs: readonly string[];
  readonly refused: Readonly<Record<WorkflowRule, boolean>>;
}

const [NEVER, ALWAYS] = [
  { documented: false, strict: false },
  { documented: true, strict: true },
] as const;
/** What only the worst of what was seen forbids. */
const PERHAPS = { documented: false, strict: true } as const;

describe.concurrent("a push by a token without the right to write workflow files [C80]", () => {
  test.for<Row>([
    { name: "work that has none", script: WORK, refs: ["work"], refused: NEVER },
    { name: "a changed one", script: `echo "on: x" > ${CI}; git commit -qam x`, refs: ["work"], refused: ALWAYS },
    {
      name: "one that a later commit takes back",
      script: `echo "on: x" > ${CI}; git commit -qam x; git revert --no-edit HEAD`,
      refs: ["work"],
      refused: ALWAYS,
    },
    { name: "a deleted one", script: `git rm -q ${CI}; git commit -qm x`, refs: ["work"], refused: PERHAPS },
    { name: "a new branch that lags behind main", script: `${WORK}${MAIN_MOVES}`, refs: ["work"], refused: ALWAYS },
    {
      name: "a custom ref that lags behind main",
      script: `${WORK}${MAIN_MOVES}`,
      refs: ["work:refs/smithers-loops/x"],
      refused: ALWAYS,
    },
    {
      name: "a branch that was made before main moved",
      script: `git push -q "$0" work; ${WORK}${MAIN_MOVES}`,
      refs: ["work"],
      refused: PERHAPS,
    },
    {
      name: "an old branch that is brought to an older main",
      script: `git push -q "$0" work:old; echo "on: y" > ${CI}; git commit -qam y; git push -q "$0" HEAD:main; git branch -f main; ${MAIN_MOVES}`,
      refs: ["work:old"],
      refused: ALWAYS,
    },
    {
      name: "work with main's files on top",
      script: `${WORK}${MAIN_MOVES} git checkout -q main -- .github; git commit -q -m merged`,
      refs: ["work"],
      refused: NEVER,
    },
    {
      name: "a tree of files below another folder",
      script: "git rm -rq --cached .; git read-tree --prefix=tree/ HEAD; git commit -q -m kept",
      refs: ["work:refs/smithers-loops/x"],
      refused: PERHAPS,
    },
    { name: "a branch that is deleted", script: `git push -q "$0" work`, refs: [":work"], refused: NEVER },
  ])("$name", async ({ script, refs, refused }) => {
    await using stage = await start();
    const { git, clone } = stage;
    await shellIn(clone.path, script, git.folder);
    for (const rule of ["strict", "documented"] as const) {
      git.workflows.rule = rule;
      const before = await git.git("for-each-ref");
      const said = await push(stage, git.writeToken, ...refs);
      expect(said === "" ? "pushed" : said).toMatch(refused[rule] ? SAYS : "pushed");
      expect((await git.git("for-each-ref")) === before).toBe(refused[rule]);
      if (!refused[rule]) break;
    }
    git.workflowTokens.add(git.writeToken);
    expect(await push(stage, git.writeToken, ...refs).then((said) => /refusing/u.test(said))).toBe(false);
  });

  test("the API asks the same of refs, trees and commits, and says less", async () => {
    await using stage = await start();
    const { git, clone } = stage;
    const permissions = { contents: "write" } as const;
    const all = { contents: "write", workflows: "write" } as const;
    const tokens = { t: { login: "github-actions[bot]", permissions }, w: { login: "app[bot]", permissions: all } };
    await using api = await startGithubApi({ git, tokens });
    const [{ request }, mighty] = [clientOf(api), clientOf(api, "w")];
    await shellIn(clone.path, `git push -q "$0" work; ${MAIN_MOVES}`, git.folder);
    const [lagging, main] = (await clone.git("rev-parse", "work", "main")).split("\n");
    const create = (ref: string, sha = "") => ({ ...REPOSITORY, ref, sha });
    const refs = "POST /repos/{owner}/{repo}/git/refs" as const;
    expect(await refusalTo(request(refs, create("refs/heads/a", lagging)))).toBe("done");
    for (const branch of ["work", "a"]) await git.git("branch", "-qD", branch);
    const forbidden = /^403 Resource not accessible by integration/u;
    expect(await refusalTo(request(refs, create("refs/heads/b", lagging)))).toMatch(forbidden);
    expect(await refusalTo(request(refs, create("refs/heads/b", main)))).toBe("done");
    const move = { ...REPOSITORY, ref: "heads/b", sha: lagging ?? "", force: true };
    expect(await refusalTo(request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", move))).toMatch(forbidden);
    const tree = (content: string) => ({
      ...REPOSITORY,
      base_tree: main ?? "",
      tree: [{ path: CI, mode: "100644" as const, type: "blob" as const, content }],
    });
    const trees = "POST /repos/{owner}/{repo}/git/trees" as const;
    expect(await refusalTo(request(trees, tree("on: x\n")))).toMatch(forbidden);
    expect(await refusalTo(request(trees, tree("on: [push]\n")))).toBe("done");
    expect(await refusalTo(mighty.request(trees, tree("on: x\n")))).toBe("done");
    expect(await refusalTo(mighty.request(refs, create("refs/heads/c", lagging)))).toBe("done");
    expect(api.problems).toEqual([]);
  });
});
