import { messageOf } from "../core/errors.ts";
import { MINIMUM_ITERATION_MS } from "../core/task.ts";
import { APPROVAL_ON_FAILURE, DANGER_IS_SAID, PROVIDER_HAS_ITS_PART, REVIEWER_HAS_ITS_PART } from "./agent-rules.ts";
import { type Finding, type Judged, notice, problem, type Rule, spelling } from "./rule.ts";
import { propertyName, type Surface } from "./setting.ts";
import { hasSandbox } from "./settings/agent.ts";

/** What asks whether the work is done. */
const CHECKS = ["successCmd", "successSh", "qualityCommands", "ciWorkflow"] as const;

/**
 * Settings that need writes with a read-only agent are told before a turn is spent (C3), if the agent has a sandbox. A
 * default commit does not contradict: it commits nothing.
 */
const SANDBOX_ALLOWS_THE_WORK: Rule = {
  about: ["provider", "sandbox", "fullAuto", "backlog", "commit", "job", ...CHECKS],
  judge: ({ config, sources, surface }) => {
    // No agent works there.
    if (config.job === "plan" || config.job === "land") return [];
    if (!hasSandbox(config.provider) || config.sandbox !== "read-only") return [];
    const needs = [
      ...(config.successCmd === null ? [] : ["success-cmd"]),
      ...(config.successSh === null ? [] : ["success-sh"]),
      ...(config.qualityCommands.length === 0 ? [] : ["quality-commands"]),
      ...(config.ciWorkflow === null ? [] : ["ci-workflow"]),
      ...(config.backlog === "prompt" ? [] : [`backlog ${config.backlog}`]),
      ...(config.commit === "never" || sources.commit.from === "default" ? [] : [`commit ${config.commit}`]),
    ];
    if (needs.length === 0) return [];
    return problem(
      "SANDBOX_READ_ONLY",
      `The sandbox is read-only (${sources.sandbox.where}), but ${needs.join(" and ")} only makes sense when the agent may change files.`,
      `Let it write to the workspace with ${spelling(surface, "sandbox", "workspace-write")} or ${spelling(surface, "full-auto", "on")}.`,
    );
  },
};

/** The seed's own example: an agent that may write nothing cannot tick what it has done (W-68). */
const TODO_CAN_BE_TICKED: Rule = {
  about: ["provider", "sandbox", "fullAuto", "todoFile", "backlog"],
  judge: ({ config, sources, surface }) =>
    config.todoFile !== null &&
    config.backlog === "prompt" &&
    hasSandbox(config.provider) &&
    config.sandbox === "read-only"
      ? notice(
          `The sandbox is read-only (${sources.sandbox.where}), so the agent can tick nothing in ${config.todoFile}: only you can. Let it write with ${spelling(surface, "sandbox", "workspace-write")}.`,
        )
      : [],
};

/** Plain promises shorter than this turn up by chance (P11). */
const SHORT_PROMISE = 4;

/** Something has to be able to end the loop before its limits do; quality commands alone never do (D-23). */
const SOMETHING_ENDS_THE_LOOP: Rule = {
  about: ["promiseMode", "statusBlock", "doneToken", "successCmd", "successSh", "backlog"],
  judge: ({ config, sources }) =>
    config.promiseMode === "off" &&
    config.statusBlock === "off" &&
    // An empty token never matches (S-10).
    (config.doneToken ?? "").trim() === "" &&
    config.successCmd === null &&
    config.successSh === null &&
    config.backlog === "prompt"
      ? problem(
          "NOTHING_ENDS_THE_LOOP",
          `${sources.promiseMode.where}: without a promise, a success command or a checklist only a limit could end the loop.`,
          "Set success-cmd or success-sh, or choose promise-mode tag or backlog checklist.",
        )
      : [],
};

