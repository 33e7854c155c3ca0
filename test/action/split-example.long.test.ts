import { expect, test } from "vitest";
import { NIGHT } from "../examples/events.ts";
import { repositoryWith } from "../examples/repository.ts";
import { addLabel } from "../support/github-api/operations/issues.ts";
import { labelEvent } from "../support/github-api/webhooks.ts";

const PROMISE = "<promise>TASK_COMPLETE</promise>";

test(
  "the careful team's runs with a token that reads, stops at a HARD STOP, and publishes in another job [W-11, T17]",
  { timeout: 180_000 },
  async () => {
    const todo = (first: string) => `- [${first}] First\n\nHARD STOP: right so far?\n\n- [${first}] Second\n`;
    const turns = [
      { files: { "TODO.md": todo("x") }, lastMessage: "The first is done." },
      { files: { "done.txt": "done\n" }, lastMessage: PROMISE },
    ];
    await using github = await repositoryWith(["split-jobs.yml", "relay.yml"], turns, { "TODO.md": todo(" ") });
    const { world, problems } = github.ci.api;
    const paused = await github.happens(NIGHT, { inputs: { "todo-file": "TODO.md" } });
    expect(paused.map(({ outputs }) => outputs["status"])).toEqual(["paused_hard_stop", "paused_hard_stop"]);
    expect(paused.flatMap(({ lacks }) => lacks)).toEqual([]);
    const [pull] = world.issues;
    expect(pull).toMatchObject({ labels: ["smithers:paused"], pull: { draft: true } });
    expect(world.reviews).toHaveLength(1);
    if (pull === undefined) throw new Error("there is no pull request");
    const event = addLabel(world, pull, "smithers:continue", "alice");
    if (event === undefined) throw new Error("it had the label");
    const ran = await github.happens(await labelEvent(world, event), { inputs: { "relay-to": "split-jobs.yml" } });
    expect(ran.map(({ outputs }) => outputs["status"])).toEqual([undefined, "completed", "completed"]);
    expect(pull).toMatchObject({ labels: [], pull: { draft: false } });
    expect(world.issues).toHaveLength(1);
    expect(problems).toEqual([]);
  },
);
