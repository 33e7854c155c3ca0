import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { aComment, aPull } from "../support/github-api/server.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { end, FILES, filesOn, ON_AND_ON, pullsOf, pushByPerson, stateOf, tipOf, told, work } from "./publish-stage.ts";

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({ byRef: true, files: FILES });
});
afterAll(() => end(ci));

/** Alice starts the workflow by hand. */
function byHand(smithers: object) {
  const inputs = { smithers: JSON.stringify(smithers) };
  return { event: dispatchEvent(ci.api.world, { workflow: "smithers.yml", ref: "main", inputs, login: "alice" }) };
}

describe.concurrent("others work on GitHub, too [C13]", { timeout: 120_000 }, () => {
  test("somebody pushes while the loop runs: theirs stays, and the next run goes on on top of it with the work", async () => {
    let pushing: Promise<string> | undefined;
    const first = await work(
      ci,
      "diverged",
      { ...ON_AND_ON, "max-iterations": "1" },
      {
        cancelWhen: (log) => {
          if (log.includes("Iteration 1 of 1")) pushing ??= pushByPerson(ci, "smithers/diverged");
          return false;
        },
      },
    );
    const theirs = await pushing;
    expect(first).toMatchObject({ conclusion: "failure", outputs: { status: "stopped_max_iterations" } });
    expect(told(first)).toMatch(/somebody moved it meanwhile: .* The work is kept in refs\/smithers-loops\/diverged/u);
    expect(await tipOf(ci, "smithers/diverged")).toBe(theirs);
    expect(pullsOf(ci, "smithers/diverged")).toEqual([]);

    const second = await work(ci, "diverged", { "max-iterations": "2" });
    expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
    expect(await filesOn(ci, "smithers/diverged")).toEqual(["done.txt", "n1.txt", "theirs.txt"]);
    await ci.remote.git("merge-base", "--is-ancestor", theirs ?? "", "refs/heads/smithers/diverged");
    expect(pullsOf(ci, "smithers/diverged")).toMatchObject([{ state: "open", pull: { draft: false } }]);
  });

  test("a merged pull request is over: the next night has a branch and a pull request of its own [C25]", async () => {
    const first = await work(ci, "nightly");
    expect(first.outputs["branch"]).toBe("smithers/nightly");
    const [pull] = pullsOf(ci, "smithers/nightly");
    Object.assign(pull ?? {}, { state: "closed" });
    Object.assign(pull?.pull ?? {}, { merged: true });
    await ci.remote.git("update-ref", "-d", "refs/heads/smithers/nightly");

    const second = await work(ci, "nightly");
    expect(second).toMatchObject({ conclusion: "success", outputs: { branch: "smithers/nightly.g2" } });
    expect(pullsOf(ci, "smithers/nightly").map(({ state, pull: of }) => [state, of?.headBranch])).toEqual([
      ["closed", "smithers/nightly"],
      ["open", "smithers/nightly.g2"],
    ]);
    expect(await tipOf(ci, "smithers/nightly")).toBe("");
  });

  test("somebody closes the pull request and deletes the branch: the work is there again, in no second one", async () => {
    await work(ci, "closed", { ...ON_AND_ON, "max-iterations": "1" });
    const [pull] = pullsOf(ci, "smithers/closed");
    Object.assign(pull ?? {}, { state: "closed" });
    await ci.remote.git("update-ref", "-d", "refs/heads/smithers/closed");
    const second = await work(ci, "closed", { ...ON_AND_ON, "max-iterations": "2" });
    expect(told(second)).toMatch(/Pull request #\d+ was closed\. The loop opens no second one: reopen it/u);
    expect(await filesOn(ci, "smithers/closed")).toEqual(["n1.txt", "n2.txt"]);
    expect(pullsOf(ci, "smithers/closed")).toEqual([pull]);
    expect((await stateOf(ci, "closed")).github.pull_request.number).toBe(pull?.number);
  });

  test("somebody renames the branch: the loop goes on there, in the same pull request", async () => {
    await work(ci, "renamed", { ...ON_AND_ON, "max-iterations": "1" });
    const [pull] = pullsOf(ci, "smithers/renamed");
    await ci.remote.git("branch", "-m", "smithers/renamed", "their-name");
    Object.assign(pull?.pull ?? {}, { headBranch: "their-name" });
    const second = await work(ci, "renamed", { "max-iterations": "2" });
    expect(told(second)).toContain("The branch smithers/renamed is called their-name now: the loop goes on there.");
    expect(second.outputs).toMatchObject({ status: "completed", branch: "their-name", "pr-number": `${pull?.number}` });
    expect(await filesOn(ci, "their-name")).toEqual(["done.txt", "n1.txt"]);
    expect(await tipOf(ci, "smithers/renamed")).toBe("");
    expect(pullsOf(ci, "smithers/renamed")).toEqual([]);
    expect(pull).toMatchObject({ state: "open", pull: { draft: false } });
  });

  test("a person's pull request with 300 comments: the work goes there, and their words stay", async () => {
    const { api } = ci;
    const head = await pushByPerson(ci, "feature");
    const pull = aPull({ number: 40, headBranch: "feature", title: "Mine", body: "My words.", draft: true });
    api.world.issues.push(pull);
    api.world.comments.push(
      ...Array.from({ length: 300 }, (_, at) => aComment({ id: 10_000 + at, issue: 40, body: `comment ${at}` })),
    );
    const inputs = { ...ON_AND_ON, "max-iterations": "2" };
    const job = await work(ci, "theirs", inputs, byHand({ command: "start", pr: 40, head }));
    expect(job.outputs).toMatchObject({ iterations: "2", branch: "feature", "pr-number": "40" });
    expect(pull).toMatchObject({ title: "Mine", body: "My words.", state: "open", pull: { draft: true } });
    expect(await filesOn(ci, "feature")).toHaveLength(3);
    await ci.remote.git("merge-base", "--is-ancestor", head, "refs/heads/feature");
    const ours = api.world.comments.filter(({ issue, author }) => issue === 40 && author === "github-actions[bot]");
    // One is kept up to date, and one calls the person who let the loop run: an edit may notify nobody.
    expect(ours.filter(({ body }) => /(?<![\w`])@\w/u.test(body))).toHaveLength(1);
    expect(ours.map(({ body }) => body.includes("`stopped_max_iterations`"))).toEqual([true, true]);
    const tip = await tipOf(ci, "feature");
    expect(api.world.statuses.filter(({ sha }) => sha === tip)).toMatchObject([{ state: "failure" }]);

    // A person who does not want it any more says so, whatever limit it has reached.
    const cancelled = await work(ci, "theirs", inputs, byHand({ command: "cancel", loop: "theirs" }));
    expect(cancelled.outputs).toMatchObject({ status: "canceled", iterations: "2" });
    expect(await tipOf(ci, "feature")).toBe(tip);
  });
});
