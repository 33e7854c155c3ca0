import path from "node:path";
import {
  createChecklist,
  createPromptBacklog,
  createTodoFile,
  createWorkLists,
  noHardStops,
} from "../backlogs/backlog.ts";
import type { Registered } from "../agents/registry.ts";
import { createProviders } from "../agents/several.ts";
import { retryDelays, withCost, withRetry } from "../agents/with-retry.ts";
import { allOf as allGates, tellingWithheld } from "../checks/gates.ts";
import { createCommandGate } from "../checks/command-gate.ts";
import { askingAgain } from "../checks/flake-gate.ts";
import { withoutTraces } from "../checks/without-traces.ts";
import type { Config } from "../config/config.ts";
import { changeRules } from "../config/settle.ts";
import { allOf as allControls } from "../control/request-stream.ts";
import { createFolderControl } from "../control/folder.ts";
import { createSignalControl, type SignalSource } from "../control/signals.ts";
import type {
  Backlog,
  CheckEvent,
  Control,
  ControlRequest,
  Gate,
  Ports,
  Provider,
  Reporter,
  Workspace,
} from "../core/ports.ts";
import { itemOf, pickStory } from "../core/story/pick.ts";
import { marksOf as storyMarks } from "../core/story/stories.ts";
import { agentsOf } from "./agents-of-prd.ts";
import { createReviewer, withReviewer } from "./review/reviewer.ts";
import { prdTaskOf } from "./prd/prd-task.ts";
import type { PrdInUse } from "./prd/read-prd.ts";
import { checkScripts } from "../core/progress/check-scripts.ts";
import { hasCommands, type TaskIdentity } from "../core/task.ts";
import { systemClock } from "../os/clock.ts";
import { sha256 } from "../os/digest.ts";
import { createMatcher } from "../os/matcher.ts";
import { UsageError } from "../core/errors.ts";
import { tellingHooks, tellsHooks } from "../git/checkout/hooks.ts";
import { isGitRepository } from "../git/repository.ts";
import { committingEarly, createGitWorkspace, createPlainWorkspace, type GitWorkspace } from "../git/workspace.ts";
import { allOf as allReporters } from "../reporters/all-of.ts";
import { FileStore } from "../store/file-store.ts";
import { type LoopPlace, marksOf } from "../store/place.ts";
import { createProgressFile } from "../store/progress-file.ts";
import { tokensBeside } from "../store/loop-files.ts";
import { createTestBaseline } from "../store/test-baseline.ts";
import { checkEnvironment } from "./check-environment.ts";
import { othersInWorkTree } from "./checkout/in-work-tree.ts";
import { type Isolated, keepProgramsOutsideOf } from "./isolate.ts";
import { isolateChecks } from "./isolate-checks.ts";
import { isolateAgents } from "./isolate-turns.ts";
import { iterationFilesOf, reporterOf, withLog } from "./reporters-of.ts";
import { type Projection, projectionsOf, unmeasuredPaths } from "./own-files.ts";

const MINUTE_MS = 60_000;

export interface Blueprint {
  readonly place: LoopPlace;
  readonly config: Config;
  readonly identity: TaskIdentity;
  /** the stories to work through; null: there are none */
  readonly prd: PrdInUse | null;
  /** of the loop; earlier ones are archived beside it */
  readonly generation: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** shows a person how the run goes; hears at once of every request to stop */
  readonly reporter: Reporter;
  /** where the signals that stop the run come from; undefined: from the system, to this process */
  readonly signals?: SignalSource | undefined;
  /** somebody who asked to stop does not want to wait any more */
  readonly onSecondInterrupt: () => void;
  /** commits that others have made public, whose files are nobody's change (T17) */
  readonly published?: (() => Promise<readonly string[]>) | undefined;
  /** what asks CI for a verdict; undefined: nothing can be pushed from here */
  readonly ci?: ((means: CiMeans) => Gate) | undefined;
  /** makes the machine let programs isolate themselves; whether something has changed */
  readonly repairMachine?: (() => Promise<boolean>) | undefined;
}