/** A pattern has to compile (with the flag `u`, like the matcher) and must not match every message (W-37, P12). */
const PATTERN_IS_USABLE: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources }) => {
    if (config.promiseMode !== "regex") return [];
    const { where } = sources.completionPromise;
    const shown = JSON.stringify(config.completionPromise);
    try {
      if (!new RegExp(config.completionPromise, "u").test("")) return [];
    } catch (error) {
      return problem(
        "PATTERN_INVALID",
        `${where}: expected a JavaScript pattern, got ${shown}: ${messageOf(error)}.`,
        "Correct the pattern, or choose promise-mode plain to look for the text as it stands.",
      );
    }
    return problem(
      "PATTERN_MATCHES_EVERYTHING",
      `${where}: expected a pattern that needs some text, got ${shown}, which is found in every message.`,
      "Make the pattern name what the agent has to say, such as ALL TESTS PASS.",
    );
  },
};

/** Presets of systems without a promise turn it off; a person who gives one anyway expects it to end the loop. */
const PROMISE_IS_LOOKED_FOR: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources, surface }) => {
    const { from, where } = sources.completionPromise;
    if (config.promiseMode !== "off" || from === "default" || from === "preset") return [];
    const unused = `${where} is not used: promise-mode is off (${sources.promiseMode.where}).`;
    return notice(`${unused} Look for it with ${spelling(surface, "promise-mode", "tag")}.`);
  },
};

const PLAIN_PROMISE_IS_LONG: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources }) =>
    config.promiseMode === "plain" && config.completionPromise.length < SHORT_PROMISE
      ? notice(
          `${sources.completionPromise.where}: "${config.completionPromise}" is so short that the agent may say it by chance; a longer promise is safer.`,
        )
      : [],
};

/** The command outranks the shell text, wherever each was set (S-18). */
const ONE_SUCCESS_CHECK: Rule = {
  about: ["successCmd", "successSh"],
  judge: ({ config, sources }) =>
    config.successCmd !== null && config.successSh !== null
      ? notice(`${sources.successCmd.where} decides; ${sources.successSh.where} is not used (success-cmd goes first).`)
      : [],
};

/** CI judges what is on GitHub, so the work has to get there. Only the Action pushes. */
const CI_SEES_THE_WORK: Rule = {
  about: ["ciWorkflow", "commit", "pullRequest"],
  judge: ({ config, sources, surface }) => {
    if (surface !== "action" || config.ciWorkflow === null) return [];
    const against = [
      ...(config.commit === "never" ? [`commit is never (${sources.commit.where})`] : []),
      ...(config.pullRequest === "never" ? [`pull-request is never (${sources.pullRequest.where})`] : []),
    ];
    if (against.length === 0) return [];
    return problem(
      "CI_SEES_NOTHING",
      `${sources.ciWorkflow.where}: CI can only judge work that is pushed, but ${against.join(" and ")}, so nothing is.`,
      `Choose ${spelling(surface, "commit", "end")} and ${spelling(surface, "pull-request", "draft")}, or leave ci-workflow out.`,
    );
  },
};

/** A budget that its own reserve eats up pauses the loop at once (PRE 10); that is allowed, but said. */
const TIME_FOR_AN_ITERATION: Rule = {
  about: ["timeBudgetMinutes", "reserveMinutes"],
  judge: ({ config, sources }) => {
    const { timeBudgetMinutes: budget, reserveMinutes: reserve } = config;
    if (budget === null || (budget - reserve) * 60_000 >= MINIMUM_ITERATION_MS) return [];
    return notice(
      `${sources.timeBudgetMinutes.where}: ${budget} minutes less the reserve of ${reserve} leave no time for an iteration, so the loop pauses at once; raise time-budget-minutes or lower reserve-minutes.`,
    );
  },
};

/** Without a key nothing is encrypted (C13). Only the Action carries loops. */
const ENCRYPTION_HAS_ITS_KEY: Rule = {
  about: ["checkpointTree", "stateKey"],
  judge: ({ config, sources, surface }) =>
    surface === "action" && config.checkpointTree === "encrypted" && config.stateKey === null
      ? problem(
          "STATE_KEY_MISSING",
          `${sources.checkpointTree.where}: the work tree cannot be kept encrypted without state-key.`,
          `Store a long random text as a secret of the repository and add ${spelling(surface, "state-key", "${{ secrets.SMITHERS_STATE_KEY }}")}, or choose checkpoint-tree auto.`,
        )
      : [],
};

