import { OUTCOMES } from "../../core/outcome.ts";
import type { Setting } from "../setting.ts";

const OUTCOME_ROWS = Object.values(OUTCOMES);

/** Every name that an ending has: of its state, and of its reason. */
const ENDINGS = [...new Set([...OUTCOME_ROWS.map(({ status }) => status), ...Object.keys(OUTCOMES)])];

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
] as const satisfies readonly Setting[];
