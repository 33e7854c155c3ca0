import { spelling } from "../spelling.ts";
import { notice, problem, type Rule } from "./rule.ts";

const DANGEROUS_ARGUMENT = /^--yolo$|^--dangerously-|danger-full-access/u;

/**
 * Whoever needs writes with a read-only agent is told before a turn is spent (C3). Only Codex knows our sandbox. A commit
 * that nobody asked for commits nothing then, which is no contradiction.
 */
export const SANDBOX_ALLOWS_THE_WORK: Rule = {
  about: [
    "provider",
    "sandbox",
    "fullAuto",
    "successCmd",
    "successSh",
    "qualityCommands",
    "ciWorkflow",
    "backlog",
    "commit",
  ],
  judge: ({ config, sources, surface }) => {
    if (config.provider !== "codex" || config.sandbox !== "read-only") return [];
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

/** Full access only from the person at the command line or in the environment, with a warning (W-55, W-56). */
export const DANGER_IS_SAID: Rule = {
  about: ["sandbox", "providerArgs"],
  judge: ({ config, sources, surface }) => {
    const dangers = [
      ...(config.sandbox === "danger-full-access" ? [{ what: "sandbox danger-full-access", ...sources.sandbox }] : []),
      ...config.providerArgs
        .filter((argument) => DANGEROUS_ARGUMENT.test(argument))
        .map((what) => ({ what, ...sources.providerArgs })),
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

/** Codex takes the value without effect (C19). */
export const APPROVAL_ON_FAILURE: Rule = {
  about: ["askForApproval"],
  judge: ({ config, sources }) =>
    config.askForApproval === "on-failure"
      ? notice(`${sources.askForApproval.where}: on-failure has no effect and is not sent; in a loop nobody is asked.`)
      : [],
};

const PARTS = [
  { provider: "scripted", property: "script", name: "script", example: "turns.json" },
  {
    provider: "command",
    property: "providerCommand",
    name: "provider-command",
    example: `'["my-agent","--print"]'`,
  },
] as const;

/** A provider that needs a setting of its own has it; set for another provider it is not used, which is said. */
export const PROVIDER_HAS_ITS_PART: Rule = {
  about: ["provider", "script", "providerCommand"],
  judge: ({ config, sources, surface }) =>
    PARTS.flatMap(({ provider, property, name, example }) => {
      const missing = config[property] === null;
      if ((config.provider === provider) !== missing) return [];
      return missing
        ? problem(
            "PROVIDER_INCOMPLETE",
            `${sources.provider.where}: provider ${provider} does not work without ${name}.`,
            `Add ${spelling(surface, name, example)}, or choose another provider.`,
          )
        : notice(`${sources[property].where} is not used: the provider is ${config.provider}.`);
    }),
};
