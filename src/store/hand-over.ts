import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { INPUT_PREFIX } from "../config/action.ts";
import type { Config } from "../config/config.ts";
import type { GithubToken } from "../core/ports.ts";
import { messageOf, OperationalError } from "../core/errors.ts";
import type { Store } from "../core/ports.ts";
import { count } from "../core/schema.ts";
import { secretVariables } from "../core/policy/secret-variables.ts";
import type { LoopState } from "../core/state.ts";
import { parsedJson } from "../core/text.ts";
import { keptCredentials } from "../git/kept-credentials.ts";
import { otherVersions } from "../git/work-tree/other-version.ts";
import type { GithubContext } from "../github/context.ts";
import { replaceIn, sharedFolder } from "../os/atomic-file.ts";
import { sha256 } from "../os/digest.ts";
import { exists } from "../os/file-errors.ts";
import { inOwnFolderIfThere, readOwnBytes, readOwnFile } from "../os/own-file.ts";
import { jobProcesses, type JobProcesses, startOf } from "../os/process-tree.ts";
import { foundOuter, keepProgramsOutside, keptOutside, leftOutOf, STARTED_BY_NAME, takeFound } from "../os/programs.ts";
import { seal, unseal } from "../os/seal.ts";
import { carryNote, type CarryNote, type StartingPoint, type WriteCarryNote } from "./carry-note.ts";
import { stateFolderOf } from "./loop-files.ts";
import { type JobPlace, jobPlaceOf } from "./place.ts";
import { decodeState, encodeState, STATE_LIMIT } from "./state-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const FILE = "hand-over.json";
const DISPLACED = "displaced.sealed";
/** Holds a state as a text within a text, settings and context; a longer file is none of ours. */
const LIMIT = 8 * STATE_LIMIT;
/** Holds files of a checkout, as texts within a text. */
const DISPLACED_LIMIT = 64 * STATE_LIMIT;
/** What the runner gives main and post alike, and nobody can rewrite: it is set after everything of the job. */
const KEY_INPUTS = ["GITHUB-TOKEN", "API-KEY", "STATE-KEY", "APP-PRIVATE-KEY"];
/** Which step it is, by what the runner says; one of another run, attempt, job or step proves nothing. */
const STEP = ["GITHUB_REPOSITORY_ID", "GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB", "GITHUB_ACTION"];
const SECRETS = ["apiKey", "githubToken", "stateKey", "appPrivateKey"] as const;

const ofMain = <T>() => z.custom<T>((value) => typeof value === "object" && value !== null);
/** Made by the same code as reads it, and proved before it is read: only the outline is held against a shape. */
const content = z.object({
  /** grows with each write */
  counter: count,
  context: ofMain<GithubContext>(),
  /** without the values of secrets */
  config: ofMain<Omit<Config, (typeof SECRETS)[number] | "environmentSecrets">>(),
  /** keyed digests of the secrets' values; null: not set */
  secrets: z.record(z.enum(SECRETS), z.string().nullable()),
  /** `PATH` as it was, and keyed digests of all other variables */
  searchPath: z.string(),
  /** folders that the agent can write, in which no program is looked for */
  writable: z.array(z.string()),
  /** where main found what post starts, by name */
  programs: z.record(z.string(), z.string()),
  variables: z.record(z.string(), z.string()),
  /** the job's processes since main began; null: the runner does not name them */
  job: z.object({ id: z.string(), since: z.number() }).nullable(),
  place: z.object({ loopId: z.string(), root: z.string(), stateFile: z.string() }),
  note: carryNote.nullable(),
  /** the text of the state file as the loop is about to write it; null: it has none yet */
  state: z.string().nullable(),
  /** digest of the state file before that; null: there was none */
  before: z.string().nullable(),
  /** whether main has written down what is not in its place */
  hasDisplaced: z.boolean(),
});
type Content = z.output<typeof content>;

/** What is not in its place while the loop runs, with all that it takes to put it back. */
const displaced = z.object({
  /** what the checkout logs in with; null: it is in its place, or there is none */
  credentials: keptCredentials.nullable(),
  /** what a turn's instructions have replaced; null: no turn runs */
  instructions: otherVersions.nullable(),
  /** what of credentials nobody may read, those included that stay */
  secrets: z.array(z.string()),
});
type Displaced = z.output<typeof displaced>;

