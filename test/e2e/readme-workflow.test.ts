import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { markdownBlocks } from "../../scripts/lint-workflows/markdown-blocks.ts";
import { resolve } from "../config/support.ts";

const LONGEST = 25;
const PROJECT = path.join(import.meta.dirname, "../..");

const Job = z.looseObject({
  "timeout-minutes": z.number(),
  permissions: z.record(z.string(), z.string()),
  steps: z.array(
    z.looseObject({ uses: z.string().optional(), if: z.string().optional(), with: z.looseObject({}).optional() }),
  ),
});
const Workflow = z.looseObject({
  permissions: z.strictObject({}),
  concurrency: z.strictObject({ group: z.string(), queue: z.literal("max") }),
  jobs: z.strictObject({ loop: Job }),
});

describe("the README's workflow", async () => {
  const markdown = await readFile(path.join(PROJECT, "README.md"), "utf8");
  const text = markdownBlocks("README.md", markdown).documents[0]?.text ?? "";
  const workflow = Workflow.parse(parse(text));
  const { loop } = workflow.jobs;
  const [checkout, step] = loop.steps;

  test("fits on a screen", () => {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(LONGEST);
  });

  test("follows the README's own advice", () => {
    expect(loop.permissions).toEqual({
      actions: "read",
      contents: "write",
      "pull-requests": "write",
      statuses: "write",
    });
    expect(checkout?.with).toEqual({ "persist-credentials": false });
    expect(step).toBe(loop.steps.at(-1));
    expect(step).toMatchObject({ uses: "smithers/loop@v1", with: { "job-timeout-minutes": loop["timeout-minutes"] } });
    expect(step).not.toHaveProperty("if");
  });

  test("has settings that are accepted without a remark", () => {
    const inputs = Object.entries(step?.with ?? {}).map(([name, value]) => [name, String(value)] as const);
    expect(resolve({ inputs: Object.fromEntries(inputs) })).toMatchObject({
      notices: [],
      config: { successCmd: ["npm", "test"], sandbox: "workspace-write", jobTimeoutMinutes: 60, reserveMinutes: 6 },
    });
  });
});
