/** A value that later steps of the job can use. */
interface Output {
  readonly name: string;
  /** one sentence: what it holds */
  readonly help: string;
}

/** Every output of the Action, always set, "" where there is nothing to tell. `action.yml` and the README come from here. */
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
  { name: "branch", help: "The branch that holds the work; empty when the loop did not push any." },
  { name: "pr-number", help: "The number of the loop's pull request; empty without one." },
  { name: "pr-url", help: "The address of the loop's pull request; empty without one." },
  { name: "artifact-id", help: "The number of the artifact with the loop's files; empty when none was uploaded." },
] as const satisfies readonly Output[];

export type OutputName = (typeof OUTPUTS)[number]["name"];

/** A value for every output. */
export type Outputs = Readonly<Record<OutputName, string>>;
