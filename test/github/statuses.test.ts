import { expect, test } from "vitest";
import { probeRules } from "../../src/github/statuses.ts";
import { githubOf } from "../support/github-api/client.ts";
import { startGithubApi } from "../support/github-api/server.ts";

test.for<[what: string, required: readonly string[], said: object | null]>([
  ["nothing", [], null],
  [
    "a status of ours, which blocks everybody else",
    ["test", "smithers/loop"],
    {
      right: "missing",
      why: expect.stringContaining("main requires smithers/loop, which people's own"),
      next: expect.stringContaining("Take it out"),
    },
  ],
  ["jobs", ["test", "lint"], { right: "unknown", why: expect.stringContaining("main requires test, lint; pushes") }],
  [
    "many",
    Array.from({ length: 12 }, (_, nth) => `job ${nth}`),
    { right: "unknown", why: expect.stringContaining("job 9 and 2 more;") },
  ],
])("doctor says what a default branch that requires %s asks of a loop [C96]", async ([, required, said]) => {
  await using api = await startGithubApi({ tokens: { t: { login: "me", permissions: {} } } });
  api.world.requiredChecks.push(...required.map((context) => ({ branch: "main", context, app: null })));
  const right = await probeRules(githubOf(api, AbortSignal.timeout(20_000), "t"));
  expect(right).toEqual(said === null ? null : { ...right, ...said });
  // A job knows its default branch, and asks nothing else.
  const before = api.requests.length;
  expect(await probeRules(githubOf(api, AbortSignal.timeout(20_000), "t"), "main")).toEqual(right);
  expect(api.requests.slice(before).map(({ operation }) => operation)).toEqual(["repos/get-branch-rules"]);
  api.fail("repos/get-branch-rules", {
    status: 403,
    body: { message: "Upgrade to GitHub Pro", documentation_url: "" },
  });
  expect(await probeRules(githubOf(api, AbortSignal.timeout(20_000), "t"))).toBeNull();
  expect(api.problems).toEqual([]);
});
