import { describe, expect, test } from "vitest";
import { byHand, NIGHT } from "../examples/events.ts";
import { repositoryWith } from "../examples/repository.ts";

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
