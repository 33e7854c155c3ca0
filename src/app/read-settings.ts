import { readFile, realpath } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { resolveSettings, type Resolved } from "../config/resolve.ts";
import { propertyName } from "../config/setting.ts";
import { messageOf, type Problem, UsageError } from "../core/errors.ts";
import { TASK_LIMIT } from "../core/prompt/prompt.ts";
import type { TaskIdentity } from "../core/task.ts";
import { isInside, readOwnFile } from "../os/own-file.ts";
import { leftOutOf } from "../os/programs.ts";
import { oneLine } from "../views/plain-text.ts";
import { configuredIdentity, promptOfPrd, resumedIdentity, saidNow, storedFlags } from "./identity.ts";
import type { Location } from "./locate.ts";

const ENTRY_SHOWN = 200;

/** Settings and the task that they describe. */
export interface Settings extends Resolved {
  readonly identity: TaskIdentity;
}

/**
 * Puts the settings of a run together.
 *
 * @param stored the task of the loop to resume; what is not given now comes from it (C25)
 * @throws UsageError with every problem of the settings, or when the prompt is missing
 */
export async function readSettings(
  { root, input, committed }: Location,
  program: string,
  stored?: TaskIdentity,
): Promise<Settings> {
  const said = saidNow(input);
  const added = stored === undefined ? {} : storedFlags(said, stored);
  const resolved = resolveSettings({ ...input, flags: { ...input.flags, ...added } });
  const wantsPrompt = stored === undefined || said.has("prompt") || said.has("prompt-file");
  const prompt = wantsPrompt ? await promptOf(resolved.config, { root, committed }, program) : "";
  const configured = configuredIdentity(resolved.config, prompt, resolved.sources);
  return {
    ...resolved,
    notices: [...resolved.notices, ...pathNotices(input.env["PATH"])],
    sources: withStoredSources(resolved.sources, Object.keys(added)),
    identity: stored === undefined ? configured : resumedIdentity(stored, configured, said),
  };
}

/** Today's settings, for a command that takes no part of them; null: something is wrong with them. */
export function settingsNow({ input }: Pick<Location, "input">): Config | null {
  try {
    return resolveSettings(input).config;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Entries of PATH that are good for the agent and its checks, and not for us (T12). */
function pathNotices(searchPath: string | undefined): readonly string[] {
  const entries = leftOutOf(searchPath).map((entry) => oneLine(entry).slice(0, ENTRY_SHOWN) || "an empty entry");
  if (entries.length === 0) return [];
  return [
    `These entries of PATH are folders that the agent can write: ${entries.join(", ")}. The agent and the checks have them as before; what smithers itself starts (git, the agent, tar) is not looked for there.`,
  ];
}

/** What was added for the sake of the rules does not come from a flag. */
function withStoredSources(sources: Resolved["sources"], added: readonly string[]): Resolved["sources"] {
  const where = { from: "flag", where: "the stored loop" };
  return { ...sources, ...Object.fromEntries(added.map((name) => [propertyName(name), where])) };
}

type Place = Pick<Location, "root" | "committed">;

async function promptOf(config: Config, place: Place, program: string): Promise<string> {
  const { prompt: text, promptFile: file, prd } = config;
  const said = text ?? (file === null ? "" : await readPromptFile(file, place));
  const prompt = said.trim() === "" && file === null && prd !== null ? promptOfPrd(prd) : said;
  if (prompt.trim() === "") {
    const missing: Problem = {
      code: "PROMPT_MISSING",
      what: "There is no prompt, so the agent would have nothing to do.",
      next: `Say what to do: ${program} "Fix the failing tests", or --prompt-file <path>; ${program} --help tells more.`,
    };
    const next = "Write into it what the agent has to do.";
    throw new UsageError(
      file === null ? missing : { code: "PROMPT_EMPTY", what: `The prompt file ${file} is empty.`, next },
    );
  }
  if (prompt.length > TASK_LIMIT) {
    throw new UsageError({
      code: "PROMPT_TOO_LONG",
      what: `The prompt has ${prompt.length} characters; agents accept at most ${TASK_LIMIT}.`,
      next: "Put the details into files of the workspace, and name them in the prompt.",
    });
  }
  return prompt;
}

/**
 * A prompt file of the workspace came with a clone: it is no link to elsewhere, and no pipe (T14). One that came with a
 * pull request is read as of what that is for (T8).
 */
async function readPromptFile(file: string, { root, committed }: Place): Promise<string> {
  const named = path.resolve(root, file);
  const found = await committed?.readTracked(named);
  try {
    if (found?.text !== undefined) return found.text;
    if (found !== undefined) throw new Error("it came with the pull request, and what that is for has none");
    if (!isInside(root, named)) return await readFile(named, "utf8");
    const real = await realpath(named);
    if (!isInside(await realpath(root), real)) throw new Error("it is a link that leads out of the workspace");
    return await readOwnFile(real);
  } catch (error) {
    throw new UsageError({
      code: "PROMPT_FILE_UNREADABLE",
      what: `The prompt file ${path.resolve(root, file)} cannot be read: ${messageOf(error)}.`,
      next: "Correct --prompt-file, whose path is seen from the workspace, or write the file; preset ralph wants PROMPT.md.",
    });
  }
}
