import { randomUUID } from "node:crypto";
import { PassThrough, type Readable } from "node:stream";
import { z } from "zod";
import type { Bundle, Carrier, NotRestored, Restored, Saved, Wanted } from "../core/carry.ts";
import { messageOf, OperationalError } from "../core/errors.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { within } from "../os/concurrency.ts";
import { childEnvironment } from "../os/environment.ts";
import { outerPath } from "../os/programs.ts";
import { supervise } from "../os/supervise.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { seconds } from "../views/amounts.ts";

/** How one of the toolkit's services carries loops; what it throws becomes an answer. */
export interface Service {
  readonly name: Carrier["name"];
  /** what it means that nothing was saved, or nothing could be had: how the sentence begins */
  readonly notSaved: string;
  readonly notRestored: string;
  readonly save: (making: Promise<Bundle>, signal: AbortSignal) => Promise<Saved>;
  readonly restore: (wanted: Wanted, signal: AbortSignal) => Promise<Restored>;
}

/** A carrier over one of the toolkit's services: bounds its calls, and reports failures in sentences. */
export function createServiceCarrier({ name, notSaved, ...service }: Service): Carrier {
  const slow = (ms: number): string => `the service took longer than ${seconds(ms)}`;
  return {
    name,
    save: async (making, ms) => {
      try {
        const call = await within(ms, (signal) => service.save(Promise.resolve(making), signal), making);
        const pointer = call.ok ? call.value : failed({ because: slow(ms) });
        return pointer.ok ? pointer : failed({ because: `${notSaved}: ${pointer.trouble.because}.` });
      } catch (error) {
        return failed({ because: `${notSaved}: ${String(error)}` });
      }
    },
    restore: async (wanted, ms) => {
      try {
        const call = await within(ms, (signal) => service.restore(wanted, signal));
        return call.ok ? call.value : notRestored(service.notRestored)("unreachable", slow(ms));
      } catch (error) {
        return refusal(error, service.notRestored);
      }
    },
  };
}

/** Answers for what is not restored; `why` is a part of a sentence. @param consequence how that sentence begins */
export function notRestored(consequence: string): (kind: Kind, why: string) => Result<never, NotRestored> {
  return (kind, why) => failed({ kind: kind === "taken" ? "unreachable" : kind, because: `${consequence}: ${why}.` });
}

/** The answer for a copy that was found and failed its check. @param consequence what a person has to know first */
export function refusal(error: unknown, consequence: string): Result<never, NotRestored> {
  const newer = error instanceof OperationalError && error.code === "STATE_NEWER";
  const told = error instanceof OperationalError ? `${error.message}${newer ? ` ${error.next}` : ""}` : String(error);
  return failed({ kind: newer ? "newer" : "refused", because: `${consequence}. ${told}` });
}

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

/** What the toolkit's clients read; `GITHUB_WORKSPACE` and `RUNNER_TEMP` are ours. */
const TOOLKIT_VARIABLES: readonly string[] = [
  ...["ACTIONS_RESULTS_URL", "ACTIONS_CACHE_URL", "ACTIONS_CACHE_SERVICE_V2"],
  ...["ACTIONS_CACHE_MODE", "ACTIONS_ARTIFACT_*", "GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_RETENTION_DAYS"],
  ...["GITHUB_REPOSITORY", "NODE_OPTIONS"],
];

const LOG_LIMIT = 1 << 18;

/** How long the program may take to end itself, in milliseconds. */
const GRACE_MS = 200;

/**
 * Has the toolkit do one thing, in a process of its own: so it can be ended in time with everything it started, its
 * output does not reach the job's log, and its size does not slow down our own start. Never rejects. The job's token goes
 * over its stdin: other processes of our user can read what it is started with (T2).
 *
 * @param call may still be in progress: the process starts at once, and waits for it
 * @param wanted what the toolkit returns on success
 * @param signal ends the process
 * @param spare processes that have done their call: one is taken `from` there instead of a new one, and goes `to` there
 * after a success, for whoever takes it or ends it
 */
