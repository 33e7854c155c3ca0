import { expect, test } from "vitest";
import { clientOf, refusalTo } from "./client.ts";
import { aPull, secondaryLimit, startGithubApi } from "./server.ts";

const REPOSITORY = { owner: "octo", repo: "demo" };
const PERMISSIONS = { contents: "write", "pull-requests": "write", statuses: "write" } as const;
const TOKENS = { t: { login: "github-actions[bot]", permissions: PERMISSIONS } };

test("a list may not have what was just written, though it is there [C80]", async () => {
  await using api = await startGithubApi({ tokens: TOKENS });
  const { request } = clientOf(api);
  const refs = async () => {
    const asked = { ...REPOSITORY, ref: "smithers-loops/" };
    const { data } = await request("GET /repos/{owner}/{repo}/git/matching-refs/{ref}", asked);
    return data.map(({ ref }) => ref);
  };
  const create = async (ref: string) =>
    request("POST /repos/{owner}/{repo}/git/refs", { ...REPOSITORY, ref, sha: "a".repeat(40) });
  await create("refs/smithers-loops/a");
  expect(await refs()).toEqual(["refs/smithers-loops/a"]);
  await create("refs/smithers-loops/b");
  api.lag("git/list-matching-refs", 2);
  expect(await refs()).toEqual(["refs/smithers-loops/a"]);
  const one = await request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...REPOSITORY, ref: "smithers-loops/b" });
  expect(one.data.ref).toBe("refs/smithers-loops/b");
  expect(await refs()).toEqual(["refs/smithers-loops/a"]);
  expect(await refs()).toEqual(["refs/smithers-loops/a", "refs/smithers-loops/b"]);

  api.world.issues.push(aPull({ number: 7, headBranch: "x" }));
  api.lag("pulls/list");
  const pulls = async () => (await request("GET /repos/{owner}/{repo}/pulls", REPOSITORY)).data.length;
  expect([await pulls(), await pulls()]).toEqual([0, 1]);
  expect(api.problems).toEqual([]);
});

test("a run that was just dispatched may not be in the list of runs [C80, C113]", async () => {
  const may = { actions: "write", contents: "read" } as const;
  await using api = await startGithubApi({ tokens: { t: { login: "github-actions[bot]", permissions: may } } });
  const { request } = clientOf(api);
  const dispatch = { ...REPOSITORY, workflow_id: "smithers.yml", ref: "main" };
  await request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", dispatch);
  api.lag("actions/list-workflow-runs-for-repo");
  const runs = async () => (await request("GET /repos/{owner}/{repo}/actions/runs", REPOSITORY)).data;
  expect(await runs()).toEqual({ total_count: 0, workflow_runs: [] });
  expect(await runs()).toMatchObject({ total_count: 1, workflow_runs: [{ status: "queued" }] });
  expect(api.problems).toEqual([]);
});

test("a dispatch right after a push may take the branch for what it was, or not know it [C148]", async () => {
  const may = { actions: "write" } as const;
  await using api = await startGithubApi({ tokens: { t: { login: "github-actions[bot]", permissions: may } } });
  const { request } = clientOf(api);
  const [old, tip] = ["c".repeat(40), "d".repeat(40)];
  await api.world.refs.set("refs/heads/x", tip);
  api.world.workflows.push({ path: ".github/workflows/ci.yml", inputs: [] });
  const dispatch = { ...REPOSITORY, workflow_id: "ci.yml", ref: "x" };
  const start = async () =>
    refusalTo(request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", dispatch));
  api.world.settings.dispatchesSee.push(old, "");
  expect(await start()).toBe("done");
  expect(await start()).toMatch(/^422 No ref found for: x/u);
  expect(await start()).toBe("done");
  expect(api.world.runs.map(({ sha }) => sha)).toEqual([old, tip]);
  expect(api.problems).toEqual([]);
});

test.for([403, 429] as const)(
  "too many writes in a short time are refused with %i, and reads are not [C80]",
  async (status) => {
    await using api = await startGithubApi({ tokens: TOKENS });
    const { request } = clientOf(api);
    const write = async () =>
      refusalTo(
        request("POST /repos/{owner}/{repo}/statuses/{sha}", { ...REPOSITORY, sha: "a".repeat(40), state: "success" }),
      );
    api.limitWrites({ after: 2, refusal: secondaryLimit(status, 60), times: 1 });
    const answers = [await write(), await write(), await write()];
    expect(answers.slice(0, 2)).toEqual(["done", "done"]);
    expect(answers[2]).toMatch(new RegExp(`^${status} You have exceeded a secondary rate limit`, "u"));
    api.limitWrites({ after: 0, refusal: secondaryLimit(status, 60) });
    const refused = request("POST /repos/{owner}/{repo}/statuses/{sha}", {
      ...REPOSITORY,
      sha: "a".repeat(40),
      state: "success",
    });
    await expect(refused).rejects.toHaveProperty("response.headers.retry-after", "60");
    expect(await refusalTo(request("GET /repos/{owner}/{repo}/pulls", REPOSITORY))).toBe("done");
  },
);
