import path from "node:path";
import { mkdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { viewForJob } from "../../src/app/view-of.ts";
import { type Publisher, publisherFor } from "../../src/publish/publisher.ts";
import type { GithubLink, LoopState } from "../../src/core/state.ts";
import { readState, writeState } from "../../src/store/state-file.ts";
import { aState } from "../views/a-state.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";
import { BRANCH, LOOP, type PublishStage, publishStage, type StageJob } from "./publish-stage.ts";

const NO_PAGE = Promise.resolve(null);

const LINK: GithubLink = {
  ...{ branch: BRANCH, head: null, pull_request: null },
  ...{ authorised_by: null, obeyed: null, continuations: 3 },
};
const OWN = { number: 7, url: "https://github.com/o/r/pull/7", own: true };
const TIME_UP = ended({ kind: "time_budget" });
const AUTO: StageJob = { inputs: { "self-continue": "auto" } };
const AUTO_ALONE: StageJob = { inputs: { "self-continue": "auto", "pull-request": "never" } };

/** A loop that has ended, with its publisher; with its branch checked out unless said. */
async function ending(at: PublishStage, state: Partial<LoopState>, { job: given = {}, takes = true }: Stage = {}) {
  const job = await at.job(given);
  const branch = takes ? await at.checkOut(job) : undefined;
  if (takes) await at.work("a.txt");
  const stopped = aState({ loop_id: LOOP, github: LINK, ...state });
  await mkdir(path.dirname(job.place.stateFile), { recursive: true });
  await writeState(job.place.stateFile, stopped, Promise.resolve());
  const { context, place, settings, teller } = job;
  const { config } = settings;
  const view = (state: LoopState) => viewForJob(state, place, config);
  const publishing = { context, place, config, github: at.github, teller, branch, view, disabled: null };
  const publisher = publisherFor(stopped, publishing, 300_000);
  return { job, stopped, publisher };
}

interface Stage {
  readonly job?: StageJob;
  readonly takes?: boolean;
}

function needed(publisher: Publisher | undefined): Publisher {
  if (publisher === undefined) throw new Error("nothing is published");
  return publisher;
}

describe.concurrent("who publishes an ending", () => {
  test.for<[what: string, state: Partial<LoopState>, job: StageJob, publishes: boolean]>([
    ["nothing on GitHub", ended(COMPLETED), {}, false],
    [
      "a pull request, although the branch cannot be had",
      { ...ended(COMPLETED), github: { ...LINK, pull_request: OWN } },
      {},
      true,
    ],
    ["nothing on GitHub, and its time is up", TIME_UP, AUTO_ALONE, true],
    ["nothing on GitHub, its time is up, and it waits", TIME_UP, {}, false],
    ["nothing at all, not even a count, and its time is up", { ...TIME_UP, github: null }, AUTO, false],
  ])("without a branch of its own: %s", async ([, state, job, publishes]) => {
    await using at = await publishStage();
    const { publisher } = await ending(at, state, { job, takes: false });
    expect(publisher !== undefined).toBe(publishes);
  });

  test("what it came to is in the state, and the next run is started once that is kept", async () => {
    await using at = await publishStage();
    const { publisher, job, stopped } = await ending(at, TIME_UP, { job: AUTO });
    const { state } = await needed(publisher).publish(stopped, true, NO_PAGE);
    const tip = await at.tip(BRANCH);
    expect(state.github).toMatchObject({ head: tip, pull_request: { own: true }, continuations: 4 });
    expect(await readState(job.place.stateFile)).toEqual(state);
    expect(at.api.world.dispatches).toEqual([]);
    expect(await needed(publisher).goOn(state)).toBeUndefined();
    expect(at.api.world.dispatches).toHaveLength(1);
  });

  test("without branch and pull request it goes on by itself, too, and is counted", async () => {
    await using at = await publishStage();
    const { publisher, stopped } = await ending(at, TIME_UP, { job: AUTO_ALONE, takes: false });
    const { state } = await needed(publisher).publish(stopped, true, NO_PAGE);
    expect(state.github).toMatchObject({ head: null, pull_request: null, continuations: 4 });
    await needed(publisher).goOn(state);
    expect(at.api.world.dispatches).toHaveLength(1);
    expect(at.api.world.statuses).toEqual([]);
  });

  test("it does not go on at its bound, nor when it is done: nothing is started, and nothing taken back", async () => {
    await using at = await publishStage();
    const bound = { ...TIME_UP, github: { ...LINK, continuations: 20 } };
    for (const state of [bound, ended(COMPLETED)]) {
      const { publisher, stopped } = await ending(at, state, { job: AUTO, takes: false });
      const published = await publisher?.publish(stopped, true, NO_PAGE);
      expect(await publisher?.goOn(published?.state ?? stopped)).toBeUndefined();
      expect(await publisher?.park(stopped, "no")).toBeUndefined();
    }
    expect(at.api.world.dispatches).toEqual([]);
  });

  test("a next run that cannot be started, and one that must not be: the comment says so then", async () => {
    await using at = await publishStage();
    const { publisher, job, stopped } = await ending(at, TIME_UP, { job: AUTO });
    const { state } = await needed(publisher).publish(stopped, true, NO_PAGE);
    at.api.world.settings.dispatchAllowed = false;
    const parked = await needed(publisher).goOn(state);
    expect(parked?.selfContinue.refused).toContain("policy of the organisation");
    expect(job.notices.join("\n")).toContain("The loop's next run could not be started");
    const body = () => at.api.world.comments[0]?.body;
    expect(body()).toContain("It does not go on by itself:** a policy of the organisation");
    await needed(publisher).park(state, "nothing of it could be kept");
    expect(body()).toContain("It does not go on by itself:** nothing of it could be kept");
    expect(at.api.world.comments).toHaveLength(1);
  });
});
