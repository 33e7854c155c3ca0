import { isDispatchable } from "../../core/repair/workflow-command.ts";
import {
  type Asks,
  type LoopStep,
  Words,
  asked,
  both,
  ciFile,
  continues,
  declaresInput,
  deploying,
  either,
  has,
  hasOtherToken,
  hasPlan,
  hears,
  heldByItself,
  is,
  isHere,
  mayStop,
  namesProof,
  not,
  outlivesToken,
  publishes,
  relayTargets,
  tries,
  unfound,
  unprovable,
  waits,
  withheld,
  withholding,
  word,
  wordsIn,
} from "./step.ts";

/** Something that a step of ours needs in its workflow. */
export interface Need {
  /** what does not work without it, as part of a sentence */
  readonly why: string;
  /** the line to add, as it stands in the file */
  readonly line: string | ((step: LoopStep) => string);
  /** where the line is one of `permissions:` */
  readonly permission?: string;
  /** whether only people can tell that it is missing: told, and no gap */
  readonly isPerhaps?: true;
  /**
   * who tells a running job before its first turn: `file`, the checks on GitHub, from the job's own file; `run`, what
   * knows better there: the settings, GitHub's answers, the job's end. A relay has no turn: its own run tells.
   */
  readonly before: "file" | "run";
  readonly isNeeded: Asks;
  readonly isThere: Asks;
  /** the files that lack it, where that is not the one in which the step stands */
  readonly files?: (step: LoopStep) => readonly string[];
}

function permission(scope: string, level: "read" | "write", why: string, isNeeded: Asks): Need {
  const permission = `${scope}: ${level}`;
  return {
    why,
    line: `permissions: ${permission}`,
    permission,
    before: "file",
    isNeeded,
    isThere: (step) => withholding(step, scope, level).length === 0,
    files: (step) => withholding(step, scope, level),
  };
}

/** Something of the `concurrency:` that a step waits by, wherever it stands. */
function ofWaiting({ lacks, ...need }: Omit<Need, "isThere" | "files"> & { readonly lacks: Lacks }): Need {
  const files = (step: LoopStep) => waits(step).flatMap((one) => (lacks(one) ? [one.file] : []));
  return { ...need, isThere: (step) => files(step).length === 0, files };
}

type Lacks = (waiting: ReturnType<typeof waits>[number]) => boolean;

const INPUT = 'on: workflow_dispatch: { inputs: { smithers: { type: string, default: "" } } }';
const GROUP = 'concurrency: { group: "smithers-${{ github.run_id }}", queue: max }';
const works = is("loop", "run");
/** What events start is said there, whatever it calls. */
const started = ({ file }: LoopStep): readonly string[] => [file];

/**
 * All that a step of ours can lack in its workflow, with what happens without it and the line to add: the one table that
 * `doctor` and the checks before the first turn go by (C111).
 */
