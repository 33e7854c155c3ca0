import { spelling } from "../spelling.ts";
import { problem, type Rule } from "./rule.ts";

/** Nothing is encrypted with a key that nobody gave (C13). Only the Action carries anything. */
export const ENCRYPTION_HAS_ITS_KEY: Rule = {
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
