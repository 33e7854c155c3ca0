import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const EXAMPLES = path.join(import.meta.dirname, "../../examples");

const Texts = z.record(z.string(), z.coerce.string()).default({});
const Permissions = z.record(z.string(), z.enum(["read", "write"]));
const Concurrency = z.strictObject({
  group: z.string(),
  queue: z.enum(["single", "max"]).default("single"),
  "cancel-in-progress": z.boolean().default(false),
});
const Trigger = z
  .object({
    types: z.array(z.string()).optional(),
    workflows: z.array(z.string()).optional(),
    inputs: z.record(z.string(), z.object({ default: z.string().optional() })).default({}),
  })
  .nullable();

const Step = z.object({
  id: z.string().optional(),
  if: z.coerce.string().optional(),
  uses: z.string().optional(),
  with: Texts,
  env: Texts,
});

const JobOfFile = z.object({
  needs: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  strategy: z.object({ matrix: z.string() }).optional(),
  outputs: Texts,
  if: z.coerce.string().optional(),
  uses: z.string().optional(),
  with: Texts,
  secrets: Texts,
  env: Texts,
  permissions: Permissions.optional(),
  concurrency: Concurrency.optional(),
  "timeout-minutes": z.number().optional(),
  steps: z.array(Step).default([]),
});

const Content = z.object({
  name: z.string(),
  on: z.record(z.string(), z.union([Trigger, z.array(z.unknown())])),
  permissions: Permissions,
  concurrency: Concurrency.optional(),
  env: Texts,
  jobs: z.record(z.string(), JobOfFile),
});

export type StepOfFile = z.output<typeof Step>;
export type JobOfFile = z.output<typeof JobOfFile>;

/** A workflow of `examples/`, where a repository has it. */
export interface WorkflowFile extends z.output<typeof Content> {
  /** as in `fix-until-green.yml` */
  readonly file: string;
  /** as in `.github/workflows/fix-until-green.yml` */
  readonly path: string;
  readonly text: string;
}

/** The names of all examples. */
export async function exampleNames(): Promise<readonly string[]> {
  return (await readdir(EXAMPLES)).filter((name) => name.endsWith(".yml")).toSorted();
}

export async function readExample(file: string): Promise<WorkflowFile> {
  const text = await readFile(path.join(EXAMPLES, file), "utf8");
  return { file, path: `.github/workflows/${file}`, text, ...Content.parse(parse(text)) };
}

/** What `on:` says of an event; undefined: the workflow does not listen to it. */
export function triggerOf({ on }: WorkflowFile, event: string): z.output<typeof Trigger> | undefined {
  const trigger = on[event];
  return Array.isArray(trigger) ? null : trigger;
}
