import type { Config } from "./config.ts";
import { notice, problem, type Rule, spelling } from "./rule.ts";
import { chosenReviewer, type ProviderName, PROVIDERS } from "./settings/agent.ts";

const DANGEROUS_ARGUMENT = /^--yolo$|^--dangerously-|danger-full-access/u;

/** Full access only from the person at the command line or in the environment, with a warning (W-55, W-56). */
export const DANGER_IS_SAID: Rule = {
  about: ["sandbox", "providerArgs"],
  judge: ({ config, sources, surface }) => {
    const args = config.providerArgs.filter((argument) => DANGEROUS_ARGUMENT.test(argument));
    const dangers = [
      ...(config.sandbox === "danger-full-access" ? [{ what: "sandbox danger-full-access", ...sources.sandbox }] : []),
      ...args.map((what) => ({ what, ...sources.providerArgs })),
    ];
    return dangers.flatMap(({ what, where, from }) =>
      from === "file" || from === "foreign"
        ? problem(
            "DANGER_IN_FILE",
            `${where}: ${what} takes away every protection, and a file that comes with a repository must not do that.`,
            `Use sandbox workspace-write, or give it as ${surface === "action" ? "an input" : "a flag"} if you really mean it.`,
          )
        : notice(dangerBanner(what, where)),
    );
  },
};

function dangerBanner(what: string, where: string): string {
  return [
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!! DANGER !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
    `${what} (from ${where}):`,
    "the agent can read, change and delete everything that you can, and use the network.",
    "Use it only on a machine that you can throw away.",
    "!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
  ].join("\n");
}

/** The value stays valid, without effect (C19). */
export const APPROVAL_ON_FAILURE: Rule = {
  about: ["askForApproval"],
  judge: ({ config, sources }) =>
    config.askForApproval === "on-failure"
      ? notice(`${sources.askForApproval.where}: on-failure has no effect and is not sent; in a loop nobody is asked.`)
      : [],
};

const NEEDS = PROVIDERS.flatMap((choice) => ("needs" in choice ? { provider: choice.name, ...choice.needs } : []));

/** A provider that needs a setting of its own has it; set for another provider it is not used, which is said. */
export const PROVIDER_HAS_ITS_PART: Rule = {
  about: ["provider", "backlog", "reviewer", "reviewerAgent", ...NEEDS.map(({ property }) => property)],
  judge: ({ config, sources, surface }) =>
    NEEDS.flatMap(({ provider, name, property, example }) => {
      const missing = config[property] === null;
      if ((config.provider === provider) !== missing) return [];
      return missing
        ? problem(
            "PROVIDER_INCOMPLETE",
            `${sources.provider.where}: provider ${provider} does not work without ${name}.`,
            `Add ${spelling(surface, name, example)}, or choose another provider.`,
          )
        : config.backlog === "prd" || reviewerIn(config) === provider // its stories may choose that provider
          ? []
          : notice(`${sources[property].where} is not used: the provider is ${config.provider}.`);
    }),
};

/** Who reviews has what it needs; named for nobody it is not used, which is said. */
export const REVIEWER_HAS_ITS_PART: Rule = {
  about: ["provider", "reviewer", "reviewerAgent", ...NEEDS.map(({ property }) => property)],
  judge: ({ config, sources, surface }) => {
    const name = reviewerIn(config);
    if (name === undefined && config.reviewerAgent !== "same")
      return notice(`${sources.reviewerAgent.where} is not used: reviewer is off.`);
    const isOther = name !== config.provider;
    const lacks = NEEDS.filter(({ provider, property }) => isOther && provider === name && config[property] === null);
    return lacks.flatMap((needs) =>
      problem(
        "REVIEWER_INCOMPLETE",
        `${sources.reviewerAgent.where}: ${needs.provider} does not review without ${needs.name}.`,
        `Add ${spelling(surface, needs.name, needs.example)}, or choose another reviewer-agent.`,
      ),
    );
  },
};

function reviewerIn({ reviewer, reviewerAgent, provider }: Config): ProviderName | undefined {
  return reviewer === "off" ? undefined : chosenReviewer(reviewerAgent, { name: provider, model: null })?.name;
}
