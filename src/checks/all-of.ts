import type { Gate } from "../core/ports.ts";
import type { CheckResult } from "../core/verdict.ts";

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