export interface CiMeans {
  readonly file: string;
  readonly workspace: Workspace;
  readonly observe: (event: CheckEvent) => void;
}

/** The ports of a run. Nothing is written by making them. */
export interface Composition {
  readonly ports: Ports;
  /** the workspace among the ports; undefined outside of git repositories */
  readonly gitWorkspace: GitWorkspace | undefined;
  readonly store: FileStore;
  readonly registered: Registered;
  /** what the reporter among the ports writes in the layouts of other tools */
  readonly projections: readonly Projection[];
  /** tells what is not isolated. @throws UsageError where more is required, with all that is missing */
  readonly announceIsolation: () => Promise<void>;
  /** tells which commit hooks are not run, once each */
  readonly announceHooks: () => Promise<void>;
  /** whether something that the agent writes runs as our user, as far as that was announced */
  readonly isUnisolated: () => boolean;
}

/** Config → Ports: the only place that constructs. */
export async function compose(given: Blueprint): Promise<Composition> {
  const measured: { workspace?: GitWorkspace | undefined } = {};
  const kept = iterationFilesOf(given, () => measured.workspace);
  const logged = await withLog(given);
  const blueprint = { ...logged, reporter: allReporters([logged.reporter, kept]) };
  const { place, config, identity, generation, env } = blueprint;
  const { root, folder } = place;
  await keepProgramsOutsideOf(blueprint);
  const projections = await projectionsOf(place, config);
  const reporter = await reporterOf(blueprint, projections);
  const notice = (text: string): void => blueprint.reporter.observe({ type: "notice", text });
  const context = { config, workspaceRoot: root, folder, mark: marksOf(place).agent, env, clock: systemClock };
  const agents = agentsOf(blueprint.prd, config);
  const turns = isolateAgents(blueprint, context, withReviewer(agents, config), notice);
  const registered = await createProviders(context, agents, turns.isolationOf);
  const store = new FileStore(place, config.minFreeDisk);
  const excluded = unmeasuredPaths(place, config, generation, projections);
  const gitWorkspace = await createWorkspace(blueprint, excluded, notice);
  measured.workspace = gitWorkspace;
  const announceHooks = tellsHooks(gitWorkspace && (() => gitWorkspace.hooksNotRun()), notice);
  const plainOrGit = gitWorkspace === undefined ? createPlainWorkspace() : tellingHooks(gitWorkspace, announceHooks);
  // What CI is to judge is committed before the engine does so.
  const workspace = identity.checks.ci === null ? plainOrGit : committingEarly(plainOrGit);
  const checks = isolateChecks(blueprint, notice);
  const signals = createSignalControl(blueprint.signals ?? process, blueprint.onSecondInterrupt);
  const ports: Ports = {
    provider: tellingPrompts(
      withRetry(withCost(registered.provider, registered.priced), {
        delaysMs: retryDelays(config),
        clock: systemClock,
      }),
      kept.keepPrompt,
    ),
    reviewer: await createReviewer(context, gitWorkspace, turns.isolationOf, notice),
    backlog: await createBacklog(blueprint),
    gate: leavingNothing(blueprint, gitWorkspace, createGate(blueprint, registered, workspace, checks.isolation)),
    workspace,
    store,
    progress: createProgressFile(folder, root),
    tests: createTestBaseline({
      folder,
      root,
      workspace,
      scripts: checkScripts(identity.checks, storyTexts(blueprint)),
      notice,
    }),
    ...listsOf(root, identity),
    control: announcedControl(allControls([signals, createFolderControl(folder, root)]), notice),
    reporter,
    matcher: createMatcher(),
    tokensOfOthers: tokensBeside(place),
    clock: systemClock,
    digest: sha256,
  };
  const announceIsolation = async () => {
    const found = await Promise.all([turns.announce(), asksCommands(blueprint) ? checks.announce() : []]);
    if (found.flat().length > 0) throw new UsageError(found.flat());
  };
  const isUnisolated = () => turns.isOpen() || checks.isOpen();
  return { ports, gitWorkspace, store, registered, projections, announceIsolation, announceHooks, isUnisolated };
}

