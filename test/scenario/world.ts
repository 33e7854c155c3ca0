import {
  NO_USAGE,
  type AgentEvent,
  type FailureKind,
  type TurnCompleted,
  type TurnFailed,
  type TurnRequest,
} from "../../src/core/agent.ts";
import { NOTHING_CHANGED } from "../../src/core/judges/changed-texts.ts";
import type { Refusal } from "../../src/core/boundary.ts";
import { isAllTicked } from "../../src/core/checklist.ts";
import { itemOf, pickStory } from "../../src/core/story/pick.ts";
import type { Stories } from "../../src/core/story/stories.ts";
import type { Item, PrdTask, Tally, Task } from "../../src/core/task.ts";
import { OperationalError } from "../../src/core/errors.ts";
import type { LoopEvent } from "../../src/core/events.ts";
import type { HardStopHit } from "../../src/core/hard-stop.ts";
import type { CommitRequest, Committed, ControlRequest, Ports } from "../../src/core/ports.ts";
import type { Change, Snapshot, LoopState } from "../../src/core/state.ts";
import type { TestChanges } from "../../src/core/progress/test-changes.ts";
import { digest } from "../support/builders.ts";
import type { Evidence, Verdict } from "../../src/core/verdict.ts";

function itemIn(prd: PrdTask, stories: Stories): Item | undefined {
  const story = pickStory(prd, stories);
  return story && itemOf(story, digest);
}

const NOT_THERE = { kind: "crashed", message: "nobody there", retryable: false } as const;
const NOTHING = { exitCode: null, lastMessage: "", usage: NO_USAGE, sessionUsage: null } as const;
const FLAKE = { command: "npm test", tests: ["adds up"], red: "not ok", green: "ok", tries: 1 };
const ITEM = { id: "task", title: "the task", text: "" };
export const MINUTE = 60_000;
export const BEGINNING = Date.parse("2026-11-21T10:00:00Z");

/** What survives the death of a run: the disk, the work tree, the agent's own sessions, the time. */
export interface World {
  state: LoopState | undefined;
  readonly events: LoopEvent[];
  readonly notes: Map<number, string>;
  readonly sessions: Set<string>;
  readonly commits: string[];
  /** what HEAD names */
  head: string | null;
  /** when the tests were kept: how many iterations had begun */
  remembered: number | undefined;
  /** how much work the patch of what was refused holds */
  patched: number | undefined;
  /** pieces of work in the tree */
  work: number;
  /** how many of them the last commit holds */
  committed: number;
  /** whose the pieces in the tree are that no commit holds: a story's, or "" */
  uncommitted: string[];
  /** whose pieces each commit holds */
  readonly contents: (readonly string[])[];
  /** patches of what was set aside, and whose pieces they hold */
  readonly patches: Map<string, readonly string[]>;
  now: number;
}

export function newWorld(): World {
  return {
    state: undefined,
    events: [],
    notes: new Map(),
    sessions: new Set(),
    commits: [],
    head: null,
    remembered: undefined,
    patched: undefined,
    work: 0,
    committed: 0,
    uncommitted: [],
    contents: [],
    patches: new Map(),
    now: BEGINNING,
  };
}

