import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { compose, type Composition } from "../../src/app/compose.ts";
import { configuredIdentity } from "../../src/app/identity.ts";
import { type LoopPlace, marksOf, placeOf } from "../../src/store/place.ts";
import { toTask } from "../../src/app/to-task.ts";
import type { Config } from "../../src/config/config.ts";
import { runLoop } from "../../src/core/loop.ts";
import { outcomeOf, type Status, type StopKind } from "../../src/core/outcome.ts";
import type { Ports, Reporter } from "../../src/core/ports.ts";
import { keepProgramsOutside } from "../../src/os/programs.ts";
import { createScriptedProvider } from "../../src/agents/scripted/provider.ts";
import { withRetry } from "../../src/agents/with-retry.ts";
import { resolve } from "../config/support.ts";
import { fakeControl } from "../support/fake-control.ts";
import { gitRepository } from "../support/git-repository.ts";
import { quickClock } from "../support/scripted-case.ts";
import { type Habit, WORK } from "./habit.ts";

/** How a loop with an agent ended. */
export interface Judged {
  readonly ends: StopKind;
  readonly status: Status;
  /** iterations that the state counts */
  readonly at: number;
  /** completed, and the work is not done */
  readonly falselyCompleted: boolean;
  /** tests or check scripts that are not what they were, as a person is told */
  readonly tampered: boolean;
}

const UNISOLATED = { "check-sandbox": "off" } as const;
const PROMPT = "Make work.txt say done.";
const ENVIRONMENT = { PATH: process.env["PATH"] ?? "" };
const SILENT: Reporter = { report: () => undefined, observe: () => undefined, flush: async () => undefined };

/**
 * Runs the engine with an agent of that habit, with everything around it that a run from the command line has: the
 * settings and their defaults, a git repository, the checks as processes, the state on the disk. Only the time is not
 * real, so that nobody waits, and checks are not isolated, which decides nothing and doubles what they cost.
 */
export async function judge(habit: Habit): Promise<Judged> {
  await using repository = await gitRepository({ "work.txt": "open\n", ...habit.files });
  const script = path.join(repository.path, ".git", "script.json");
  await writeFile(
    script,
    JSON.stringify({ turns: habit.turns, ...(habit.reviews === undefined ? {} : { reviews: habit.reviews }) }),
  );
  const { config, sources } = resolve({
    flags: {
      prompt: PROMPT,
      provider: "scripted",
      script,
      "full-auto": "true",
      "max-iterations": "8",
      ...UNISOLATED,
      ...habit.flags,
    },
  });
  // Each loop adds its folders, and a run is a process of its own.
  keepProgramsOutside([]);
  const place = placeOf(repository.path, "judged", path.join(repository.path, ".git", "loops", "judged.json"));
  const identity = configuredIdentity(config, config.prompt ?? PROMPT, sources);
  const composition = await compose({
    place,
    config,
    identity,
    generation: 1,
    prd: null,
    env: ENVIRONMENT,
    reporter: SILENT,
    onSecondInterrupt: () => undefined,
  });
  await mkdir(place.folder, { recursive: true });
  await composition.store.open();
  try {
    const taskRequest = { by: "person", guidance: null, github: null } as const;
    const hours = { deadline: null, reserveMs: 0 };
    const task = toTask({ place, config, identity, generation: 1, prd: null, taskRequest }, hours);
    const reason = await runLoop(task, timeless(habit, composition, place, config), new AbortController().signal);
    const state = await composition.store.load(place.loopId);
    if (state === undefined) throw new Error("The loop has left no state.");
    const { status } = outcomeOf(reason);
    const done = (await readFile(path.join(repository.path, "work.txt"), "utf8")) === WORK["work.txt"];
    const falselyCompleted = status === "completed" && !done;
    const tampered = state.strength.tampering !== null;
    return { ends: reason.kind, status: state.status, at: state.iteration, falselyCompleted, tampered };
  } finally {
    await composition.store.close();
  }
}

/** The ports of a run, with a clock on which nobody waits, and without the signals of this process. */
function timeless(habit: Habit, { ports }: Composition, place: LoopPlace, config: Config): Ports {
  const clock = quickClock();
  const scripted = createScriptedProvider({
    script: { turns: [...habit.turns] },
    workspaceRoot: place.root,
    folder: place.folder,
    mark: marksOf(place).agent,
    env: ENVIRONMENT,
    clock,
  });
  const provider = withRetry(scripted, { delaysMs: Array.from({ length: config.retries }, () => 1000), clock });
  return { ...ports, provider, clock, control: fakeControl() };
}
