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
      let repeated: number | undefined;
      for (const gate of gates) {
        const verdict = await gate.judge(evidence, signal);
        checks.push(...verdict.checks);
        if (verdict.result !== "passed") return { ...verdict, checks };
        repeated ??= verdict.repeated;
      }
      return { result: "passed", checks, ...(repeated === undefined ? {} : { repeated }) };
    },
  };
}

/** Names beyond these are counted. */
const MOST_NAMES = 20;

/** A gate that says once, when it is not green, which variables its checks did not get. @param withheld their names */
export function tellingWithheld(gate: Gate, withheld: readonly string[], notice: (text: string) => void): Gate {
  let isTold = withheld.length === 0;
  return {
    async judge(evidence, signal) {
      const verdict = await gate.judge(evidence, signal);
      if (isTold || (verdict.result !== "failed" && verdict.result !== "unrunnable")) return verdict;
      isTold = true;
      const more = withheld.length > MOST_NAMES ? ` and ${withheld.length - MOST_NAMES} more` : "";
      notice(
        `Checks did not get ${withheld.slice(0, MOST_NAMES).join(", ")}${more}, because these variables look like secrets or steer every program. If a check needs one, name it in pass-env; the agent sees it then as well.`,
      );
      return verdict;
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
