import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ci } from "../support/ci/ci.ts";
import { machineOn, pushedTo, SEEN_BASE, startWithPull, STEERING_OF_HEAD, steeringIn, TASK } from "./base-stage.ts";
import { end, told } from "./publish-stage.ts";

let ci: Ci;

beforeAll(async () => {
  ci = await startWithPull();
});
afterAll(() => end(ci));

describe("a pull request that would steer the agent and the loop", { timeout: 120_000 }, () => {
  test("does not: settings and instructions are the base's, and its own files stay as they are [T8]", async () => {
    await using machine = await machineOn(ci, "feature");
    const { "success-sh": _, ...inputs } = TASK.inputs;
    const job = await machine.run({
      inputs: { ...inputs, "job-timeout-minutes": "60", "loop-id": "steered" },
      event: await pushedTo(ci, "feature"),
    });
    expect(job.outputs).toMatchObject({ iterations: "3" });
    expect((await readFile(path.join(machine.workspace, "seen.txt"), "utf8")).trim()).toBe(SEEN_BASE);
    expect(existsSync(path.join(machine.workspace, "pwned.txt"))).toBe(false);
    expect(steeringIn(machine)).toEqual(STEERING_OF_HEAD);
    // Nothing of it is in what the loop has committed.
    const changed = await ci.remote.git("diff", "--name-only", "refs/heads/feature~1", "refs/heads/feature");
    expect(changed.split("\n").toSorted()).toEqual(["done.txt", "seen.txt"]);
    const [config, ...others] = told(job)
      .split("\n")
      .filter((line) => /AGENTS|smithers\.toml/u.test(line));
    expect(config).toContain(".smithers.toml in the workspace is passed over");
    const [, names] =
      /What tells an agent .* than in commit [0-9a-f]{12}, the base: (.*)\. While/u.exec(others.join("\n")) ?? [];
    expect(names?.split(", ").toSorted()).toEqual(Object.keys(STEERING_OF_HEAD).toSorted());
    expect(others).toHaveLength(1);
  });
});
