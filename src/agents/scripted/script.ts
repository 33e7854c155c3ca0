import { z } from "zod";
import type { FailureKind } from "../../core/agent.ts";
import { messageOf, type Problem, UsageError } from "../../core/errors.ts";
import { RETRYABLE } from "../agent.ts";

const text = z.string();
const count = z.int().min(0);

/** A path of a script: relative to the workspace, and inside it, judged by its text. */
const file = z
  .string()
  .min(1)
  .refine(staysInside, { error: "must be relative to the workspace and must not leave it" });

const files = z
  .union([z.record(z.string(), text), z.array(z.strictObject({ path: z.string(), content: text }))], {
    error: 'must be an object of "path": "content", or a list of {"path": …, "content": …}',
  })
  .transform((given) =>
    Array.isArray(given) ? given : Object.entries(given).map(([path, content]) => ({ path, content })),
  )
  .superRefine((list, context) => {
    for (const { path } of list) {
      const problem = file.safeParse(path).error?.issues[0]?.message;
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem, path: [path] });
    }
  });

const command = z.union([z.string().min(1), z.array(z.string()).min(1)], {
  error: "must be a shell text or a list of program and arguments",
});

const failure = z.strictObject({
  kind: z.custom<FailureKind>((kind) => typeof kind === "string" && Object.hasOwn(RETRYABLE, kind), {
    error: `must be one of ${Object.keys(RETRYABLE).join(", ")}`,
  }),
  message: text.optional(),
  retryable: z.boolean().optional(),
  resetsAtMs: count.optional(),
  resetsInMs: count.optional(),
  next: text.optional(),
});

const usage = z.strictObject({
  input: count.default(0),
  cachedInput: count.default(0),
  output: count.default(0),
  reasoning: count.default(0),
});

const attempt = z.strictObject({
  raw: z.array(text).optional(),
  delayMs: count.optional(),
  messages: z.array(text).optional(),
  files: files.optional(),
  delete: z.array(file).optional(),
  commands: z.array(command).optional(),
  denied: z.array(text).optional(),
  commit: z.string().min(1).optional(),
  silence: z.boolean().optional(),
  failure: failure.optional(),
  lastMessage: text.optional(),
  usage: usage.optional(),
  usageSoFar: z.array(usage).optional(),
  costUsd: z.number().nonnegative().optional(),
  exitCode: z.int().min(0).max(255).optional(),
  loseSession: z.boolean().optional(),
});

const turn = attempt.extend({ attempts: z.array(attempt).min(1).optional() });

const script = z.strictObject({
  $schema: text.optional(),
  preflight: failure.optional(),
  turns: z.array(turn).min(1),
  reviews: z.array(turn).min(1).optional(),
  // oxlint-disable-next-line unicorn/no-thenable -- the word that reads best; nobody awaits a script
  then: z.enum(["repeat", "fail"]).default("repeat"),
});

/** A script as people write it: see docs/scripted-agent.md. */
export type ScriptInput = z.input<typeof script>;
/** A script that was checked. */
export type Script = z.output<typeof script>;
/** What is to happen in one attempt of a turn. */
export type ScriptedAttempt = z.output<typeof attempt>;
export type ScriptedFailure = z.output<typeof failure>;

/** @throws UsageError with a problem for each place of the JSON that is wrong */
export function parseScriptText(json: string): Script {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError([problem("it", `is not JSON: ${messageOf(error)}`)]);
  }
  return parseScript(value);
}

/** @throws UsageError with a problem for each place of the JSON that is wrong */
export function parseScript(value: unknown): Script {
  const result = script.safeParse(value);
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.map((issue) => problem(place(issue.path), issue.message)));
}

function problem(where: string, what: string): Problem {
  return {
    code: "SCRIPT_INVALID",
    what: `The script of the scripted agent is wrong. ${where}: ${what}`,
    next: "Correct the script; docs/scripted-agent.md tells what it may say.",
  };
}

/** `turns[0].files["a/b.txt"]` */
function place(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return /^\w+$/u.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(String(key))}]`;
    })
    .join("");
  return text.replace(/^\./u, "") || "The whole";
}

function staysInside(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return !/^\/|[\0\\]/u.test(path) && parts.length > 0 && !parts.includes("..");
}
