import { expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { isPull } from "../support/github-api/issue-documents.ts";
import { closedEvent } from "../support/github-api/webhooks.ts";
import type { Job } from "../support/runner/runner.ts";

/** GitHub closes the loop's pull request, on an empty machine. */
async function close(ci: Ci, merged: boolean): Promise<Job> {
  const { world } = ci.api;
  const pull = world.issues.find(isPull);
  if (pull === undefined) throw new Error("there is no pull request");
  pull.state = "closed";
  pull.pull.merged = merged;
  await using machine = await ci.machine();
  return await machine.run({ event: await closedEvent(world, pull.number) });
}

const refs = (ci: Ci) => ci.remote.git("for-each-ref", "--format=%(refname)");

test("a loop's branch, ref, requests and labels go when its pull request was merged, and what moved stays", async () => {
  const task = scriptedTask([{ files: { "done.txt": "done\n" }, lastMessage: "Done." }]);
  await using ci = await startCi({ files: task.files });
  const { world } = ci.api;
  await using machine = await ci.machine();
  const { outputs } = await machine.run({ inputs: { ...task.inputs, "job-timeout-minutes": "60" } });
  expect(outputs).toMatchObject({ status: "completed", "pr-number": expect.any(String) });
  const loopId = outputs["loop-id"] ?? "";
  const branch = `refs/heads/${outputs["branch"]}`;
  const head = await ci.remote.git("rev-parse", branch);
  await ci.remote.git("update-ref", `refs/smithers-control/${loopId}/pause/alice-1`, head);
  await ci.remote.git("update-ref", "refs/smithers-control/another/pause/alice-1", head);
  world.issues.find(isPull)?.labels.push("smithers:continue");

  // Somebody has pushed to it since, which is theirs.
  const later = await ci.remote.git("commit-tree", `${head}^{tree}`, "-p", head, "-m", "theirs");
  await ci.remote.git("update-ref", branch, later);
  const merged = await close(ci, true);
  expect(merged.conclusion).toBe("success");
  expect(await refs(ci)).toBe(["refs/heads/main", branch, "refs/smithers-control/another/pause/alice-1"].join("\n"));
  expect(world.issues.find(isPull)?.labels).toEqual([]);
  expect(merged.log).toContain(
    `${branch} is left: it was at ${head.slice(0, 12)}, and now it is at ${later.slice(0, 12)}`,
  );
  expect(merged.log).toContain(`removed refs/smithers-loops/${loopId}`);

  const again = await close(ci, true);
  expect(again.conclusion).toBe("success");
  expect(again.log).toContain("Nothing to clean up.");
  expect(ci.api.problems).toEqual([]);
});
