import { type CommandGateOptions, createCommandGate } from "../../src/checks/command-gate.ts";
import type { Gate } from "../../src/core/ports.ts";
import type { Checks } from "../../src/core/task.ts";
import type { Evidence } from "../../src/core/verdict.ts";
import { systemClock } from "../../src/os/clock.ts";

const NO_CHECKS: Checks = { successCommand: null, successShell: null, quality: [], ci: null };
export const EVIDENCE: Evidence = { iteration: 1, occasion: "turn", deadline: null };
export const ENV = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent" };
/** A signal that does not abort. */
export const never = new AbortController().signal;

let marks = 0;

/** A command gate with these checks in a folder. */
export function gateIn(root: string, checks: Partial<Checks>, options: Partial<CommandGateOptions> = {}): Gate {
  return createCommandGate({
    checks: { ...NO_CHECKS, ...checks },
    workspaceRoot: root,
    env: ENV,
    mark: `gate-test-${process.pid}-${marks++}`,
    timeoutMs: 20_000,
    observe: () => {},
    clock: systemClock,
    ...options,
  });
}