/** What a job of a split loop lacks: a token that writes, or what brings the loop to the other one. */
const SPLIT_JOBS_CAN_DO_IT: Rule = {
  about: ["job", "carriers", "ciWorkflow"],
  judge: ({ config, sources, surface }) => {
    const { job, carriers, ciWorkflow } = config;
    if (surface !== "action" || (job !== "run" && job !== "publish")) return [];
    const missing = (["ref", "artifact"] as const).filter((name) => !carriers.includes(name));
    return [
      ...(missing.length === 0
        ? []
        : problem(
            "SPLIT_CARRIERS",
            `${sources.carriers.where}: job ${job} needs the carriers ref and artifact, but not there: ${missing.join(", ")}.`,
            "Leave carriers out, or name both.",
          )),
      ...(job === "publish" || ciWorkflow === null
        ? []
        : problem(
            "SPLIT_WITHOUT_CI",
            `${sources.ciWorkflow.where}: job run has no token that pushes, so CI cannot be asked while the loop runs.`,
            `Let checks of the loop prove the work, or choose ${spelling(surface, "job", "loop")}.`,
          )),
    ];
  },
};

/** What loops over stories alone know means nothing to the others. */
const STORIES_HAVE_A_PRD: Rule = {
  about: ["backlog", "prd", "story", "maxStories", "commit"],
  judge: ({ config, sources, surface }) => {
    const { backlog } = config;
    if (backlog === "prd") {
      if (config.prd !== null) return [];
      const what = `${sources.backlog.where}: backlog prd needs the PRD to work through.`;
      return problem("PRD_MISSING", what, `Name it with ${spelling(surface, "prd", "NAME")}.`);
    }
    const where = `backlog is ${backlog} (${sources.backlog.where})`;
    const unused = (["prd", "story", "maxStories"] as const).filter((name) => config[name] !== null);
    const told = unused.flatMap((name) => notice(`${sources[name].where} is not used: ${where}.`));
    if (config.commit !== "story") return told;
    const what = `${sources.commit.where}: commit is story, but ${where}.`;
    const next = `Choose ${spelling(surface, "commit", "end")}, or name a PRD with ${spelling(surface, "prd", "NAME")}.`;
    return [...told, ...problem("COMMIT_WITHOUT_STORIES", what, next)];
  },
};

/** Of a loop without stories, the command line neither changes the branch nor the place. */
const ONLY_STORIES_MOVE: Rule = {
  about: ["backlog", "branch", "worktree"],
  judge: ({ config, sources, surface }) => {
    if (surface === "action" || config.backlog === "prd") return [];
    const asked = [
      ...(sources.branch.from === "flag" ? ["branch"] : []),
      ...(sources.worktree.from === "flag" && config.worktree === "on" ? ["worktree"] : []),
    ];
    return asked.flatMap((name) =>
      problem(
        "BRANCH_WITHOUT_STORIES",
        `--${name} is for the stories of a PRD; any other loop works on what is checked out.`,
        `Leave --${name} out and check out what you want it to work on, or name a PRD with --prd NAME.`,
      ),
    );
  },
};

function gatesOf(surface: Surface): string {
  return `Name what every story has to pass, for instance ${spelling(surface, "quality-commands", "'npm test'")}.`;
}

/** What cannot judge stories. */
export function wrongJudges({ config, sources, surface }: Judged): readonly Finding[] {
  const said = (["successCmd", "successSh", "ciWorkflow"] as const).filter((name) => config[name] !== null);
  return said.flatMap((name) =>
    problem(
      "STORIES_NEED_GATES",
      `${sources[name].where} cannot judge stories: a success command would end the loop without them, and CI would need their unproved work on the branch.`,
      `Leave it out. ${gatesOf(surface)}`,
    ),
  );
}

