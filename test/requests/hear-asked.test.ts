import { describe, expect, test } from "vitest";
import type { AskedFor } from "../../src/requests/asked-facts.ts";
import { hearAsked, refuseForLoop } from "../../src/requests/hear-asked.ts";
import { type GithubLink, MOST_CONTINUATIONS } from "../../src/core/state.ts";
import { aState } from "../views/a-state.ts";
import { NOBODY } from "./asked-stage.ts";
import { LOOP, publishStage, refusalOf } from "../publish/publish-stage.ts";

function ties(overrides: Partial<GithubLink> = {}): GithubLink {
  const pull = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
  const known = { authorised_by: null, obeyed: null, continuations: 0 };
  return { branch: `smithers/${LOOP}`, head: null, pull_request: pull, ...known, ...overrides };
}

/** What is said to somebody who asks about a loop; "goes on" when nothing speaks against it. */
async function heard(asked: Partial<AskedFor>, github: GithubLink | null): Promise<string> {
  return refusalOf((async () => refuseForLoop({ ...NOBODY, ...asked }, aState({ github })))());
}

const GOES_ON = "not refused: undefined";

describe.concurrent("C25: what this run is asked for", () => {
  test("a run that nobody dispatched asks GitHub nothing", async () => {
    await using at = await publishStage();
    const job = await at.job({ event: { name: "schedule", payload: {} } });
    const refuse = async () => Promise.reject(new Error("nobody is to be asked"));
    expect(await hearAsked(job.context, { until: refuse, within: refuse }, [])).toMatchObject({
      by: "trigger",
      command: null,
    });
  });

  test.each(["pause", "stop", "status"])("%s is for a loop that runs: nothing is done", async (smithers) => {
    await using at = await publishStage();
    const job = await at.job({ smithers });
    expect(await refusalOf(hearAsked(job.context, at.github, []))).toBe(
      `NO_LOOP_RUNS: ${smithers} is for a loop that runs, and this run would only begin. Nothing was done.`,
    );
  });

  test.each(["go on", '{"command":"continue","extra":1}', "continue please"])("%s is no command", async (smithers) => {
    await using at = await publishStage();
    const job = await at.job({ smithers });
    expect(await refusalOf(hearAsked(job.context, at.github, []))).toMatch(/^REQUEST_FORGED: /u);
  });

  test.each(["continue", "cancel", "reset-circuit", "start"] as const)(
    "%s by hand is that person's word",
    async (smithers) => {
      await using at = await publishStage();
      const job = await at.job({ smithers });
      expect(await hearAsked(job.context, at.github, [])).toMatchObject({
        by: "person",
        asker: "alice",
        command: smithers,
      });
    },
  );
});

describe("T15: whose loop it is", () => {
  const ON_7 = { pullRequest: 7, loopId: LOOP, headBranch: `smithers/${LOOP}` };

  test.for<[what: string, asked: Partial<AskedFor>, github: GithubLink | null, said: string]>([
    ["its own pull request", ON_7, ties(), GOES_ON],
    ["none yet, and its branch", ON_7, ties({ pull_request: null }), GOES_ON],
    ["none is named", { loopId: LOOP }, ties(), GOES_ON],
    ["another pull request", { ...ON_7, pullRequest: 8 }, ties(), "OTHER_LOOP"],
    ["none yet, and another branch", { ...ON_7, headBranch: "main" }, ties({ pull_request: null }), "OTHER_LOOP"],
    ["it knows of nothing on GitHub", ON_7, null, "OTHER_LOOP"],
  ])("%s", async ([, asked, github, said]) => {
    expect((await heard(asked, github)).split(": ")[0]).toBe(said.split(": ")[0]);
  });

  test("a comment lets it go on once, and failing checks so often only", async () => {
    const comment = { ...ON_7, request: "comment:5" };
    expect(await heard(comment, ties({ obeyed: "comment:4" }))).toBe(GOES_ON);
    expect(await heard(comment, ties({ obeyed: "comment:5" }))).toMatch(/^OBEYED_ALREADY: .*comment:5/u);
    const run = { loopId: LOOP, request: "run:9" };
    expect(await heard(run, ties({ continuations: MOST_CONTINUATIONS - 1 }))).toBe(GOES_ON);
    expect(await heard(run, ties({ continuations: MOST_CONTINUATIONS }))).toMatch(/^TOO_OFTEN: /u);
    expect(await heard(comment, ties({ continuations: MOST_CONTINUATIONS }))).toBe(GOES_ON);
  });

  test("a loop that there is not yet is nobody's", () => {
    expect(() => refuseForLoop({ ...NOBODY, ...ON_7 }, undefined)).not.toThrow();
  });
});