/** What main tells post, in a file that only who has the step's secrets can write. */
export class HandOver {
  readonly #folder: string;
  readonly #key: Buffer | undefined;
  #content: Content;
  #displaced: Displaced | undefined = { credentials: null, instructions: null, secrets: [] };
  #last: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, key: Buffer | undefined, begun: Content) {
    this.#folder = folder;
    this.#key = key;
    this.#content = begun;
  }

  /**
   * Begins what this step hands over. Without any secret among the inputs nothing can be proved, and nothing is written.
   *
   * @throws OperationalError `HAND_OVER_UNWRITABLE`
   */
  static async begin(env: Environment, context: GithubContext, place: JobPlace, config: Config): Promise<HandOver> {
    const key = keyOf(env);
    const { apiKey, githubToken, stateKey, appPrivateKey, environmentSecrets: _, ...shown } = config;
    // Tokens of an App are in no variable, and post makes its own.
    const digest = (value: GithubToken | null): string | null =>
      typeof value !== "string" || key === undefined ? null : digestOf(key, value);
    const { loopId, root, stateFile } = place;
    const handOver = new HandOver(folderOf(env), key, {
      ...{ counter: 0, context, config: shown, note: null, state: null, before: null, hasDisplaced: false },
      secrets: {
        ...{ apiKey: digest(apiKey), githubToken: digest(githubToken) },
        ...{ stateKey: digest(stateKey), appPrivateKey: digest(appPrivateKey) },
      },
      searchPath: env["PATH"] ?? "",
      writable: [...keptOutside()],
      programs: foundOuter(STARTED_BY_NAME, env["PATH"]),
      variables: key === undefined ? {} : digestsOf(key, env),
      job: jobProcesses(env, startOf(process.pid)) ?? null,
      place: { loopId, root, stateFile },
    });
    await handOver.#write({});
    return handOver;
  }

  /**
   * What the main of this step has handed over.
   *
   * @returns `absent` where no main of this step began a loop, `unproved` where it is not what main wrote
   */
  static async read(env: Environment): Promise<HandOver | "absent" | "unproved"> {
    const folder = folderOf(env);
    if (env["RUNNER_TEMP"] === undefined || !(await exists(folder))) return "absent";
    const key = keyOf(env);
    const text = await readOwnFile(path.join(folder, FILE), LIMIT).catch(() => undefined);
    if (key === undefined || text === undefined) return "unproved";
    const sealed = z.object({ body: z.string(), mac: z.string() }).safeParse(parsedJson(text));
    if (!sealed.success || !isSame(sealed.data.mac, digestOf(key, sealed.data.body))) return "unproved";
    const parsed = content.safeParse(parsedJson(sealed.data.body));
    if (!parsed.success) return "unproved";
    const handOver = new HandOver(folder, key, parsed.data);
    if (parsed.data.hasDisplaced) handOver.#displaced = await readDisplaced(folder, key);
    return handOver;
  }

  /** Whether a step was given any secret, without which nothing can be handed over. */
  static isPossible(env: Environment): boolean {
    return keyOf(env) !== undefined;
  }

  /** Whether post can be told anything at all. */
  get isProvable(): boolean {
    return this.#key !== undefined;
  }

  get context(): GithubContext {
    return this.#content.context;
  }

  get place(): JobPlace {
    const { loopId, root, stateFile } = this.#content.place;
    return jobPlaceOf(this.context.temp, root, loopId, stateFile);
  }

  /** What has begun in this job since main did: a file of commands could call it otherwise. */
  get job(): JobProcesses | undefined {
    return this.#content.job ?? undefined;
  }

  get note(): CarryNote | null {
    return this.#content.note;
  }

  /** What main has displaced and not put back; undefined: nothing proves what it was. */
  get displaced(): Readonly<Displaced> | undefined {
    return this.#displaced;
  }

  /**
   * Writes down what is about to be displaced, or is back. It is encrypted, because it holds secrets: without any secret
   * among the inputs nothing is written, and only this process knows it.
   *
   * @throws OperationalError `HAND_OVER_UNWRITABLE`
   */
  async displace(change: Partial<Displaced>): Promise<void> {
    this.#displaced = { credentials: null, instructions: null, secrets: [], ...this.#displaced, ...change };
    const key = this.#key;
    if (key === undefined) return;
    const plain = Buffer.from(JSON.stringify(this.#displaced));
    await this.#replace(DISPLACED, seal(sealKeyOf(key), plain));
    if (!this.#content.hasDisplaced) await this.#write({ hasDisplaced: true });
  }

  /**
   * Main's settings; the secrets are those that the environment still holds.
   *
   * @returns undefined when one is missing there
   */
  configWith(env: Environment): Config | undefined {
    const { secrets, config } = this.#content;
    const key = this.#key;
    const held = Object.values(env).flatMap((value) => (value === undefined ? [] : [value, value.trim()]));
    const find = (name: (typeof SECRETS)[number]): string | null | undefined => {
      const digest = secrets[name] ?? null;
      if (digest === null || key === undefined) return null;
      return held.find((value) => isSame(digest, digestOf(key, value)));
    };
    const [apiKey, githubToken] = [find("apiKey"), find("githubToken")];
    const [stateKey, appPrivateKey] = [find("stateKey"), find("appPrivateKey")];
    if (apiKey === undefined || githubToken === undefined) return undefined;
    if (stateKey === undefined || appPrivateKey === undefined) return undefined;
    const environmentSecrets = [...secretVariables(env, config.passEnv), ...(this.#displaced?.secrets ?? [])];
    return { ...config, apiKey, githubToken, stateKey, appPrivateKey, environmentSecrets };
  }

  /**
   * Makes an environment main's again: each variable that main did not have with that value is taken out, the runner's
   * own excepted, and `PATH` is main's without what the agent can write: programs are found where main found them (T12).
   * Has to be called before anything is started.
   *
   * @returns the names of what was not main's
   */
  restore(env: NodeJS.ProcessEnv): readonly string[] {
    const { searchPath, variables, writable, programs } = this.#content;
    keepProgramsOutside(writable);
    const now = this.#key === undefined ? {} : digestsOf(this.#key, env);
    const foreign = Object.keys(now).filter((name) => now[name] !== variables[name]);
    for (const name of foreign) delete env[name];
    if (env["PATH"] !== searchPath) foreign.push("PATH");
    const leftOut = new Set(leftOutOf(searchPath));
    const entries = searchPath.split(path.delimiter).filter((entry) => !leftOut.has(entry));
    env["PATH"] = entries.join(path.delimiter);
    takeFound(programs, env["PATH"]);
    return foreign;
  }

  /** What notes how far the loop was carried. */
  noteFrom({ base, branch }: StartingPoint, since: CarryNote["since"]): WriteCarryNote {
    return async (note) => this.#write({ note: { ...note, sent: [...note.sent], base, branch, since } });
  }

  /** The loop begins with the state file as it is. */
  async holds(): Promise<void> {
    const text = await this.#stateText();
    if (text !== undefined) await this.#write({ state: text, before: null });
  }

  /**
   * Has to be called before a state is written: a kill between the two leaves the file as it was before, and that is
   * known as well.
   */
  readonly announce = async (state: LoopState): Promise<void> => {
    const { state: last } = this.#content;
    await this.#write({ state: encodeState(state), before: last === null ? null : sha256(last) });
  };

  /** `store`, with every state handed over on its way. */
  over(store: Store): Store {
    return {
      load: (loopId) => store.load(loopId),
      append: async (event, state) => {
        await this.announce(state);
        await store.append(event, state);
      },
    };
  }

  /**
   * The last state that the loop wrote. The file counts only when it is what main wrote.
   *
   * @returns undefined when there is none yet; `isOurs`: whether the file holds it
   */
  async lastState(): Promise<{ readonly state: LoopState; readonly isOurs: boolean } | undefined> {
    const { state: text, before } = this.#content;
    if (text === null) return undefined;
    const { stateFile } = this.place;
    const found = await this.#stateText();
    if (found !== undefined && found !== text && sha256(found) === before)
      return { state: decodeState(found, stateFile), isOurs: true };
    return { state: decodeState(text, stateFile), isOurs: found === text };
  }

  /** Where a state can be written when the state file is not ours any more. */
  get placeOfOurs(): JobPlace {
    return { ...this.place, stateFile: path.join(this.#folder, "state.json") };
  }

  /** Undefined for what is missing, no file of its own, or too large. */
  async #stateText(): Promise<string | undefined> {
    const name = path.basename(this.place.stateFile);
    const read = async (at: string) => readOwnFile(path.join(at, name), LIMIT);
    return inOwnFolderIfThere(await stateFolderOf(this.place), read).catch(() => undefined);
  }

  async #write(change: Partial<Content>): Promise<void> {
    this.#content = { ...this.#content, ...change, counter: this.#content.counter + 1 };
    const key = this.#key;
    if (key === undefined) return;
    const body = JSON.stringify(this.#content);
    await this.#replace(FILE, JSON.stringify({ body, mac: digestOf(key, body) }));
  }

  /** One write after the other. It only has to outlive this process: where the machine goes, post never runs. */
  async #replace(name: string, data: string | Uint8Array): Promise<void> {
    const last = this.#last;
    const done = (async () => {
      await last;
      await ownFolder(this.#folder);
      await replaceIn(this.#folder, name, data);
    })();
    this.#last = done.catch(() => undefined);
    await done.catch((error: unknown) => {
      throw unwritable(error);
    });
  }
}

/** It follows from the runner's words alone, so that post finds it without asking anything else. */
function folderOf(env: Environment): string {
  const step = sha256(JSON.stringify(STEP.map((name) => env[name] ?? ""))).slice(0, 16);
  return path.join(env["RUNNER_TEMP"] ?? "", "smithers", "hand-over", step);
}

/** Is stored nowhere. Undefined: the step was given no secret. */
function keyOf(env: Environment): Buffer | undefined {
  const given = KEY_INPUTS.map((name) => env[`${INPUT_PREFIX}${name}`] ?? "");
  if (given.every((value) => value.trim() === "")) return undefined;
  const info = JSON.stringify(["smithers hand-over 1", ...STEP.map((name) => env[name] ?? "")]);
  return Buffer.from(hkdfSync("sha256", JSON.stringify(given), "", info, 32));
}

function digestOf(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("hex");
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** What the runner sets for each step anew, over whatever the job's files of commands say. */
const RUNNERS = /^(?:GITHUB_|RUNNER_|INPUT_|STATE_|ACTIONS_(?:RUNTIME_TOKEN|ID_TOKEN_REQUEST_TOKEN)$)/u;
/** Where it says its services are, as far as there are any: else a file of commands could say it. */
const SERVICES = /^ACTIONS_(?:RUNTIME|RESULTS|CACHE|ID_TOKEN_REQUEST)_URL$/u;

/** Whether the runner sets a variable for each step, so that what it holds can be the runner's where nothing says more. */
export function isOfTheRunner(name: string): boolean {
  return RUNNERS.test(name) || SERVICES.test(name);
}

function digestsOf(key: Buffer, env: Environment): Record<string, string> {
  const others = Object.entries(env).filter(([name]) => name !== "PATH" && !RUNNERS.test(name));
  return Object.fromEntries(others.map(([name, value]) => [name, digestOf(key, `${name}=${value ?? ""}`)]));
}

/** Only our user gets in, and no link is followed on the way. */
async function ownFolder(folder: string): Promise<void> {
  const parents = path.dirname(folder);
  await mkdir(path.dirname(path.dirname(parents)), { recursive: true });
  const smithers = await sharedFolder(path.dirname(path.dirname(parents)), path.basename(path.dirname(parents)));
  const all = await sharedFolder(smithers, path.basename(parents));
  await chmod(all, 0o700);
  await chmod(await sharedFolder(all, path.basename(folder)), 0o700);
}

/** Undefined: it is not what main wrote. */
async function readDisplaced(folder: string, key: Buffer): Promise<Displaced | undefined> {
  try {
    const sealed = await readOwnBytes(path.join(folder, DISPLACED), DISPLACED_LIMIT);
    return displaced.safeParse(parsedJson(unseal(sealKeyOf(key), sealed).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

function sealKeyOf(key: Buffer): string {
  return digestOf(key, DISPLACED);
}

function unwritable(cause: unknown): OperationalError {
  return new OperationalError(
    {
      code: "HAND_OVER_UNWRITABLE",
      what: `What this step hands over to its end cannot be written: ${messageOf(cause)}. The loop is as it was saved last.`,
      next: "Free some space in the runner's temp folder, or correct its permissions, and run the workflow again.",
    },
    { cause },
  );
}
