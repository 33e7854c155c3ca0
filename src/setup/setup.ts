import { SETUP_FILES } from "./control-files.ts";
import { starterFolder, writeStarterFiles } from "./starter-folder.ts";
import type { Command } from "../app/command.ts";
import { tellStarted } from "./tell-started.ts";

/**
 * `smithers setup <name>`: a folder with Ralph's control files to fill in and the settings that use them, in a git
 * repository. Overwrites nothing.
 */
export const setup: Command = async (invocation, shell) => {
  const folder = starterFolder(invocation.operand, shell.cwd);
  const made = await writeStarterFiles(folder, SETUP_FILES);
  const fill = "say in PROMPT.md what is wanted, and in @fix_plan.md what has to be done";
  tellStarted({ folder, files: SETUP_FILES, made, fill, notices: [], facts: {} }, invocation, shell);
  return 0;
};
