import { OUTCOMES, type StopKind } from "../../core/outcome.ts";
import { ACTION_ONLY, NOT_FROM_FILES, type SettingRows } from "../setting.ts";
import { branchTemplate, globs, logins, loginsOrTeams, oneLine, SOME_OF, workflowFile } from "./checks.ts";
import { actsUnless, FREE, RUNS } from "./consent.ts";

const OUTCOME_ROWS = Object.values(OUTCOMES);

const STOP_KINDS = Object.keys(OUTCOMES).filter((kind): kind is StopKind => kind in OUTCOMES);

/** Every name that an ending has: of its state, and of its reason. */
const ENDINGS = [...new Set([...OUTCOME_ROWS.map(({ status }) => status), ...STOP_KINDS])];

/** The states that are a failure of the job unless somebody says otherwise (section 4.5). */
const FAILED_STATES = [...new Set(OUTCOME_ROWS.filter(({ job }) => job === "fail").map(({ status }) => status))];

/** Of a setting that only means something on a person's machine. */
const NOT_IN_A_JOB = { surface: "command-line", where: ["flag", "environment", "file"] } as const;

/** An App's number, or its client id. */
function appId(value: string): string | undefined {
  return /^(?:\d{1,20}|[A-Za-z][\w.-]{5,99})$/u.test(value)
    ? undefined
    : "an App ID such as 123456, or a client ID such as Iv23liAbCdEfGhIjKlMn";
}