/** A provider that says what it is asked before each turn. */
function tellingPrompts(provider: Provider, tell: (iteration: number, prompt: string) => void): Provider {
  return {
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    runTurn(request, signal) {
      tell(request.iteration, request.prompt);
      return provider.runTurn(request, signal);
    },
  };
}

/** Undefined without a repository: then nothing is measured (W-25). */
async function createWorkspace(
  { place, config, prd, published }: Blueprint,
  excluded: readonly string[],
  notice: (text: string) => void,
): Promise<GitWorkspace | undefined> {
  const { root, folder } = place;
  if (!(await isGitRepository(root))) return undefined;
  return createGitWorkspace({
    root,
    folder,
    excluded,
    // What the PRD's documents say is the engine's to write, whatever becomes of a story's work.
    kept: prd === null ? [] : [prd.document.prd.folder],
    rules: changeRules(config, root),
    published,
    notice,
    others: othersInWorkTree(place, prd !== null),
  });
}

/** What is read of the plan and the todo file beside the backlog. */
function listsOf(root: string, { plan, todo }: TaskIdentity): Pick<Ports, "hardStops" | "lists"> {
  return {
    hardStops:
      todo === null ? noHardStops : createTodoFile({ root, path: todo.path, token: todo.token, digest: sha256 }),
    lists: createWorkLists(root, { plan: plan?.path ?? null, todo: todo?.path ?? null }),
  };
}

/** A HARD STOP line does not count as work of its checklist. */
async function createBacklog(blueprint: Blueprint): Promise<Backlog> {
  const {
    place: { root },
    identity: { prompt, plan, todo },
    config,
    prd,
  } = blueprint;
  if (prd !== null) return storyBacklog(prd, config, blueprint.place);
  if (plan === null) return createPromptBacklog(prompt);
  const both = todo !== null && path.resolve(root, todo.path) === path.resolve(root, plan.path);
  return createChecklist({ root, path: plan.path, skipped: both ? todo.token : null, digest: sha256 });
}

async function storyBacklog(prd: PrdInUse, config: Config, { root, folder }: LoopPlace): Promise<Backlog> {
  // Most loops have none.
  const { createStoryBacklog } = await import("../prd/backlog.ts");
  const task = prdTaskOf(prd, config);
  return createStoryBacklog({
    document: prd.document,
    markdown: prd.markdown,
    ...(prd.ofWave === undefined ? {} : { asFound: prd.ofWave.asFound }),
    root,
    loopFolder: folder,
    next: ({ stories }) => {
      const story = stories === null ? undefined : pickStory(task, stories);
      return story && itemOf(story, sha256);
    },
    marksOf: ({ stories }) => (stories === null ? new Map() : storyMarks(stories)),
  });
}

/** The shell texts that stories name. */
function storyTexts({ prd }: Blueprint): readonly string[] {
  return prd?.document.prd.stories.flatMap(({ checks }) => checks.map(({ run }) => run)) ?? [];
}

/** Whether commands on this machine are among what proves the work. */
function asksCommands(blueprint: Blueprint): boolean {
  return hasCommands(blueprint.identity.checks) || storyTexts(blueprint).length > 0;
}

/** The gate of a loop, by what its task says of its checks: what runs here goes before CI. */
function createGate(
  blueprint: Blueprint,
  registered: Registered,
  workspace: Workspace,
  isolation: Isolated["isolation"],
): Gate {
  const { checks } = blueprint.identity;
  const observe = (event: CheckEvent): void => blueprint.reporter.observe(event);
  const gates = [
    ...(asksCommands(blueprint)
      ? [flakeGate(blueprint, workspace, commandGate(blueprint, registered, isolation, observe))]
      : []),
    ...(checks.ci === null ? [] : [blueprint.ci?.({ file: checks.ci, workspace, observe }) ?? NOT_HERE]),
  ];
  return gates.length === 0 ? NO_CHECKS : allGates(gates);
}