/** What judges stories, and what would outrank it. */
const STORIES_ARE_JUDGED: Rule = {
  about: ["backlog", "promiseMode", "statusBlock", "doneToken", ...CHECKS],
  judge: ({ config, sources, surface }) => {
    // Job plan proves nothing, and asks for the rest itself.
    if (config.backlog !== "prd" || config.job === "plan") return [];
    const gates = gatesOf(surface);
    const canClaim = config.promiseMode !== "off" || config.statusBlock !== "off";
    return [
      ...wrongJudges({ config, sources, surface }),
      ...(config.qualityCommands.length > 0
        ? []
        : problem("GATES_MISSING", "There is no quality command, so an agent's word would be enough.", gates)),
      ...(canClaim || (config.doneToken ?? "").trim() !== ""
        ? []
        : problem(
            "STORY_CANNOT_BE_CLAIMED",
            `${sources.promiseMode.where}: without a promise the agent cannot say that a story is done.`,
            `Choose ${spelling(surface, "promise-mode", "tag")}.`,
          )),
    ];
  },
};

/** One story, one fresh session, one commit (D-08, D-17). */
const STORIES_STAND_ALONE: Rule = {
  about: ["backlog", "commit", "session"],
  judge: ({ config, sources }) => {
    if (config.backlog !== "prd") return [];
    const wanted = { commit: "story", session: "fresh" } as const;
    return (["commit", "session"] as const).flatMap((name) =>
      config[name] === wanted[name]
        ? []
        : problem(
            "STORIES_STAND_ALONE",
            `${sources[name].where}: ${name} is ${config[name]}, but with backlog prd each story has its own commit, and each iteration a fresh session.`,
            `Leave ${name} out.`,
          ),
    );
  },
};

/** Neither half of an App's login is worth anything. */
const APP_IS_WHOLE: Rule = {
  about: ["appId", "appPrivateKey"],
  judge: ({ config, sources }) => {
    const [said, lacks] =
      config.appId === null ? (["appPrivateKey", "app-id"] as const) : (["appId", "app-private-key"] as const);
    if ((config.appId === null) === (config.appPrivateKey === null)) return [];
    return problem(
      "APP_INCOMPLETE",
      `${sources[said].where} is set, and ${lacks} is not, or is empty here: a secret or variable that a run does not get is empty.`,
      `Set ${lacks} as well, or leave both out to use github-token.`,
    );
  },
};

/** The rules over several settings, in the order in which people read what they find. */
const RULES: readonly Rule[] = [
  DANGER_IS_SAID,
  SANDBOX_ALLOWS_THE_WORK,
  TODO_CAN_BE_TICKED,
  PROVIDER_HAS_ITS_PART,
  REVIEWER_HAS_ITS_PART,
  SOMETHING_ENDS_THE_LOOP,
  PATTERN_IS_USABLE,
  PLAIN_PROMISE_IS_LONG,
  PROMISE_IS_LOOKED_FOR,
  ONE_SUCCESS_CHECK,
  APPROVAL_ON_FAILURE,
  TIME_FOR_AN_ITERATION,
  ENCRYPTION_HAS_ITS_KEY,
  CI_SEES_THE_WORK,
  SPLIT_JOBS_CAN_DO_IT,
  APP_IS_WHOLE,
  STORIES_HAVE_A_PRD,
  ONLY_STORIES_MOVE,
  STORIES_ARE_JUDGED,
  STORIES_STAND_ALONE,
];

/** Holds the settings against every rule, except those about a setting whose value was `refused` (by name). */
export function judge(judged: Judged, refused: ReadonlySet<string>): readonly Finding[] {
  const unclear = new Set([...refused].map((name) => propertyName(name)));
  const clear = RULES.filter(({ about }) => !about.some((property) => unclear.has(property)));
  return clear.flatMap((rule) => rule.judge(judged));
}
