import { describe, expect, test } from "vitest";
import { byHand, merged, NIGHT } from "../examples/events.ts";
import { repositoryWith } from "../examples/repository.ts";
import { addLabel } from "../support/github-api/operations/issues.ts";
import { labelEvent } from "../support/github-api/webhooks.ts";

const PROMISE = "<promise>TASK_COMPLETE</promise>";
const DONE = [{ files: { "done.txt": "done\n" }, lastMessage: "Done." }];
/** In a repository that has not had a HARD STOP: told, and no harm. */
const LABELS_TO_COME: unknown = expect.stringContaining("the first HARD STOP makes them");

describe.concurrent(
  "each example runs by its own event, with its own permissions and no more [W-11]",
  { timeout: 120_000 },
  () => {
    test("the CI engineer's, on its schedule, ends with a pull request that is ready [W-11, C13]", async () => {
      await using github = await repositoryWith(["fix-until-green.yml"], DONE);
      const { world, problems } = github.ci.api;
      const [ran] = await github.happens(NIGHT);
      expect(ran).toMatchObject({ conclusion: "success", lacks: [], outputs: { status: "completed" } });
      expect(world.issues).toMatchObject([{ pull: { draft: false, base: "main" } }]);
      expect(world.statuses).toMatchObject([{ context: "smithers/loop", state: "success" }]);
      expect(problems).toEqual([]);
    });

    test("the tech lead's stops at its HARD STOP, and a label lets it go on [W-11, C10]", async () => {
      const todo = (first: string, second: string) =>
        `- [${first}] First\n\nHARD STOP: right so far?\n\n- [${second}] Second\n`;
      const turns = [
        { files: { "TODO.md": todo("x", " ") }, lastMessage: "The first is done." },
        { files: { "TODO.md": todo("x", "x"), "done.txt": "done\n" }, lastMessage: PROMISE },
      ];
      await using github = await repositoryWith(["todo-with-hard-stop.yml"], turns, { "TODO.md": todo(" ", " ") });
      const { world, problems } = github.ci.api;
      const [stopped] = await github.happens(byHand(world, "todo-with-hard-stop.yml"));
      const lacks = [LABELS_TO_COME];
      expect(stopped).toMatchObject({ conclusion: "success", lacks, outputs: { status: "paused_hard_stop" } });
      const [pull] = world.issues;
      expect(pull).toMatchObject({ labels: ["smithers:paused"], pull: { draft: true } });
      expect(world.reviews).toHaveLength(1);
      if (pull === undefined) throw new Error("there is no pull request");
      const event = addLabel(world, pull, "smithers:continue", "alice");
      if (event === undefined) throw new Error("it had the label");
      const ran = await github.happens(await labelEvent(world, event));
      expect(ran.map(({ lacks }) => lacks)).toEqual([[], []]);
      expect(ran.map(({ outputs }) => outputs["status"])).toEqual([undefined, "completed"]);
      expect(pull).toMatchObject({ labels: [], pull: { draft: false } });
      expect(world.issues).toHaveLength(1);

      const [cleared] = await github.happens(await merged(world, pull.number));
      expect(cleared).toMatchObject({ conclusion: "success", lacks: [] });
      expect(await github.ci.remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
      expect(problems).toEqual([]);
    });

    test("the solo developer's starts its next run by itself, until the kill switch is set [W-11]", async () => {
      const todo = { "TODO.md": "- [ ] First\n" };
      const turns = [
        { files: { "TODO.md": "- [x] First\n", "done.txt": "done\n" }, lastMessage: "All of it.\n[SOLO_DONE]" },
      ];
      await using github = await repositoryWith(["checklist-overnight.yml"], turns, todo);
      const { world, problems } = github.ci.api;
      world.variables.set("SMITHERS_DISABLED", "1");
      const off = await github.happens(NIGHT, { inputs: { "time-budget-minutes": "0" } });
      expect(off.map(({ outputs }) => outputs["status"])).toEqual(["paused_time_budget"]);
      world.variables.delete("SMITHERS_DISABLED");
      const ran = await github.happens(NIGHT, { inputs: { "time-budget-minutes": "0" } });
      expect(ran.map(({ outputs }) => outputs["status"])).toEqual(["paused_time_budget", "completed"]);
      expect(ran.at(-1)?.lacks).toEqual([LABELS_TO_COME]);
      expect(world.issues).toMatchObject([{ pull: { draft: true } }]);
      expect(problems).toEqual([]);
    });

    test("what is called works for its caller, with a loop named by it [W-11]", async () => {
      await using github = await repositoryWith(["reusable-caller.yml", "reusable-loop.yml"], DONE);
      const { world, problems } = github.ci.api;
      const ran = await github.happens(byHand(world, "reusable-caller.yml"));
      expect(ran).toMatchObject([{ lacks: [], outputs: { status: "completed", "loop-id": "coverage" } }]);
      expect(world.issues).toMatchObject([{ pull: { draft: false, headBranch: "smithers/coverage" } }]);
      expect(problems).toEqual([]);
    });
  },
);