export async function callToolkit<T>(
  options: ToolkitOptions,
  call: ToolkitCall | Promise<ToolkitCall>,
  wanted: z.ZodType<T>,
  signal: AbortSignal,
  spare: { readonly from?: ToolkitProcess[]; readonly to?: ToolkitProcess[] } = {},
): Promise<Result<T, ServiceTrouble>> {
  const taken = spare.from?.pop();
  const serving = taken ?? new ToolkitProcess(options);
  const said = await serving.ask(Promise.resolve(call), signal);
  // It may have ended while nobody asked, or by what its earlier call has left.
  if (said === undefined && taken !== undefined && !signal.aborted)
    return callToolkit(options, call, wanted, signal, spare);
  const answer = answerSchema.parse(JSON.parse(said ?? '{"ok":false}'));
  const value = answer.ok ? wanted.safeParse(answer.value) : undefined;
  if (value?.success === true && spare.to !== undefined) spare.to.push(serving);
  else await serving.end();
  if (value?.success === true) return done(value.data);
  if (answer.ok && answer.value === null && !SWALLOWED.test(serving.printed)) return failed(ABSENT);
  return failed(troubleIn(`${serving.printed}\n${answer.message ?? ""}`));
}

const answerSchema = z.object({ ok: z.boolean(), value: z.unknown().optional(), message: z.string().optional() });

/** A process of the toolkit, see `callToolkit`. It does one call after the other until it is ended. */
export class ToolkitProcess {
  readonly #token: string | null;
  readonly #calls = new PassThrough();
  readonly #stop = new AbortController();
  readonly #over: Promise<void>;
  readonly #printed = { stdout: "", stderr: "" };
  #hear = (): void => undefined;

  constructor({ program, env, mark, scratch }: ToolkitOptions) {
    this.#token = env["ACTIONS_RUNTIME_TOKEN"] ?? null;
    const run = async (cwd: string): Promise<void> => {
      const { stdout, stderr, exit } = supervise({
        command: process.execPath,
        // Else a signal opens Node's inspector, to everybody on this machine.
        args: ["--disable-sigusr1", program],
        cwd,
        env: { ...childEnvironment(env, TOOLKIT_VARIABLES), PATH: outerPath(env["PATH"], "tar"), RUNNER_TEMP: cwd },
        mark: `${mark}/${randomUUID()}`,
        input: this.#calls,
        signal: this.#stop.signal,
        graceMs: GRACE_MS,
      });
      await Promise.all([this.#read("stdout", stdout), this.#read("stderr", stderr), exit]);
    };
    this.#over = inTempFolder(run, scratch).catch((error: unknown) => {
      this.#printed.stderr += messageOf(error);
    });
  }

  /** What it has printed since it was asked, the last part of it. */
  get printed(): string {
    return `${this.#printed.stdout}\n${this.#printed.stderr}`;
  }