/** What happens in a loop from outside: everything is a function of the world, so that a restart meets the same. */
export interface Scenario {
  readonly task?: (task: Task) => Task;
  /** how a turn ends, after it has added a piece of work, unless it is idle */
  readonly agent?: (
    world: World,
    request: TurnRequest,
  ) => {
    message?: string;
    fails?: FailureKind;
    tokens?: number;
    idle?: boolean;
    denied?: string;
    /** makes a commit of its own, by this name */
    commits?: string;
  };
  /** how far the checklist is */
  readonly tally?: (world: World) => Tally;
  readonly gate?: (world: World, evidence: Evidence) => Verdict["result"];
  /** whether the checks are red and green on one tree */
  readonly flake?: true;
  /** commands of criteria that are red, whatever `gate` says */
  readonly red?: (world: World, evidence: Evidence) => readonly string[];
  /** how the tests have changed since the loop began */
  readonly tests?: (world: World) => TestChanges | null;
  /** what is out of the ordinary about each change of the agent */
  readonly change?: Partial<Change>;
  /** why what the workspace holds goes nowhere */
  readonly refused?: (world: World) => Refusal | null;
  /** the stories of the task */
  readonly prd?: PrdTask;
  /** how the reviewer's session ends; absent: it fails */
  readonly reviewer?: (world: World, request: Parameters<Ports["reviewer"]["ask"]>[0]) => TurnCompleted | TurnFailed;
  readonly hardStops?: (world: World) => readonly HardStopHit[];
  readonly request?: (world: World) => ControlRequest["kind"] | undefined;
  /** files that no turn has changed since the last run */
  readonly between?: (world: World) => readonly string[];
  /** why git lets nobody commit */
  readonly refuses?: (world: World) => string | undefined;
}

export function portsOf(world: World, scenario: Scenario): Ports {
  return {
    provider: {
      name: "world",
      preflight: async () => undefined,
      runTurn: (request, signal) => playTurn(world, scenario, request, signal),
    },
    reviewer: {
      ask: async (request) =>
        scenario.reviewer?.(world, request) ?? { type: "turn.failed", failure: NOT_THERE, ...NOTHING },
    },
    backlog: {
      next: async ({ stories }) => {
        if (scenario.prd !== undefined && stories !== null) return itemIn(scenario.prd, stories);
        return isAllTicked(scenario.tally?.(world) ?? null) ? undefined : ITEM;
      },
      count: async () => scenario.tally?.(world) ?? null,
      sync: async () => [],
    },
    gate: {
      judge: async (evidence) => {
        const verdict = verdictOf(
          scenario.gate?.(world, evidence) ?? "failed",
          evidence,
          scenario.red?.(world, evidence),
        );
        return scenario.flake === true ? { ...verdict, flake: FLAKE } : verdict;
      },
    },
    workspace: {
      snapshot: async () => snapshotOf(world),
      compare: async () => ({
        files: 1,
        added: 1,
        removed: 0,
        stat: "work.txt | 1 +",
        only_tests: false,
        ...scenario.change,
      }),
      refusal: async () => scenario.refused?.(world) ?? null,
      keepPatch: async () => void (world.patched = world.work),
      testFiles: async () => null,
      changedTexts: async () => null,
      setAside: async (file) => setAside(world, file),
      named: async () => null,
      changedOtherwise: async () => scenario.between?.(world) ?? [],
      pendingFiles: async () => world.work - world.committed,
      holding: async (commits) => new Set(commits),
      commit: async (request) => commitOnce(world, scenario, request),
    },
    store: {
      load: async () => world.state,
      append: async (event, state) => {
        world.events.push(event);
        world.state = structuredClone(state);
      },
    },
    progress: {
      record: async (iteration, entry) => void world.notes.set(iteration, entry),
      tail: async () => [...world.notes.values()].join("\n"),
    },
    tests: {
      remember: async (_snapshot, iteration) => void (world.remembered ??= iteration),
      renew: async (_snapshot, iteration) => void (world.remembered = iteration),
      since: async () => scenario.tests?.(world) ?? null,
      texts: async () => NOTHING_CHANGED,
    },
    hardStops: { scan: async () => scenario.hardStops?.(world) ?? [], exists: async () => true },
    lists: { read: async () => [] },
    control: { watch: (signal) => requestsOf(world, scenario, signal) },
    reporter: { report: () => undefined, observe: () => undefined, flush: async () => undefined },
    matcher: { test: async (pattern, text) => (new RegExp(pattern, "u").test(text) ? "match" : "none") },
    clock: {
      now: () => world.now,
      sleepUntil: async (at) => {
        world.now = Math.max(world.now, at);
      },
    },
    digest,
  };
}

