import { OUTPUTS } from "../../config/outputs.ts";
import { UsageError } from "../../core/errors.ts";
import type { RunnerLog } from "../../platform/runner-log.ts";
import { presentError } from "../present-error.ts";
import { asInputs } from "../../views/as-inputs.ts";

/** Says what went wrong: an annotation for each problem, and outputs for steps that look at them. Never throws. */
export async function tellError(error: unknown, log: RunnerLog): Promise<void> {
  const { problems, text } = presentError(error, "smithers");
  const [first] = problems;
  if (first?.code === "BUG") log.foreign(text);
  for (const { what, next } of problems) log.error(asInputs(`${what}\nNext: ${next}`));
  try {
    const { setOutputs } = await import("../../reporters/job-files.ts");
    const known = { status: "error", "stop-reason": error instanceof UsageError ? "config" : "", resumable: "true" };
    setOutputs({ ...Object.fromEntries(OUTPUTS.map(({ name }) => [name, ""])), ...known });
  } catch {
    // Where there is nobody to hand outputs to, the annotation is all there is.
  }
}
