import { messageOf } from "../../core/errors.ts";
import type { Config } from "../config.ts";
import { spelling } from "../spelling.ts";
import { notice, problem, type Rule } from "./rule.ts";

/** Plain promises shorter than this turn up by chance (P11). */
const SHORT_PROMISE = 4;

/** Something has to be able to end the loop before its caps do; quality commands never do so alone (D-23). */
export const SOMETHING_ENDS_THE_LOOP: Rule = {
  about: ["promiseMode", "statusBlock", "doneToken", "successCmd", "successSh", "backlog"],
  judge: ({ config, sources }) =>
    config.promiseMode === "off" &&
    config.statusBlock === "off" &&
    !hasToken(config) &&
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

/** An empty token never matches (S-10). */
function hasToken({ doneToken }: Config): boolean {
  return (doneToken ?? "").trim() !== "";
}

/** A pattern has to compile (with the flag `u`, as the matcher does it) and must not be found in every message (W-37, P12). */
export const PATTERN_IS_USABLE: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources }) => {
    if (config.promiseMode !== "regex") return [];
    const { where } = sources.completionPromise;
    const shown = JSON.stringify(config.completionPromise);
    try {
      if (!new RegExp(config.completionPromise, "u").test("")) return [];
    } catch (error) {
      const reason = messageOf(error);
      return problem(
        "PATTERN_INVALID",
        `${where}: expected a JavaScript pattern, got ${shown}: ${reason}.`,
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

/** Presets of systems that know no promise turn it off; whoever gives one all the same expects it to end the loop. */
export const PROMISE_IS_LOOKED_FOR: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources, surface }) => {
    const { from, where } = sources.completionPromise;
    if (config.promiseMode !== "off" || from === "default" || from === "preset") return [];
    const cure = spelling(surface, "promise-mode", "tag");
    return notice(
      `${where} is not used: promise-mode is off (${sources.promiseMode.where}). Look for it with ${cure}.`,
    );
  },
};

export const PLAIN_PROMISE_IS_LONG: Rule = {
  about: ["promiseMode", "completionPromise"],
  judge: ({ config, sources }) =>
    config.promiseMode === "plain" && config.completionPromise.length < SHORT_PROMISE
      ? notice(
          `${sources.completionPromise.where}: "${config.completionPromise}" is so short that the agent may say it by chance; a longer promise is safer.`,
        )
      : [],
};

/** The command outranks the shell text, whatever the places (S-18). */
export const ONE_SUCCESS_CHECK: Rule = {
  about: ["successCmd", "successSh"],
  judge: ({ config, sources }) =>
    config.successCmd !== null && config.successSh !== null
      ? notice(`${sources.successCmd.where} decides; ${sources.successSh.where} is not used (success-cmd goes first).`)
      : [],
};
