import { expect, test } from "vitest";
import { githubAccess } from "../../src/github/access.ts";
import { tokensOfLoops } from "../../src/requests/tokens-of-loops.ts";
import { type Asking, asking } from "../support/asking.ts";
import { anIterationRecord, AT, NOW } from "../support/builders.ts";

const YESTERDAY = "2026-02-28T12:00:00.000+00:00";

const used = async (at: Asking, loopId: string, tokens: number, endedAt = AT): Promise<void> =>
  at.loop({ loopId, state: { iterations: [anIterationRecord({ ended_at: endedAt, tokens })] } });

function counting(at: Asking, token: string | null = "t") {
  const notices: string[] = [];
  const github = githubAccess(token, { apiUrl: at.api.url, repository: at.api.world.repository });
  const count = tokensOfLoops({ loopId: "own", github, notice: (text) => notices.push(text) });
  return { count: async () => count(NOW), notices };
}

test("the tokens of today of all other loops of a repository are counted, by the records on their refs [C14]", async () => {
  await using at = await asking();
  const { count, notices } = counting(at);
  expect(await count()).toBe(0);
  await used(at, "own", 1);
  await used(at, "one", 20);
  await used(at, "two", 300);
  await used(at, "old", 4000, YESTERDAY);
  expect(await count()).toBe(320);
  await used(at, "one", 50_000);
  expect(await count()).toBe(50_300);
  expect(notices).toEqual([]);
});

test("a record is read once for each place of its ref, and a broken one is told once [C14]", async () => {
  await using at = await asking();
  const { count, notices } = counting(at);
  await used(at, "one", 20);
  await at.record("refs/smithers-loops/broken", { loop_id: "broken" });
  expect([await count(), await count(), await count()]).toEqual([20, 20, 20]);
  const reads = at.api.requests.filter(({ operation }) => operation === "repos/get-content");
  // What cannot be read is asked for again: it may be repaired.
  expect(reads).toHaveLength(1 + 3);
  expect(notices).toEqual([
    expect.stringMatching(/^max-tokens-per-day does not count all other loops of the repository: .*broken/u),
  ]);
});

test("without a token only this loop is counted, and that is told [C14]", async () => {
  await using at = await asking();
  const { count, notices } = counting(at, null);
  expect([await count(), await count()]).toEqual([0, 0]);
  expect(notices).toEqual([expect.stringContaining("there is no github-token")]);
});
