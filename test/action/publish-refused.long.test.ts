import { describe, expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { FILES, filesOn, ON_AND_ON, pullsOf, pushByPerson, stateOf, tipOf, told, work } from "./publish-stage.ts";

describe.concurrent(
  "what GitHub refuses costs no work, and people are told the cure [C13]",
  { timeout: 120_000 },
  () => {
    test("a token that may write contents alone: each missing line of `permissions:` is named", async () => {
      const permissions = { contents: "write", actions: "read", "pull-requests": "read" } as const;
      await using ci = await startCi({ byRef: true, files: FILES, permissions });
      await using machine = await ci.machine();
      const env = timeIsUpOnce(ci, machine, "n1.txt");
      const job = await work(ci, "bare", { ...ON_AND_ON, "self-continue": "auto" }, { on: machine, env });
      expect(job).toMatchObject({ conclusion: "success", outputs: { status: "paused_time_budget", iterations: "1" } });
      const words = told(job);
      expect(words).toMatch(/There is no pull request of this work: .*permissions: pull-requests: write/u);
      expect(words).toMatch(/commit status smithers\/loop is not set: .*permissions: statuses: write/u);
      expect(words).toMatch(/next run could not be started: .*permissions: actions: write.* Nothing is lost/u);
      const summary = job.main.summary.replaceAll("\\", "");
      for (const line of ["pull-requests: write", "statuses: write", "actions: write"]) expect(summary).toContain(line);
      expect(summary).not.toContain("goes on by itself, in a run of its own");
      expect(await tipOf(ci, "smithers/bare")).toBe((await stateOf(ci, "bare")).github.head);
      expect(ci.api.world.dispatches).toEqual([]);
      expect(ci.api.problems).toEqual([]);
    });

    test("Actions may not create pull requests: the branch stays, with the link and the setting to change", async () => {
      await using ci = await startCi({ byRef: true, files: FILES });
      ci.api.world.settings.actionsMayCreatePulls = false;
      const job = await work(ci, "forbidden");
      expect(job).toMatchObject({ conclusion: "success", outputs: { status: "completed", "pr-number": "" } });
      expect(job.main.summary).toMatch(
        /\[Open one by hand\]\(\S+\/compare\/main\.\.\.smithers\/forbidden\?expand=1\)/u,
      );
      expect(job.main.summary).toContain("“Allow GitHub Actions to create and approve pull requests”");
      expect(told(job)).toContain("“Allow GitHub Actions to create and approve pull requests”");
      expect(ci.api.world.statuses.at(-1)).toMatchObject({
        sha: await tipOf(ci, "smithers/forbidden"),
        state: "success",
      });
      expect(ci.api.problems).toEqual([]);
    });

    test("a ruleset refuses the push: no pull request says what is not there, and the work can be fetched", async () => {
      await using ci = await startCi({ byRef: true, files: FILES });
      const rule = 'echo "error: GH013: Repository rule violations found for $1."';
      await ci.remote.hook("update", `case "$1" in refs/heads/smithers/*) ${rule}; exit 1;; esac`);
      const job = await work(ci, "ruled");
      expect(job).toMatchObject({ conclusion: "success", outputs: { status: "completed", "pr-number": "" } });
      expect(told(job)).toMatch(/a rule of the repository forbids it .*GH013.*Leave the ref out of the ruleset/u);
      expect([pullsOf(ci, "smithers/ruled"), ci.api.world.statuses]).toEqual([[], []]);
      // The recipe of the notice, in a checkout.
      const [, ref = "", ...restore] = /git fetch origin (\S+) && git (restore .+?\.) brings/u.exec(told(job)) ?? [];
      await using machine = await ci.machine();
      await machine.git("fetch", "-q", "origin", ref);
      await machine.git(...restore.join(" ").split(" "));
      expect(await machine.git("status", "--porcelain")).toBe("A  a.txt\nA  done.txt");

      // C25: when the rule is gone, the next run publishes it, whatever has come to `main` since.
      await ci.remote.hook("update", "");
      const later = await pushByPerson(ci, "main");
      const second = await work(ci, "ruled");
      expect(told(second)).toContain("that comes first, and no turn is taken");
      expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
      expect(await filesOn(ci, "smithers/ruled")).toEqual(["a.txt", "done.txt"]);
      expect(await ci.remote.git("merge-base", later, "refs/heads/smithers/ruled")).not.toBe(later);
      const [pull, ...others] = pullsOf(ci, "smithers/ruled");
      expect([pull?.pull?.draft, others]).toEqual([false, []]);
      expect(second.outputs["pr-number"]).toBe(String(pull?.number));
      const tip = await tipOf(ci, "smithers/ruled");
      expect(ci.api.world.statuses).toMatchObject([{ sha: tip, state: "success" }]);
      const { generation, github, spent } = await stateOf(ci, "ruled");
      expect([generation, github.head, github.unpublished, spent.turns]).toEqual([1, tip, undefined, 2]);
      expect(ci.api.problems).toEqual([]);
    });
  },
);
