import type { CheckEvent, Gate } from "../core/ports.ts";
import type { Checks } from "../core/task.ts";
import type { CheckResult, Verdict } from "../core/verdict.ts";
import { type Check, qualityChecksOf, successCheckOf } from "./check.ts";
import { cutOffOf } from "./cut-off.ts";
import { type CheckOptions, runCheck } from "./run-check.ts";

export interface CommandGateOptions extends CheckOptions {
  readonly checks: Checks;
  /** for the eyes of people */
  readonly observe: (event: CheckEvent) => void;
}

/**
 * Proves with commands: the success check first, and only when it is green or there is none,
 * all quality checks, every one of which has to pass. `success-cmd` is started without a shell, the others
 * in a login shell. Each check runs outside the agent's sandbox, in a process tree of its own, of which nothing
 * survives.
 *
 * `judge` never rejects for what a command does.
 */
export function createCommandGate(options: CommandGateOptions): Gate {
  const searchPath = options.env["PATH"] ?? "";
  const success = successCheckOf(options.checks, searchPath);
  const quality = qualityChecksOf(options.checks, searchPath);
  if (success === undefined && quality.length === 0) throw new Error("a command gate without checks");

  return {
    async judge(evidence, signal) {
      const cut = cutOffOf(evidence, signal, options.clock);
      try {
        const judged = new Judgement(options, cut.signal);
        if (success !== undefined && !(await judged.passes(success))) return judged.verdict();
        for (const check of quality) {
          await judged.passes(check);
          if (judged.over) break;
        }
        return judged.verdict();
      } finally {
        cut.release();
      }
    },
  };
}

/** The checks of one verdict as they come in. */
class Judgement {
  readonly #options: CommandGateOptions;
  readonly #signal: AbortSignal;
  readonly #checks: CheckResult[] = [];
  #end: Exclude<Verdict, { result: "passed" | "failed" }> | undefined;

  constructor(options: CommandGateOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Whether there is nothing more to find out. */
  get over(): boolean {
    return this.#end !== undefined;
  }

  async passes(check: Check): Promise<boolean> {
    if (this.#signal.aborted) {
      this.#end = { result: "cut_off", checks: this.#checks };
      return false;
    }
    this.#options.observe({ type: "check.started", command: check.command });
    const run = await runCheck(check, this.#options, this.#signal);
    this.#checks.push(run.result);
    this.#options.observe({ type: "check.ended", check: run.result });
    if (run.cutOff) this.#end = { result: "cut_off", checks: this.#checks };
    if (run.problem !== undefined) this.#end = { result: "unrunnable", checks: this.#checks, problem: run.problem };
    return isGreen(run.result);
  }

  verdict(): Verdict {
    return this.#end ?? { result: this.#checks.every(isGreen) ? "passed" : "failed", checks: this.#checks };
  }
}

function isGreen(check: CheckResult): boolean {
  return check.exitCode === 0;
}
