/** Prefix of the variables in which the runner passes inputs: `INPUT_MAX-ITERATIONS`. */
export const INPUT_PREFIX = "INPUT_";

/** Inputs that nobody sets: their defaults in `action.yml` carry what no variable of the runner says. */
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

/** The value of a context input; "" where the server does not know it. */
export function contextInput(
  env: Readonly<Record<string, string | undefined>>,
  name: (typeof CONTEXT_INPUTS)[number]["name"],
): string {
  return env[`${INPUT_PREFIX}${name.toUpperCase()}`]?.trim() ?? "";
}

/** Every output of the Action, always set; "" when it does not apply. `action.yml` and the README come from here. */
export const OUTPUTS = [
  { name: "status", help: "The loop's state, such as completed, waiting, paused_time_budget, stopped_max_iterations." },
  { name: "stop-reason", help: "Why the loop does not go on, such as promise, success_command, max_iterations." },
  { name: "resumable", help: "Whether a later run can go on with the loop: true or false." },
  { name: "next-reset-at", help: "When the limit ends that a waiting loop waits for; empty when it waits for none." },
  { name: "loop-id", help: "The loop's name, by which later runs find it." },
  { name: "iterations", help: "How many iterations the loop has taken, over all its runs." },
  { name: "final-message", help: "The agent's last message; a long one is cut." },
  { name: "summary-file", help: "The path of summary.json, for steps of the same job." },
  { name: "tokens-used", help: "How many tokens the loop has used, over all its runs." },
  {
    name: "cost-usd",
    help: "What the loop has cost in USD, estimated by list prices or as the agent says it; empty when nothing is known.",
  },
  { name: "branch", help: "The branch that holds the work; empty when the loop did not push any." },
  { name: "pr-number", help: "The number of the loop's pull request; empty without one." },
  { name: "pr-url", help: "The address of the loop's pull request; empty without one." },
  { name: "artifact-id", help: "The number of the artifact with the loop's files; empty when none was uploaded." },
] as const;

/** The outputs of job plan, always set there and nowhere else. None holds a word that somebody has chosen freely. */
export const PLAN_OUTPUTS = [
  {
    name: "matrix",
    help: "Of job plan: the matrix of the jobs that work, as JSON, with the loop of each, and for a PRD its story.",
  },
  {
    name: "stories",
    help: "Of job plan: how many stories this wave has, or how many agents try the task; 0 leaves their jobs out.",
  },
  { name: "prd", help: "Of job plan: the name of the PRD." },
  { name: "prd-branch", help: "Of job plan: the branch that the stories land on." },
  { name: "commit", help: "Of job plan: the commit that the work begins from." },
  { name: "wave", help: "Of job plan: the number of the wave that job land has to close; empty when there is none." },
] as const;

/** A value for every output of job plan. */
export type PlanOutputs = Readonly<Record<(typeof PLAN_OUTPUTS)[number]["name"], string>>;

/** A value for every output. */
export type Outputs = Readonly<Record<(typeof OUTPUTS)[number]["name"], string>>;
