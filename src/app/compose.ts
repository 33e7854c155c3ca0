import path from "node:path";
import { createChecklist, createPromptBacklog } from "../backlogs/backlog.ts";
import { createTodoFile, noHardStops } from "../backlogs/todo-file.ts";
import type { Config } from "../config/config.ts";
import { allOf } from "../control/request-stream.ts";
import { createFolderControl } from "../control/folder.ts";
import { createSignalControl } from "../control/signals.ts";
import type { Backlog, Gate, HardStops, Ports, Reporter, Workspace } from "../core/ports.ts";
import { checkScripts } from "../core/progress/check-scripts.ts";
import type { TaskIdentity } from "../core/task.ts";
import { systemClock } from "../os/clock.ts";
import { sha256 } from "../os/digest.ts";
import { createMatcher } from "../os/matcher.ts";
import { createProvider, type Registered } from "../agents/registry.ts";
import { withRetry } from "../agents/with-retry.ts";
import { createTestBaseline } from "../store/test-baseline.ts";
import { createFileStore, type FileStore } from "../store/file-store.ts";
import { createProgressFile } from "../store/progress-file.ts";
import { isGitRepository } from "../git/repository.ts";
import { committingEarly, createGitWorkspace, createPlainWorkspace, type GitWorkspace } from "../git/workspace.ts";
import { announcedControl } from "./announced-control.ts";
import { type CiMeans, createGate } from "./create-gate.ts";
import { unmeasuredPaths } from "./own-paths.ts";
import { marksOf, type LoopPlace } from "../store/place.ts";
import { type Projection, projectionsOf, withProjections } from "./projections.ts";

const RETRY_DELAYS_MS = [0, 5_000, 15_000];

/** What the ports are made from. */
export interface Blueprint {
  readonly place: LoopPlace;
  readonly config: Config;
  readonly identity: TaskIdentity;
  /** of the loop; earlier ones lie archived beside it */
  readonly generation: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly reporter: Reporter;
  /** tells a person that a request was heard */
  readonly say: (text: string) => void;
  /** somebody who asked to stop does not want to wait any more */
  readonly onImpatience: () => void;
  /** what asks CI for a verdict; absent: nothing can be pushed from here */
  readonly ci?: (means: CiMeans) => Gate;
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
}

/** Config → Ports: the only place that constructs. */
export async function compose(blueprint: Blueprint): Promise<Composition> {
  const { place, config, identity } = blueprint;
  const projections = await projectionsOf(place, config);
  const reporter = await withProjections(blueprint.reporter, projections, config);
  const clock = systemClock;
  const registered = await createProvider({
    config,
    workspaceRoot: place.root,
    folder: place.folder,
    mark: marksOf(place).agent,
    env: blueprint.env,
    clock,
  });
  const store = createFileStore(place);
  const excluded = unmeasuredPaths(place, config, blueprint.generation, projections);
  const gitWorkspace = await createWorkspace(place, excluded);
  const workspace = workspaceFor(blueprint, gitWorkspace);
  const signals = createSignalControl(process, blueprint.onImpatience);
  const ports: Ports = {
    provider: withRetry(registered.provider, { delaysMs: retryDelays(config.retries), clock }),
    backlog: createBacklog(place, identity),
    gate: createGate(blueprint, registered, workspace),
    workspace,
    store,
    progress: createProgressFile(place.folder),
    tests: createTestBaseline({
      folder: place.folder,
      workspace,
      scripts: checkScripts(identity.checks),
      notice: (text) => reporter.observe({ type: "notice", text }),
    }),
    hardStops: createHardStops(place, identity),
    control: announcedControl(allOf([signals, createFolderControl(place.folder)]), blueprint.say),
    reporter,
    matcher: createMatcher(),
    clock,
    digest: sha256,
  };
  return { ports, gitWorkspace, store, registered, projections };
}

/** What CI is to judge is committed before the engine does so. */
function workspaceFor({ identity }: Blueprint, git: GitWorkspace | undefined): Workspace {
  const workspace = git ?? createPlainWorkspace();
  return identity.checks.ci === null ? workspace : committingEarly(workspace);
}

/** The workspace of a loop as git measures it; undefined where there is no repository (W-25). */
async function createWorkspace(
  { root, folder }: LoopPlace,
  excluded: readonly string[],
): Promise<GitWorkspace | undefined> {
  return (await isGitRepository(root)) ? createGitWorkspace({ root, folder, excluded }) : undefined;
}

/** A HARD STOP line is no work of the checklist that it stands in. */
function createBacklog({ root }: LoopPlace, { prompt, plan, todo }: TaskIdentity): Backlog {
  if (plan === null) return createPromptBacklog(prompt);
  const both = todo !== null && path.resolve(root, todo.path) === path.resolve(root, plan.path);
  return createChecklist({ root, path: plan.path, skipped: both ? todo.token : null, digest: sha256 });
}

function createHardStops(place: LoopPlace, { todo }: TaskIdentity): HardStops {
  if (todo === null) return noHardStops;
  return createTodoFile({ root: place.root, path: todo.path, token: todo.token, digest: sha256 });
}

/** As many waits as there may be retries; the last one repeats (D-36). */
function retryDelays(retries: number): readonly number[] {
  return Array.from(
    { length: retries },
    (_, index) => RETRY_DELAYS_MS[Math.min(index, RETRY_DELAYS_MS.length - 1)] ?? 0,
  );
}
