import { expect, test } from "vitest";
import { ciStatus } from "../../src/views/github/commit-status.ts";
import type { CiSaid } from "../../src/views/github/facts.ts";

test.each<[CiSaid, string, string]>([
  [null, "pending", "ci.yml runs on this commit."],
  ["passed", "success", "ci.yml passed on this commit."],
  ["failed", "failure", "ci.yml failed on this commit."],
  ["nothing", "error", "ci.yml ended on this commit without a verdict."],
])("the commit status of CI that says %s [C7]", (said, state, description) => {
  expect(ciStatus("ci.yml", said)).toEqual({ state, description });
});
