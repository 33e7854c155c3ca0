import { readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf, UsageError } from "../../core/errors.ts";
import type { Agent } from "../agent.ts";

/** An agent that plays a file of turns. */
export const SCRIPTED: Agent = {
  settings: { variables: [], keyVariable: null },
  async turn({ config, ...place }) {
    const file = path.resolve(place.workspaceRoot, config.script ?? "");
    const scriptText = await readFile(file, "utf8").catch((error: unknown) => {
      throw new UsageError([
        {
          code: "SCRIPT_UNREADABLE",
          what: `The script ${file} cannot be read: ${messageOf(error)}.`,
          next: "Correct --script; its path is seen from the workspace.",
        },
      ]);
    });
    const { createScriptedProvider } = await import("./provider.ts");
    return { provider: createScriptedProvider({ ...place, scriptText }), commandLine: () => ["scripted", file] };
  },
};
