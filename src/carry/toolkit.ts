import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { z } from "zod";
import { messageOf } from "../core/errors.ts";
import { childEnvironment } from "../os/environment.ts";
import { supervise } from "../os/supervise.ts";

/** Where the toolkit's clients run: in a process of their own. */
export interface ToolkitOptions {
  /** the program that serves the calls, absolute */
  readonly program: string;
  /** the step's environment, of which the program gets what the toolkit reads */
  readonly env: NodeJS.ProcessEnv;
  /** a folder for what the toolkit leaves behind; absolute, made when missing */
  readonly scratch: string;
  /** marks its processes, see `supervise`; each call has a part of its own in it */
  readonly mark: string;
}

/** What the toolkit has to do. */
export interface ToolkitCall {
  readonly request: Readonly<Record<string, unknown>>;
  /** the folder that the call is about; absolute */
  readonly workspace: string;
}

/** What a call came to, with what the toolkit printed meanwhile: its end, at most 256 KiB. */
export type ToolkitAnswer =
  | { readonly ok: true; readonly value: unknown; readonly said: string }
  | { readonly ok: false; readonly message: string; readonly said: string };

/** What the toolkit's clients read; `GITHUB_WORKSPACE` and `RUNNER_TEMP` are ours. */
const TOOLKIT_VARIABLES = [
  "ACTIONS_RESULTS_URL",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_CACHE_URL",
  "ACTIONS_CACHE_SERVICE_V2",
  "ACTIONS_CACHE_MODE",
  "ACTIONS_ARTIFACT_*",
  "GITHUB_SERVER_URL",
  "GITHUB_API_URL",
  "GITHUB_RETENTION_DAYS",
  "GITHUB_REPOSITORY",
  "NODE_OPTIONS",
];

const LOG_LIMIT = 1 << 18;

/** How long the program may take to end itself when nobody waits any longer, in milliseconds. */
const GRACE_MS = 200;

/**
 * Has the toolkit do one thing, in a process of its own: so it can be ended in time with all it has started, what it
 * prints does not reach the job's log, and its size is no part of our own start. Never rejects.
 *
 * @param call may still be in the making: the process starts at once, and waits for it
 * @param signal ends the process
 */
export async function callToolkit(
  options: ToolkitOptions,
  call: ToolkitCall | Promise<ToolkitCall>,
  signal: AbortSignal,
): Promise<ToolkitAnswer> {
  let scratch: string | undefined;
  const made = Promise.resolve(call);
  // Whoever makes it tells why it cannot be made.
  made.catch(() => undefined);
  try {
    await mkdir(options.scratch, { recursive: true });
    scratch = await mkdtemp(path.join(options.scratch, "toolkit-"));
    return await ask(options, made, scratch, signal);
  } catch (error) {
    return { ok: false, message: messageOf(error), said: "" };
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function ask(
  { program, env, mark }: ToolkitOptions,
  call: Promise<ToolkitCall>,
  scratch: string,
  signal: AbortSignal,
): Promise<ToolkitAnswer> {
  const nonce = randomUUID();
  const child = supervise({
    command: process.execPath,
    args: [program],
    cwd: scratch,
    env: { ...childEnvironment(env, TOOLKIT_VARIABLES), RUNNER_TEMP: scratch },
    mark: `${mark}/${nonce}`,
    input: call.then((made) => JSON.stringify({ nonce, ...made })),
    signal,
    graceMs: GRACE_MS,
  });
  const [stdout, stderr] = await Promise.all([endOf(child.stdout), endOf(child.stderr), child.exit]);
  const answerLine = stdout.split("\n").find((line) => line.startsWith(nonce));
  const said = `${stdout}\n${stderr}`;
  if (answerLine === undefined) return { ok: false, message: "it ended without an answer", said };
  const answer = answerSchema.parse(JSON.parse(answerLine.slice(nonce.length)));
  return { ...answer, said };
}

const answerSchema = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), message: z.string() }),
]);

/** The last part of a stream, which is read to its end. */
async function endOf(stream: Readable): Promise<string> {
  let text = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) text = `${text}${String(chunk)}`.slice(-LOG_LIMIT);
  return text;
}
