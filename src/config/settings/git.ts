import type { StopKind } from "../../core/outcome.ts";
import { OUTCOMES } from "../../core/outcomes.ts";
import type { Setting } from "../setting.ts";
import { branchTemplate, workflowFile } from "./checks.ts";

const OUTCOME_ROWS = Object.values(OUTCOMES);

const STOP_KINDS = Object.keys(OUTCOMES).filter((kind): kind is StopKind => kind in OUTCOMES);

/** Every name that an ending has: of its state, and of its reason. */
const ENDINGS = [...new Set([...OUTCOME_ROWS.map(({ status }) => status), ...STOP_KINDS])];

/** The states that are a failure of the job unless somebody says otherwise (section 4.5). */
const FAILED_STATES = [...new Set(OUTCOME_ROWS.filter(({ job }) => job === "fail").map(({ status }) => status))];

/** What the loop does with the repository and on GitHub. */
export const GIT_SETTINGS = [
  {
    name: "github-token",
    group: "git",
    type: "string",
    default: null,
    placeholder: "token",
    secret: true,
    surface: "action",
    where: ["environment", "input"],
    help: "The token for the loop's git ref and for GitHub's API; the agent never sees it.",
  },
  {
    name: "fail-on",
    group: "git",
    type: "list",
    default: FAILED_STATES,
    choices: ENDINGS,
    emptyWord: "none",
    commas: true,
    placeholder: "state",
    surface: "action",
    where: ["environment", "input"],
    help: "The endings that fail the job, as names of states or stop reasons.",
  },
  {
    name: "commit",
    group: "git",
    type: "choice",
    choices: ["never", "end", "iteration"],
    default: "never",
    actionDefault: "end",
    help: "When the engine commits the work on the current branch: never, at the end, or after every iteration.",
  },
  {
    name: "sign-commits",
    group: "git",
    type: "boolean",
    default: false,
    surface: "action",
    where: ["environment", "input"],
    help: "Makes the commits by GitHub's API, which signs those of a job's or an App's token: they are shown as verified.",
  },
  {
    name: "pull-request",
    group: "git",
    type: "choice",
    choices: ["auto", "draft", "never"],
    default: "auto",
    surface: "action",
    where: ["environment", "input"],
    help: "Pushes the committed work and opens a pull request: ready when the work is proved, else a draft; draft never marks it ready.",
  },
  {
    name: "branch",
    group: "git",
    type: "string",
    default: "smithers/<loop-id>",
    placeholder: "name",
    check: branchTemplate,
    surface: "action",
    where: ["environment", "input"],
    help: "The branch that the work goes to; <loop-id> stands for the loop's name. A loop on a pull request uses that one's.",
  },
  {
    name: "base",
    group: "git",
    type: "string",
    default: null,
    placeholder: "branch",
    check: branchTemplate,
    surface: "action",
    where: ["environment", "input"],
    help: "The branch that the pull request is for; without it, the one that the workflow runs on.",
  },
  {
    name: "ci-workflow",
    group: "git",
    type: "string",
    default: null,
    placeholder: "file",
    check: workflowFile,
    surface: "action",
    where: ["environment", "input"],
    help: "A workflow that proves the work, such as ci.yml: run on the loop's branch when the other checks are green; its verdict counts.",
  },
  {
    name: "status-comment",
    group: "git",
    type: "boolean",
    default: true,
    surface: "action",
    where: ["environment", "input"],
    help: "Keeps one comment on the pull request that tells how the loop is doing.",
  },
  {
    name: "job",
    group: "git",
    type: "choice",
    choices: ["loop", "relay"],
    default: null,
    surface: "action",
    where: ["environment", "input"],
    help: "What this step is: loop runs the agent, relay hands what people ask for on to the workflow that does, and clears up behind closed pull requests; without it, relay for comments, labels, closed pull requests and failed runs.",
  },
  {
    name: "relay-to",
    group: "git",
    type: "string",
    default: null,
    placeholder: "file",
    check: workflowFile,
    surface: "action",
    where: ["environment", "input"],
    help: "The workflow that a relay starts, such as smithers.yml; without it, its own.",
  },
  {
    name: "allowed-bots",
    group: "git",
    type: "list",
    default: [],
    commas: true,
    placeholder: "login",
    surface: "action",
    where: ["environment", "input"],
    help: "Bots whose comments and labels count like a person's who may write; nobody else's do.",
  },
  {
    name: "self-continue",
    group: "git",
    type: "choice",
    choices: ["never", "auto"],
    default: "never",
    surface: "action",
    where: ["environment", "input"],
    help: "With auto, a loop that ran out of its job's time starts its next run by itself: 20 times in a row at most, until it has worked for max-total-minutes, or 24 hours where that is off.",
  },
  {
    name: "preflight",
    group: "git",
    type: "choice",
    choices: ["fail", "warn"],
    default: "fail",
    surface: "action",
    where: ["environment", "input"],
    help: "When the token is seen to lack what publishing takes: fail ends the run before anything is spent, warn only tells.",
  },
] as const satisfies readonly Setting[];
