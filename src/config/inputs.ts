/** What the variables begin with in which the runner hands over inputs: `INPUT_MAX-ITERATIONS`. */
export const INPUT_PREFIX = "INPUT_";

/** Inputs that nobody sets: their defaults in `action.yml` tell what no variable of the runner does. */
export const CONTEXT_INPUTS = [
  {
    name: "matrix",
    value: "${{ toJSON(matrix) }}",
    help: "Tells the legs of a matrix apart, so that each has a loop of its own.",
  },
  {
    name: "job-check-run-id",
    value: "${{ job.check_run_id }}",
    help: "The job's number, by which GitHub tells when it began.",
  },
] as const;

export type ContextInput = (typeof CONTEXT_INPUTS)[number]["name"];

/** The value of a context input; "" where the server does not know it. */
export function contextInput(env: Readonly<Record<string, string | undefined>>, name: ContextInput): string {
  return env[`${INPUT_PREFIX}${name.toUpperCase()}`]?.trim() ?? "";
}