/** A story's commit is what was judged: what checks write beside it is none of its work (D-08). */
function leavingNothing({ prd, reporter }: Blueprint, workspace: GitWorkspace | undefined, gate: Gate): Gate {
  if (prd === null || workspace === undefined) return gate;
  return withoutTraces(gate, workspace, (text) => reporter.observe({ type: "notice", text }));
}

/** A gate that asks its checks as often as `flake-check` says (C103). */
function flakeGate({ config, reporter }: Blueprint, workspace: Workspace, gate: Gate): Gate {
  const { flakeCheck: said } = config;
  if (said === "off") return gate;
  const tree = async (): Promise<string | null> => (await workspace.snapshot())?.tree ?? null;
  const notice = (text: string): void => reporter.observe({ type: "notice", text });
  return askingAgain(gate, { times: said === "once" ? 1 : Number(said), tree, notice });
}

function commandGate(
  blueprint: Blueprint,
  { sandboxed }: Registered,
  isolation: Isolated["isolation"],
  observe: (event: CheckEvent) => void,
): Gate {
  const { place, config, identity } = blueprint;
  const { withheld, ...variables } = checkEnvironment(blueprint.env, config);
  const isStrict = config.checkSandbox === "strict" || config.checkSandbox === "on";
  if (isStrict && sandboxed === undefined) {
    throw new UsageError({
      code: "CHECK_SANDBOX_UNAVAILABLE",
      what: `check-sandbox is ${config.checkSandbox}, but provider ${config.provider} has no sandbox to run the checks in.`,
      next: "Use --check-sandbox auto, which isolates checks without the agent's help, or provider codex.",
    });
  }
  const gate = createCommandGate({
    checks: identity.checks,
    gates: config.gates,
    workspaceRoot: place.root,
    ...variables,
    mark: marksOf(place).checks,
    timeoutMs: config.checkTimeoutMinutes * MINUTE_MS,
    ...(isStrict && sandboxed !== undefined ? { wrap: sandboxed } : {}),
    isolation,
    clock: systemClock,
    observe,
  });
  return tellingWithheld(gate, withheld, (text) => blueprint.reporter.observe({ type: "notice", text }));
}

/** A loop without checks has nothing to ask; the engine does not (S-18). */
const NO_CHECKS: Gate = {
  async judge() {
    throw new Error("a loop without checks asked for proof");
  },
};

/** A loop of the Action that goes on somewhere else. */
const NOT_HERE: Gate = {
  async judge({ occasion }) {
    if (occasion === "first" || occasion === "change") return { result: "passed", checks: [] };
    const problem = {
      code: "CI_UNRUNNABLE",
      what: "CI proves this loop's work (ci-workflow), and it is only asked inside a GitHub Actions job. The work is unharmed.",
      next: "Let the loop go on by its workflow, or start another one here without ci-workflow.",
    };
    return { result: "unrunnable", checks: [], problem };
  },
};

/** Says of every request that it was heard, at once: ending a turn can take some seconds. */
function announcedControl(control: Control, say: (text: string) => void): Control {
  return {
    async *watch(signal) {
      for await (const request of control.watch(signal)) {
        say(announcement(request));
        yield request;
      }
    },
  };
}

function announcement({ kind, by }: ControlRequest): string {
  const texts: Readonly<Record<ControlRequest["kind"], string>> = {
    pause: `pausing after this iteration (${by}), which can take some minutes; Ctrl+C ends it now`,
    stop: `ending the turn or the checks that run now (${by}); work and state are kept; ${hurry(by)}`,
    supersede: `another run goes on with this loop (${by}); ending the turn or the checks that run now`,
    cancel: `ending the turn or the checks that run now, and the loop for good (${by}); work and state are kept; ${hurry(by)}`,
  };
  return texts[kind];
}

/** The first signal is a polite request of its own, so if another request came first, it takes two. */
function hurry(by: string): string {
  return by.startsWith("SIG") ? "Ctrl+C again ends it at once" : "Ctrl+C twice ends it at once";
}