export const NEEDS: readonly Need[] = [
  permission(
    "contents",
    "write",
    "the branch cannot be pushed, nor the loop kept",
    either(publishes, both(is("land")), both(is("plan"), not(tries))),
  ),
  permission("contents", "write", "pause, stop and cancel do not reach a loop that runs", is("relay")),
  permission("contents", "read", "the loop's earlier runs cannot be read", is("run", "plan")),
  permission(
    "pull-requests",
    "write",
    "there is no pull request, no comment and no answer, and nobody is asked for a review or mentioned",
    either(publishes, is("relay", "land")),
  ),
  permission("pull-requests", "write", "who asks for a wave gets no answer", both(is("plan"), not(tries))),
  permission(
    "issues",
    "write",
    "/smithers prd on an issue is neither read nor answered",
    both(is("plan"), not(tries), ({ isAskedForPrd }) => isAskedForPrd),
  ),
  permission("pull-requests", "read", "the pull request that a loop works on cannot be read", is("run", "plan")),
  permission(
    "statuses",
    "write",
    "the commit status smithers/loop is missing, and results of CI cannot stand under the names of required checks",
    publishes,
  ),
  permission("issues", "write", "the labels cannot be made at a HARD STOP", both(publishes, mayStop)),
  permission(
    "issues",
    "write",
    "a command on an issue gets no answer",
    both(is("relay"), hears("issues", "issue_comment")),
  ),
  permission(
    "issues",
    "write",
    "an issue is not told what becomes of it",
    both(publishes, asked("issues", "issue_comment")),
  ),
  permission(
    "issues",
    "read",
    "the issue that is the task cannot be read",
    both(is("run"), asked("issues", "issue_comment")),
  ),
  permission(
    "checks",
    "read",
    "what a failed run says about places in files is not read",
    both(works, asked("workflow_run")),
  ),
  permission("actions", "write", "the relay cannot start the run that works", is("relay")),
  permission("actions", "write", "the loop cannot start its next run", both(is("loop", "publish"), continues)),
  permission("actions", "write", "the next wave cannot be started", both(is("land"), not(both(tries)))),
  permission("actions", "write", "ci-workflow cannot be run", both(is("loop"), has("ci-workflow"))),
  permission(
    "actions",
    "write",
    "the jobs that failed cannot be run again to prove a repair",
    both(is("loop"), asked("workflow_run"), not(namesProof), hears("workflow_run")),
  ),
  permission(
    "actions",
    "read",
    "the artifacts of earlier runs are not found, nor when the job began",
    is("loop", "run", "publish", "plan", "land"),
  ),
  {
    why: "the run is refused: an App's id without its key makes no token",
    line: "with: app-private-key: ${{ secrets.APP_PRIVATE_KEY }}",
    before: "run",
    isNeeded: has("app-id"),
    isThere: has("app-private-key"),
  },
  {
    why: "the run is refused: an App's key without its id makes no token",
    line: "with: app-id: ${{ vars.APP_ID }}",
    before: "run",
    isNeeded: has("app-private-key"),
    isThere: has("app-id"),
  },
  {
    why: "GitHub ends an App's token an hour after a step has made it, and this job may take longer: the loop ends before that",
    line: 'with: { app-id: "${{ vars.APP_ID }}", app-private-key: "${{ secrets.APP_PRIVATE_KEY }}" }, in place of github-token',
    before: "run",
    isNeeded: is("loop", "run", "land"),
    isThere: not(outlivesToken),
  },
  {
    why: "protected-paths opens workflow files, which the job's own token can never push",
    line: "with: github-token: a token of a GitHub App, or a fine-grained one, with “Workflows: read and write”",
    before: "run",
    isNeeded: both(publishes, ({ inputs }) =>
      /!\s*\.github(?:\/workflows)?(?:\/|\b)/u.test(word(inputs["protected-paths"])),
    ),
    isThere: hasOtherToken,
  },
  {
    why: "work that GitHub does not take is kept by nothing in a public repository",
    line: "with: carriers: ref, artifact, cache",
    before: "run",
    isNeeded: both(publishes, has("carriers"), ({ inputs }) => inputs["carriers"] !== "none"),
    isThere: either(has("state-key"), ({ inputs }) => /artifact/u.test(word(inputs["carriers"]))),
  },
  {
    why: "the relay and self-continue start it by this input",
    line: INPUT,
    before: "file",
    isNeeded: both(
      is("loop", "publish", "land"),
      either(
        continues,
        both(is("land"), not(tries)),
        (step) => step.isStarted || relayTargets(step).includes(step.file),
      ),
    ),
    isThere: ({ file, workflows }) => declaresInput(workflows.get(file)),
    files: started,
  },
  {
    why: "the relay has no workflow to start",
    line: "with: relay-to: the file of one that is here, as worker.yml",
    before: "file",
    isNeeded: is("relay"),
    isThere: (step) => isHere(relayTargets(step)[0] ?? "", step),
  },
  {
    why: "/smithers prd has no workflow to start",
    line: "with: relay-prd-to: the file of one that is here and has job: plan, as prd.yml",
    before: "file",
    isNeeded: both(is("relay"), has("relay-prd-to")),
    isThere: (step) => isHere(word(step.inputs["relay-prd-to"]), step),
  },
  {
    why: "ci-workflow names a file that is not here, so that nothing could prove the work",
    line: "with: ci-workflow: the file of the workflow that tests the work",
    before: "run",
    isNeeded: both(is("loop"), has("ci-workflow")),
    isThere: (step) => isHere(ciFile(step), step) && ciFile(step) !== step.file,
  },
  {
    why: "GitHub starts the workflow that ci-workflow names only where it can be started by hand without inputs",
    line: (step) => `on: workflow_dispatch: in ${ciFile(step)}, here and on the default branch`,
    before: "run",
    isNeeded: both(is("loop"), (step) => step.workflows.has(ciFile(step))),
    isThere: (step) => isDispatchable(step.workflows.get(ciFile(step))),
  },
  {
    why: "no workflow here has the name that workflow_run waits for",
    line: (step) =>
      `on: workflow_run: { workflows: [the name: of one that is here, not ${unfound(step)?.name}], types: [completed] }`,
    before: "file",
    isNeeded: hears("workflow_run"),
    isThere: (step) => unfound(step) === undefined,
    files: started,
  },
  {
    why: "a failure whose command cannot be run here could be proved by nothing, and is refused",
    line: (step) =>
      `on: workflow_dispatch: in ${unprovable(step)?.found}, here and on the default branch; or with: success-sh:`,
    before: "file",
    isNeeded: both(works, hears("workflow_run"), not(namesProof)),
    isThere: (step) => unprovable(step) === undefined,
  },
  {
    why: "a workflow that deploys to an environment is started for no work that nobody has seen, so that a failure of it could be proved by nothing",
    line: (step) =>
      `with: success-sh: a command that shows the failure; or with: ci-workflow: ${deploying(step)?.found}, where it may be started all the same`,
    before: "file",
    isNeeded: both(works, hears("workflow_run"), not(namesProof)),
    isThere: (step) => deploying(step) === undefined,
  },
  {
    why: "two runs of one loop would work at once",
    line: "concurrency: { group: smithers, queue: max }",
    before: "file",
    isNeeded: both(is("loop"), not(hasPlan)),
    isThere: (step) => waits(step).length > 0,
    files: started,
  },
  ofWaiting({
    why: "GitHub silently drops a run that waits when the next one comes",
    line: "concurrency: queue: max",
    before: "file",
    isNeeded: is("loop"),
    lacks: ({ keepsAll, kills }) => !keepsAll && !kills,
  }),
  ofWaiting({
    why: "a newer run would kill the loop in the middle of its turn",
    line: "concurrency: cancel-in-progress: false",
    before: "file",
    isNeeded: is("loop", "run"),
    lacks: ({ kills }) => kills,
  }),
  ofWaiting({
    why: "what people ask would wait for the very run that it is for, as they all share one group",
    line: GROUP,
    before: "file",
    isNeeded: is("relay"),
    lacks: ({ group }) => group !== "" && !group.includes("${{"),
  }),
  {
    why: "GitHub cancels the run at once: this job waits for a group that its own run holds, by the concurrency: around it",
    line: (step) =>
      `concurrency: { group: ${JSON.stringify(`${heldByItself(step)?.group}-job`)}, queue: max }, in place of the same group there`,
    before: "run",
    isNeeded: () => true,
    isThere: (step) => heldByItself(step) === undefined,
    files: (step) => [heldByItself(step)?.file ?? step.at],
  },
  {
    why: "checks see nothing of what setup steps and env: put there (check-env: minimal); where a check needs it",
    line: "with: check-env: job",
    isPerhaps: true,
    before: "file",
    isNeeded: both(works, ({ inputs }) => inputs["check-env"] === "minimal"),
    isThere: ({ job }) => !job.steps.some(({ uses = "" }) => /\/setup-\w+@/u.test(uses)),
  },
  {
    why: "checks see no variable that holds a secret; where a check needs it",
    line: (step) => `with: pass-env: ${withheld(step).join(", ")}`,
    isPerhaps: true,
    before: "file",
    isNeeded: works,
    isThere: (step) => withheld(step).length === 0,
  },
  {
    why: "the Action does not run on Windows yet",
    line: "runs-on: ubuntu-24.04",
    before: "run",
    isNeeded: () => true,
    isThere: ({ job }) => !wordsIn(job["runs-on"]).some((label) => /^windows/iu.test(label)),
  },
  {
    why: "GitHub's runner starts no action in an Alpine container on ARM",
    line: "container: an image with glibc, such as node:24-bookworm",
    before: "run",
    isNeeded: ({ job }) => wordsIn(job["runs-on"]).some((label) => /\barm(?:64)?\b/iu.test(label)),
    isThere: ({ job }) => !/alpine/iu.test(word(job["container"]) || word(Words.parse(job["container"])["image"])),
  },
  {
    why: "what it names changes with every commit, and is no release",
    line: "uses: smithers/loop@v1",
    before: "file",
    isNeeded: () => true,
    isThere: ({ uses }) => !/@(?:main|master|HEAD)$/u.test(uses),
  },
];
