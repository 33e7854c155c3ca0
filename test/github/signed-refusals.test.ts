import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pushSigned, type SignedWork } from "../../src/github/signed-commits.ts";
import { bind } from "../../src/github/client.ts";
import { clientOf } from "../support/github-api/client.ts";
import { BRANCH, type PublishStage, publishStage } from "../publish/publish-stage.ts";
import { signedStage, SOON } from "./signed-stage.ts";

const refusal = (status: number, message: string) => ({ status, body: { message, documentation_url: "" } });

const FORBIDDEN = refusal(403, "Resource not accessible by integration");
const RULE = "Repository rule violations found Changes must be made through a pull request.";
const CODE = "src/a.ts";
const WORKFLOW = ".github/workflows/ci.yml";
const OTHER_TREE = { status: 201, body: { sha: "e".repeat(40), url: "", tree: [] } };

/** What GitHub answers to a request, and what is said of it. */
const ROWS = [
  ["the permission", "create-tree", FORBIDDEN, "permission", "permissions: contents: write"],
  ["the repository", "create-tree", refusal(404, "Not Found"), "not_found", "contents: write"],
  ["the token", "create-tree", refusal(401, "Bad credentials"), "token", "does not accept the token"],
  ["a rule", "create-ref", refusal(422, RULE), "ruleset", `a rule of the repository forbids it (${RULE})`],
  ["a secret", "create-tree", refusal(409, "Secret detected in content"), "secret", "GitHub found a secret"],
  ["no commit", "create-tree", refusal(409, "Git Repository is empty."), "incomplete", "no commit that could be built"],
  [
    "the base",
    "create-commit",
    refusal(422, "Parent SHA does not exist"),
    "incomplete",
    "lacks the commit that the work",
  ],
  ["an archive", "create-tree", refusal(403, "Repository was archived so it is read-only."), "archived", "is archived"],
  ["anything", "create-tree", refusal(422, "tree.path is malformed"), "declined", "422 (tree.path is malformed)"],
  ["other files", "create-tree", OTHER_TREE, "declined", "other files of it than git has: eeeeeeeeeeee, not "],
  ["a fault", "create-tree", refusal(503, "Unicorn"), null, "503"],
  ["a conflict", "create-tree", refusal(409, "Conflict"), null, "GitHub answered 409 (Conflict)"],
  ["a workflow file", "create-tree", FORBIDDEN, "workflow_files", "the token may not write workflow files"],
  ["a workflow file, otherwise", "create-ref", refusal(404, "Not Found"), "workflow_files", "may not write workflow"],
  // Last: it may be left over.
  ["silence", "create-tree", "hang", null, "timeout"],
] as const;

describe("sign-commits: what GitHub does not take", () => {
  let at: PublishStage;
  let code: SignedWork;
  let workflow: SignedWork;

  // Nothing of it reaches the branch, so that all can share it.
  beforeAll(async () => {
    at = await publishStage();
    const { base, commit, workOf, write } = await signedStage(at);
    const changing = async (name: string): Promise<SignedWork> => {
      await at.git("reset", "-q", "--hard", base);
      await write(name, "x\n");
      return workOf(await commit("work"), null);
    };
    code = await changing(CODE);
    workflow = await changing(WORKFLOW);
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test.for(ROWS)("%s: what that means, and there is no branch", async ([name, operation, fault, kind, says]) => {
    at.api.fail(`git/${operation}`, fault);
    const signal = AbortSignal.timeout(fault === "hang" ? 300 : SOON);
    const pushed = await pushSigned(at.access().within(signal), name.startsWith("a workflow") ? workflow : code);
    const trouble = { kind: kind ?? "unreachable", because: expect.stringContaining(says) };
    expect(pushed).toMatchObject({ ok: false, trouble });
    expect(await at.tip(BRANCH)).toBe("");
  });
});

test.for([
  ["a name that is not UTF-8", "caf\u00E9.txt", 1, "the name caf\uFFFD.txt is not UTF-8"],
  ["a large file", "a.iso", 42_000_000, "a.iso has 40.1 MiB, and GitHub's API takes 40.0 MiB at most"],
] as const)("sign-commits: %s is refused before anything is sent", async ([, path, size, says]) => {
  const entry = { mode: "100644", object: "a".repeat(40), size };
  const commits = [{ tree: "b".repeat(40), message: "work", changes: [{ path, replaced: null, entry }] }];
  const base = { commit: "c".repeat(40), tree: "d".repeat(40) };
  const contents = () => Promise.reject(new Error("nothing is read"));
  const octokit = clientOf({ url: "http://127.0.0.1:9" });
  const github = bind(octokit, { id: 1, owner: "o", name: "r" }, AbortSignal.timeout(SOON));
  const pushed = await pushSigned(github, { branch: BRANCH, tip: null, base, commits, contents });
  const [why, next] = [expect.stringContaining(says), expect.stringContaining("switch sign-commits off.")];
  expect(pushed).toEqual({ ok: false, trouble: { kind: "declined", because: why, next } });
});
