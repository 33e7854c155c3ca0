import { describe, expect, test } from "vitest";
import { byHand } from "../examples/events.ts";
import { type ExampleRepository, repositoryWith } from "../examples/repository.ts";
import { addComment } from "../support/github-api/operations/comments.ts";
import { aPull, aRun, aUser } from "../support/github-api/server.ts";
import { commentEvent } from "../support/github-api/webhooks.ts";

const NUMBER = 7;
const DONE = { files: { "done.txt": "done\n" }, lastMessage: "<promise>TASK_COMPLETE</promise>" };
const START = "/smithers start Write done.txt.";

/** A pull request of alice's, who has pushed to its branch some time ago. */
async function withPullRequest({ ci }: ExampleRepository): Promise<string> {
  const { world } = ci.api;
  const identity = ["-c", "user.name=Alice", "-c", "user.email=alice@example.invalid"];
  const tip = await ci.remote.git(...identity, "commit-tree", "-p", "main", "-m", "Begin", "main^{tree}");
  await ci.remote.git(...identity, "update-ref", "refs/heads/feature", tip);
  world.issues.push(aPull({ number: NUMBER, headBranch: "feature" }));
  world.users.set("mallory", aUser({ login: "mallory", role: "read" }));
  world.now = () => new Date(Date.now() + 2_000);
  return tip;
}

async function comment(github: ExampleRepository, login: string, body: string) {
  const { world } = github.ci.api;
  const row = addComment(world, NUMBER, login, body);
  const ran = await github.happens(commentEvent(world, row));
  return { ran, reactions: row.reactions.map(({ content }) => content) };
}

describe.concurrent(
  "each example that people and failing checks ask, asked by its own event [C25]",
  { timeout: 120_000 },
  () => {
    test("a command on a pull request is heard from whom may write, and from nobody else", async () => {
      await using github = await repositoryWith(["pull-request-commands.yml"], [DONE]);
      const { api, remote } = github.ci;
      const tip = await withPullRequest(github);
      expect((await comment(github, "alice", "Looks good.")).ran).toEqual([]);
      const stranger = await comment(github, "mallory", START);
      expect(stranger).toMatchObject({ ran: [{ conclusion: "success", lacks: [] }], reactions: [] });
      const { ran, reactions } = await comment(github, "alice", START);
      expect(reactions).toEqual(["eyes", "rocket"]);
      expect(ran.map(({ lacks }) => lacks)).toEqual([[], []]);
      expect(ran.map(({ outputs }) => outputs["status"])).toEqual([undefined, "completed"]);
      expect(await remote.git("show", "--name-only", "--format=%P", "feature")).toBe(`${tip}\n\ndone.txt`);
      expect(api.problems).toEqual([]);
    });

    test("a relay of its own hands on to the worker's file, and to the run that is under way", async () => {
      await using github = await repositoryWith(["relay.yml", "worker.yml"], [{ delayMs: 40_000 }, DONE]);
      const { api, remote } = github.ci;
      const { world } = api;
      await withPullRequest(github);
      const inputs = { smithers: JSON.stringify({ command: "start", pr: NUMBER }) };
      // In its first turn: one that comes to it again would wait again.
      const vanishWhen = (log: string): boolean =>
        log.includes("session scripted-1") && world.comments.some(({ author }) => author === "github-actions[bot]");
      const [gone] = await github.happens(byHand(world, "worker.yml", inputs), { vanishWhen });
      expect(gone?.conclusion).toBe("vanished");

      const stop = await comment(github, "alice", "/smithers stop");
      expect(stop).toMatchObject({ ran: [{ file: "relay.yml", lacks: [] }], reactions: ["eyes", "rocket"] });
      const asked = await remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-control");
      expect(asked).toMatch(/^refs\/smithers-control\/r-worker-loop-pr-7-[^/]+\/stop\/alice-\d+$/u);

      const [at] = world.runs.flatMap((run, index) => (run.status === "in_progress" ? [index] : []));
      if (at === undefined) throw new Error("no run is under way");
      world.runs[at] = { ...(world.runs[at] ?? aRun({ id: 1 })), status: "completed", conclusion: "failure" };
      const { ran, reactions } = await comment(github, "alice", "/smithers continue");
      expect(reactions).toEqual(["eyes", "rocket"]);
      expect(ran.map(({ file }) => file)).toEqual(["relay.yml", "worker.yml"]);
      // What was asked of the run that died is not asked of the one that a person has begun since.
      expect(ran.at(-1)?.outputs).toMatchObject({ status: "completed" });
      expect(ran.flatMap(({ lacks }) => lacks)).toEqual([]);
      expect(await remote.git("for-each-ref", "refs/smithers-control")).toBe("");
      expect(api.problems).toEqual([]);
    });
  },
);