/** What the loop does with the repository and on GitHub. */
export const GIT_SETTINGS = {
  "github-token": {
    is: { type: "string", default: null, placeholder: "token", secret: true, ...ACTION_ONLY },
    help: "The token for the loop's git ref and for GitHub's API; the agent never sees it.",
    consent: FREE,
  },
  "app-id": {
    is: { type: "string", default: null, placeholder: "id", check: appId, ...ACTION_ONLY },
    help: "The App ID or client ID of a GitHub App that asks GitHub in place of github-token, with tokens that are renewed while the loop runs; needs app-private-key.",
    consent: FREE,
  },
  "app-private-key": {
    is: { type: "string", default: null, placeholder: "pem", secret: true, ...ACTION_ONLY },
    help: "The App's private key, as its .pem file has it; the agent never sees it, nor the tokens that are made with it.",
    consent: FREE,
  },
  "fail-on": {
    is: { ...SOME_OF, default: FAILED_STATES, choices: ENDINGS, placeholder: "state", ...ACTION_ONLY },
    help: "The endings that fail the job, as names of states or stop reasons.",
    consent: FREE,
  },
  commit: {
    is: {
      type: "choice",
      choices: ["never", "end", "iteration", "story"],
      default: "never",
      actionDefault: "end",
      derived: "story with backlog prd, else never, in the Action end",
    },
    help: "When the engine commits the work on the current branch: never, at the end, after every iteration, or one commit for each story that has passed.",
    consent: actsUnless("never"),
  },
  "protected-paths": {
    is: { type: "list", default: [], commas: false, placeholder: "glob", check: globs, ...NOT_FROM_FILES },
    help: "More paths that the agent may not change, in addition to workflows, CODEOWNERS, agents' instructions and the loop's configuration; ! in front of a glob opens it. No file of the repository and no word of the task can.",
    consent: FREE,
  },
  "sign-commits": {
    is: { type: "boolean", default: false, ...ACTION_ONLY },
    help: "Makes the commits by GitHub's API, which signs those of a job's or an App's token: they are shown as verified.",
    consent: FREE,
  },
  "pull-request": {
    is: { type: "choice", choices: ["auto", "draft", "never"], default: "auto", ...ACTION_ONLY },
    help: "Pushes the committed work and opens a pull request: ready when the work is proved, else a draft; draft never marks it ready.",
    consent: FREE,
  },
  branch: {
    is: {
      type: "string",
      default: "smithers/<loop-id>",
      placeholder: "name",
      check: branchTemplate,
      ...NOT_FROM_FILES,
    },
    help: "The branch that the work goes to; <loop-id> stands for the loop's name. A loop on a pull request uses that one's. On your machine only for a PRD: without it, the branch that prd.json names, else the one that is checked out.",
    consent: FREE,
  },
  worktree: {
    is: { type: "choice", choices: ["off", "on"], default: "off", ...NOT_IN_A_JOB },
    help: "With on, a PRD's stories are worked on in a git work tree beside the checkout, which stays free for you; it is kept until its branch is merged or prd clean removes it.",
    consent: FREE,
  },
  "worktree-setup": {
    is: { type: "string", default: null, placeholder: "shell", check: oneLine, ...NOT_IN_A_JOB },
    help: "With worktree on: installs what the checks need, such as npm ci; run once in a new work tree, isolated as checks are, and again when it failed.",
    consent: RUNS,
  },
  base: {
    is: { type: "string", default: null, placeholder: "branch", check: branchTemplate, ...ACTION_ONLY },
    help: "The branch that the pull request is for; without it, the one that the workflow runs on.",
    consent: FREE,
  },
  "ci-workflow": {
    is: { type: "string", default: null, placeholder: "file", check: workflowFile, ...ACTION_ONLY },
    help: "A workflow that proves the work, such as ci.yml: run on the loop's branch when the other checks are green; its verdict counts.",
    consent: FREE,
  },
  "status-comment": {
    is: { type: "boolean", default: true, ...ACTION_ONLY },
    help: "Keeps one comment on the pull request that tells how the loop is doing.",
    consent: FREE,
  },
  reviewers: {
    is: { type: "list", default: [], commas: true, placeholder: "login", check: logins, ...ACTION_ONLY },
    help: "Who is asked for a review at a HARD STOP, when the loop is blocked or gives up, and when it is done; mentioned instead while the pull request is a draft.",
    consent: FREE,
  },
  notify: {
    is: { type: "list", default: [], commas: true, placeholder: "login", check: loginsOrTeams, ...ACTION_ONLY },
    help: "Who is mentioned then, once: logins and teams; none for nobody. Without reviewers and notify: who let the loop run, else who committed what it began from.",
    consent: FREE,
  },
  job: {
    is: { type: "choice", choices: ["loop", "relay", "run", "publish", "plan", "land"], default: null, ...ACTION_ONLY },
    help: "What this step is: loop runs the agent and publishes its work; run only runs it, with a token that reads, and publish, in a later job of the same run, publishes what that has handed over; plan chooses the stories of a PRD that run side by side, and land puts them on its branch, or with attempts they name several agents' loops for one task and choose the best; relay hands what people ask for on to the workflow that does, and clears up behind closed pull requests. Without it, relay for comments, labels, closed pull requests and failed runs, else loop.",
    consent: FREE,
  },
  "handed-over": {
    is: { type: "number", default: null, min: 1, max: Number.MAX_SAFE_INTEGER, ...ACTION_ONLY },
    help: "For job publish: the artifact of this run that has the work, from the output artifact-id of job run; without it, the newest one of the loop.",
    consent: FREE,
  },
  "relay-to": {
    is: { type: "string", default: null, placeholder: "file", check: workflowFile, ...ACTION_ONLY },
    help: "The workflow that a relay starts, such as smithers.yml; without it, its own.",
    consent: FREE,
  },
  "relay-prd-to": {
    is: { type: "string", default: null, placeholder: "file", check: workflowFile, ...ACTION_ONLY },
    help: "The workflow that a relay starts for /smithers prd, such as prd.yml; without it, that of relay-to.",
    consent: FREE,
  },
  "allowed-bots": {
    is: { type: "list", default: [], commas: true, placeholder: "login", ...ACTION_ONLY },
    help: "Bots whose comments and labels count like a person's who may write; nobody else's do.",
    consent: FREE,
  },
  "self-continue": {
    is: { type: "choice", choices: ["never", "auto"], default: "never", ...ACTION_ONLY },
    help: "With auto, a loop that ran out of its job's time starts its next run by itself: 20 times in a row at most, until it has worked for max-total-minutes, or 24 hours where that is off.",
    consent: FREE,
  },
  preflight: {
    is: { type: "choice", choices: ["fail", "warn"], default: "fail", ...ACTION_ONLY },
    help: "When the token is seen to lack what publishing takes: fail ends the run before anything is spent, warn only tells.",
    consent: FREE,
  },
} as const satisfies SettingRows;
