import type { Registered } from "../agents/registry.ts";
import { UsageError } from "../core/errors.ts";
import type { CheckEvent, Gate, Workspace } from "../core/ports.ts";
import { hasCommands } from "../core/task.ts";
import { allOf } from "../checks/gates.ts";
import { createCommandGate } from "../checks/command-gate.ts";
import { systemClock } from "../os/clock.ts";
import { childEnvironment } from "../os/environment.ts";
import type { Blueprint } from "./compose.ts";
import { marksOf } from "../store/place.ts";

const MINUTE_MS = 60_000;

/** What a gate that asks CI is made from. */
export interface CiMeans {
  /** `ci-workflow` */
  readonly file: string;
  readonly workspace: Workspace;
  readonly observe: (event: CheckEvent) => void;
}

/** The gate of a loop, by what its task says of its checks: what runs here goes before CI. */
export function createGate(blueprint: Blueprint, registered: Registered, workspace: Workspace): Gate {
  const { checks } = blueprint.identity;
  const observe = (event: CheckEvent): void => blueprint.reporter.observe(event);
  const gates = [
    ...(hasCommands(checks) ? [commandGate(blueprint, registered, observe)] : []),
    ...(checks.ci === null ? [] : [blueprint.ci?.({ file: checks.ci, workspace, observe }) ?? NOT_HERE]),
  ];
  return gates.length === 0 ? NO_CHECKS : allOf(gates);
}

function commandGate(
  { place, config, identity, env }: Blueprint,
  { sandboxed }: Registered,
  observe: (event: CheckEvent) => void,
): Gate {
  if (config.checkSandbox && sandboxed === undefined) throw noSandbox(config.provider);
  return createCommandGate({
    checks: identity.checks,
    workspaceRoot: place.root,
    env: childEnvironment(env, config.passEnv),
    mark: marksOf(place).checks,
    timeoutMs: config.checkTimeoutMinutes * MINUTE_MS,
    ...(config.checkSandbox && sandboxed !== undefined ? { wrap: sandboxed } : {}),
    clock: systemClock,
    observe,
  });
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
    if (occasion === "first") return { result: "passed", checks: [] };
    const problem = {
      code: "CI_UNRUNNABLE",
      what: "CI proves this loop's work (ci-workflow), and it is only asked inside a GitHub Actions job. The work is unharmed.",
      next: "Let the loop go on by its workflow, or start another one here without ci-workflow.",
    };
    return { result: "unrunnable", checks: [], problem };
  },
};

function noSandbox(provider: string): UsageError {
  return new UsageError([
    {
      code: "CHECK_SANDBOX_UNAVAILABLE",
      what: `check-sandbox is on, but provider ${provider} has no sandbox to run the checks in.`,
      next: "Use --no-check-sandbox, or provider codex.",
    },
  ]);
}