async function* playTurn(
  world: World,
  scenario: Scenario,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  const sessionId = request.sessionId ?? `session-${world.sessions.size + 1}`;
  world.sessions.add(sessionId);
  yield { type: "session.started", sessionId };
  world.now += 5 * MINUTE;
  world.work += 1;
  world.uncommitted.push(world.state?.stories?.active ?? "");
  const played = scenario.agent?.(world, request) ?? {};
  const { message = "Working.", fails, tokens = 100, idle = false, denied, commits } = played;
  world.head = commits ?? world.head;
  if (idle) {
    world.work -= 1;
    world.uncommitted.pop();
  }
  if (denied !== undefined) yield { type: "permission.denied", what: denied, allow: "--network on." };
  yield { type: "message", text: message };
  const usage = { ...NO_USAGE, input: tokens };
  // The control requests of a scenario come while a turn is at work.
  await new Promise(setImmediate);
  const kind = signal.aborted ? "cancelled" : fails;
  const end = { exitCode: kind === undefined ? 0 : 1, lastMessage: message, usage, sessionUsage: usage };
  if (kind === undefined) yield { type: "turn.completed", ...end };
  else yield { type: "turn.failed", ...end, failure: { kind, message: `it ${kind}`, retryable: false } };
}

function snapshotOf(world: World): Snapshot {
  return { id: `tree-${world.work}-${world.commits.length}`, tree: `${world.work}`, head: world.head };
}

/** The work goes away; without any nothing is written. */
function setAside(world: World, file: string): Snapshot {
  if (world.uncommitted.length > 0) world.patches.set(file, world.uncommitted);
  world.work -= world.uncommitted.length;
  world.uncommitted = [];
  return snapshotOf(world);
}

/** The commit of a story is recognised when it was made and never noted. */
function commitOnce(world: World, scenario: Scenario, request: CommitRequest): Committed | undefined {
  const { loopId, iteration, story, on } = request;
  const id = `${loopId}@${iteration}:${world.work}`;
  const isStory = story !== undefined;
  const why = scenario.refuses?.(world);
  if (why !== undefined) throw new OperationalError({ code: "GIT_BUSY", what: why, next: "Finish it." });
  if (on !== undefined && on.head !== world.head && world.head !== id) {
    throw new OperationalError({ code: "GIT_HEAD_MOVED", what: "HEAD has moved.", next: "Look at it." });
  }
  if (world.commits.includes(id)) return isStory ? { commit: id, snapshot: snapshotOf(world) } : undefined;
  world.commits.push(id);
  world.head = id;
  world.committed = world.work;
  world.contents.push([...new Set(world.uncommitted)]);
  world.uncommitted = [];
  return { commit: id, snapshot: snapshotOf(world) };
}

async function* requestsOf(world: World, scenario: Scenario, signal: AbortSignal): AsyncGenerator<ControlRequest> {
  while (!signal.aborted) {
    const kind = scenario.request?.(world);
    if (kind !== undefined) {
      yield { kind, by: "a person" };
      return;
    }
    await new Promise(setImmediate);
  }
}

function verdictOf(
  said: Verdict["result"],
  { occasion, commands = [] }: Evidence,
  red: readonly string[] = [],
): Verdict {
  const result = said === "passed" && commands.some(({ run }) => red.includes(run)) ? "failed" : said;
  const exitCode = said === "passed" ? 0 : 1;
  const check = {
    role: "quality",
    command: "npm test",
    exitCode,
    timedOut: false,
    durationMs: 10,
    tail: "1 failed",
    tests: null,
  } as const;
  const more = commands.map(({ story, run }) => ({
    ...check,
    role: "story" as const,
    story,
    command: run,
    exitCode: red.includes(run) ? 1 : exitCode,
  }));
  if (result !== "unrunnable") return { result, checks: [...(occasion === "story" ? [] : [check]), ...more] };
  return { result, checks: [], problem: { code: "CHECK_NOT_FOUND", what: "npm is not there", next: "install it" } };
}
