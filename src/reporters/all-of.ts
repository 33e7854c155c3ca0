import type { Reporter } from "../core/ports.ts";

/** Calls all of them; one that fails hurts neither the others nor the loop. */
export function allOf(reporters: readonly Reporter[]): Reporter {
  const each = (tell: (reporter: Reporter) => void): void => {
    for (const reporter of reporters) {
      try {
        tell(reporter);
      } catch {
        // The contract says that reporters never throw; the loop must not pay for one that does.
      }
    }
  };
  return {
    report: (event, state) => each((reporter) => reporter.report(event, state)),
    observe: (event) => each((reporter) => reporter.observe(event)),
    async flush(deadline) {
      await Promise.allSettled(reporters.map((reporter) => reporter.flush(deadline)));
    },
  };
}
