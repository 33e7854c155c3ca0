import { expect, test } from "vitest";
import { commitsBetween } from "../../src/github/refs.ts";
import { gitHttp } from "../support/git-http.ts";
import { gitRepository, shellIn } from "../support/git-repository.ts";
import { githubOf } from "../support/github-api/client.ts";
import { startGithubApi } from "../support/github-api/server.ts";

test("the newest commits are told, however many there are, in one request [C101]", async () => {
  await using git = await gitHttp();
  await using seed = await gitRepository();
  const tips = await shellIn(
    seed.path,
    `tree=$(git rev-parse main^{tree}); tip=$(git rev-parse main); echo "$tip"
    for nth in $(seq 305); do tip=$(git commit-tree -p "$tip" -m "commit $nth" "$tree"); echo "$tip"; done
    git update-ref refs/heads/main "$tip"; git push -q "$0" main`,
    git.folder,
  );
  const at = tips.split("\n");
  const tokens = { t: { login: "bot", permissions: { contents: "read" } } } as const;
  await using api = await startGithubApi({ git, tokens });
  const github = githubOf(api, AbortSignal.timeout(20_000), "t");
  for (const count of [0, 3, 100, 101, 305]) {
    const before = api.requests.length;
    const between = await commitsBetween(github, at[0] ?? "", at[count] ?? "", 20);
    const newest = Array.from({ length: Math.min(count, 20) }, (_, nth) => `commit ${count - nth}`);
    expect(between.ok && between.value.commits.map(({ subject }) => subject)).toEqual(newest);
    expect(between).toMatchObject({ ok: true, value: { count } });
    expect(api.requests.slice(before)).toHaveLength(1);
  }
  expect(api.problems).toEqual([]);
});
