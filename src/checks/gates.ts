import type { Clock, Gate } from "../core/ports.ts";
import type { CheckResult, Evidence } from "../core/verdict.ts";

/**
 * Proves with several gates, one after the other, what is quick and cheap first: the first verdict that is not green is
 * the verdict, and no later gate is asked. It has the checks of all that were.
 */
export function allOf(gates: readonly Gate[]): Gate {
  return {
    async judge(evidence, signal) {
      const checks: CheckResult[] = [];
      for (const gate of gates) {
        const verdict = await gate.judge(evidence, signal);
        checks.push(...verdict.checks);
        if (verdict.result !== "passed") return { ...verdict, checks };
      }
      return { result: "passed", checks };
    },
  };
}

/** Whether the evidence came too late; the machine may have slept past its deadline. */
export function isPast({ deadline }: Evidence, clock: Clock): boolean {
  return deadline !== null && deadline <= clock.now();
}

/** Judges with a signal that aborts with the gate's own or at the evidence's deadline, whichever comes first. */
export async function untilDeadline<T>(
  evidence: Evidence,
  signal: AbortSignal,
  clock: Clock,
  judge: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const late = new AbortController();
  if (isPast(evidence, clock)) late.abort();
  else if (evidence.deadline !== null) {
    void clock.sleepUntil(evidence.deadline, over.signal).then(() => late.abort());
  }
  try {
    return await judge(AbortSignal.any([signal, late.signal]));
  } finally {
    over.abort();
  }
}
