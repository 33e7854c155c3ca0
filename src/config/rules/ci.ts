import { spelling } from "../spelling.ts";
import { problem, type Rule } from "./rule.ts";

/** CI judges what is on GitHub, so the work has to get there. Only the Action pushes anything. */
export const CI_SEES_THE_WORK: Rule = {
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