  /** @returns its answer; undefined: it has ended without one, as it does when `signal` aborts. Never rejects. */
  async ask(call: Promise<ToolkitCall>, signal: AbortSignal): Promise<string | undefined> {
    const nonce = randomUUID();
    Object.assign(this.#printed, { stdout: "", stderr: "" });
    const answered = new Promise<string>((resolve) => {
      this.#hear = () => {
        const line = this.#printed.stdout
          .split("\n")
          .slice(0, -1)
          .find((text) => text.startsWith(nonce));
        if (line !== undefined) resolve(line.slice(nonce.length));
      };
    });
    const stop = (): void => this.#stop.abort();
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    void call.then(
      // Whoever asked may have given up meanwhile, and ended it.
      (made) => this.#calls.writable && this.#calls.write(lineOf({ nonce, token: this.#token, ...made })),
      // The maker of the bundle reports that it cannot be made.
      () => this.#calls.end(),
    );
    try {
      return await Promise.race([answered, this.#over.then(() => undefined)]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** Resolves when it is gone with everything it has started; never rejects. */
  async end(): Promise<void> {
    this.#calls.end();
    const timer = setTimeout(() => this.#stop.abort(), GRACE_MS);
    await this.#over;
    clearTimeout(timer);
  }

  async #read(name: "stdout" | "stderr", stream: Readable): Promise<void> {
    stream.setEncoding("utf8");
    for await (const chunk of stream) {
      this.#printed[name] = `${this.#printed[name]}${String(chunk)}`.slice(-LOG_LIMIT);
      this.#hear();
    }
  }
}

/** JSON on one line for every reader: Node's ends lines at two more characters, which JSON need not escape. */
function lineOf(value: object): string {
  return `${JSON.stringify(value)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`)}\n`;
}

/** `absent`: none of this name; `taken`: the name exists; `refused`: the content is not as it should be. */
type Kind = "absent" | "taken" | "refused" | "unreachable";

/** What went wrong with the service, in our own words; part of a sentence. */
interface ServiceTrouble extends Trouble {
  readonly kind: Kind;
}

/** What the toolkit prints where it found no entry because it could not look, and throws nothing. */
const SWALLOWED = /Failed to restore|restore skipped/u;
/** Of the older cache service it prints nothing where there is no entry. */
const ABSENT: ServiceTrouble = { because: "there is no such entry", kind: "absent" };

/**
 * How to recognise a failure in the toolkit's output, and our words for it; `$1` is what the pattern's group matched.
 * The toolkit's own words mislead: every save that fails in reserving is "another job may be creating this cache". What
 * went wrong is in what it prints for debugging.
 */
const FAILURES: readonly (readonly [RegExp, string, ServiceTrouble["kind"]?])[] = [
  [/cache write denied/giu, "this run may only read caches, because of the event that started it (cache write denied)"],
  [/cache read denied/giu, "this run may not read caches, because of the event that started it (cache read denied)"],
  [/request: \((409)\)/gu, "there is one of this name already, which nobody can replace ($1)", "taken"],
  [/request: \((400)\)/gu, "the service does not know artifacts of this kind ($1)"],
  [/request: \((401)\)/gu, "the service does not know the run's token ($1)"],
  [/request: \((403)\)/gu, "the service refuses this to the run's token ($1)"],
  [/request: \((429)\)/gu, "the service is asked too often at the moment ($1)"],
  [/request: \((5\d\d)\)/gu, "the service has trouble of its own ($1)"],
  [/Cache service responded with (404)/gu, "there is no cache service at the address that the runner gives ($1)"],
  [/Cache service responded with (401|403)/gu, "the service refuses this to the run's token ($1)"],
  [/Cache service responded with (429)/gu, "the service is asked too often at the moment ($1)"],
  [/Cache service responded with (5\d\d)/gu, "the service has trouble of its own ($1)"],
  [/blob storage: (\d{3})/gu, "the blob store refuses it ($1)"],
  [/(ECONNREFUSED)/gu, "nobody answers there ($1)"],
  [/(ENOTFOUND|EAI_AGAIN)/gu, "the name of its host cannot be found ($1)"],
  [/(ECONNRESET|socket hang up|ETIMEDOUT|EPIPE)/gu, "the connection broke off ($1)"],
  [/tar"? failed with error/giu, "its archive is damaged", "refused"],
  [/exit code (?:143|null)|archive is too large/gu, "its archive is larger than a loop's files can be", "refused"],
  [/Cache not found for/gu, ABSENT.because, ABSENT.kind],
];

/** Why the service failed: the last known problem in its output. */
function troubleIn(text: string): ServiceTrouble {
  let last = -1;
  let trouble: ServiceTrouble = { because: "the service gave no reason that is known", kind: "unreachable" };
  for (const [pattern, because, kind = "unreachable"] of FAILURES) {
    const match = [...text.matchAll(pattern)].at(-1);
    if (match === undefined || match.index <= last) continue;
    last = match.index;
    trouble = { because: because.replace("$1", match[1] ?? ""), kind };
  }
  return trouble;
}
