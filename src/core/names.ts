/** Of this program. The generator takes it from package.json. */
export const VERSION = "0.1.0";

/** Default folder of the loops (W-18), relative to the workspace. */
export const HOME_FOLDER = ".codex/waylon-smithers";

/** Where the PRDs lie, seen from the workspace. */
export const PRDS_FOLDER = ".daedalus/prds";

/** The key in a loop's state for all that belongs to its agent, whichever it is; the name is the seed's. */
export const AGENT_STATE = "codex";

// Names inside a loop's folder (W-48, docs/files.md).

export const EVENTS_FILE = "events.jsonl";
export const PROGRESS_FILE = "progress.md";
/** What the agent and the checks of a PRD's loop did, in lines for people (D-31). */
export const AGENT_LOG_FILE = "agent.log";
/** What was in the place of the notes' copy in a PRD's folder before the loop first wrote it. */
export const EARLIER_PROGRESS_FILE = "progress.before.md";
/** What tests and check scripts were when the loop began (C21). */
export const TESTS_FILE = "tests.json";
/** What a run has read of its PRD and written into it, for the run after it if it is killed. */
export const DOCUMENTS_FILE = "prd-documents.json";
export const PROMPT_FILE = "prompt.txt";
export const SUMMARY_FILE = "summary.json";
/** The page about the loop. */
export const REPORT_FILE = "report.html";
/** Work that was refused (T17), as a patch. */
export const PATCH_FILE = "refused.patch";
/** The unfinished work of a loop that travels: a git bundle. */
export const WORK_FILE = "work.bundle";
/** What a job hands over to the one that publishes: facts and claims about commits. */
export const PUBLICATION_FILE = "publication.json";
/** The commits that go with it: a git bundle. */
export const COMMITS_FILE = "commits.bundle";
export const CONTROL_FOLDER = "control";
/** The context of the commit status with CI's result. */
export const CI_CONTEXT = "smithers/ci";

/**
 * What the refs of all loops begin with. Not `refs/smithers/`: git would take a branch's short name, `smithers/x`, for the
 * loop's ref (0080).
 */
export const LOOP_REFS = "refs/smithers-loops/";
/** What the refs of all requests to loops begin with. */
export const CONTROL_REFS = "refs/smithers-control/";

/** The full name of a loop's ref. */
export function loopRefOf(loopId: string): string {
  return `${LOOP_REFS}${loopId}`;
}

/** Globs of what tells an agent or a loop what to do, or runs by itself beside them: a job takes it from the base (T8). */
export const INSTRUCTIONS: readonly string[] = [
  "**/.smithers.toml",
  "**/.codex-solo.json",
  "**/.loopr/config",
  "**/AGENTS*.md",
  "**/CLAUDE*.md",
  "**/.codex/**",
  "**/.claude*/**",
  "**/.agents/**",
  "**/GEMINI*.md",
  "**/.gemini/**",
  "**/.cursor/**",
  "**/.cursorrules",
  "**/.windsurf/**",
  "**/.windsurfrules",
  "**/.clinerules/**",
  "**/.opencode/**",
  "**/opencode.json",
  "**/opencode.jsonc",
  "**/.aider.conf.yml",
  ".github/copilot-instructions.md",
  ".github/instructions/**",
  ".github/prompts/**",
  "**/.mcp.json",
  "**/.gitmodules",
  "**/.husky/**",
  "**/.ripgreprc",
  "**/.envrc",
  "**/.vscode/**",
  "**/.devcontainer/**",
];

/** Globs of what the agent may not change (T8, T17); the settings can add to them and open what they hold. */
export const ALWAYS_PROTECTED: readonly string[] = [
  ".github/workflows/**",
  ".github/actions/**",
  "CODEOWNERS",
  ".github/CODEOWNERS",
  "docs/CODEOWNERS",
  ...INSTRUCTIONS,
];

/** The provider's raw stream of an iteration (W-26). */
export function rawEventsName(iteration: number): string {
  return `events_iter_${iteration}.jsonl`;
}

/** The agent's last message of an iteration (W-27). */
export function lastMessageName(iteration: number): string {
  return `last_message_iter_${iteration}.txt`;
}

/** What the agent was asked in an iteration. */
export function promptName(iteration: number): string {
  return `prompt_iter_${iteration}.txt`;
}

/** What an iteration has changed, as a patch for people. */
export function changesName(iteration: number): string {
  return `changes_iter_${iteration}.patch`;
}

/** What the checks of an iteration have said; 0: those before the first. */
export function checksName(iteration: number): string {
  return `checks_iter_${iteration}.txt`;
}

/** The reviewer's raw stream of an iteration (C50). */
export function reviewEventsName(iteration: number): string {
  return `review_iter_${iteration}.jsonl`;
}

/** The reviewer's last message of an iteration. */
export function reviewMessageName(iteration: number): string {
  return `review_message_iter_${iteration}.txt`;
}

/** The unfinished work of a story, set aside as a patch; with a further number where one of that name was kept. */
export const STORY_PATCH = /^US-\d{3,6}-\d{1,9}(?:\.\d{1,3})?\.patch$/u;

/** What a document of the PRD said that was put back; with a further number where one of that name was kept. */
export const UNDONE_FILE = /^undone-\d{1,9}-prd(?:\.\d{1,6})?\.(?:json|md)$/u;

/** The name of one. @param file `prd.json` or `prd.md`; @param further 0: no number */
export function undoneName(iteration: number, file: string, further: number): string {
  return `undone-${iteration}-${further === 0 ? file : file.replace(".", `.${further}.`)}`;
}

const LOOP_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/u;

/** Whether a text can be a loop's id, and so a part of paths and of git's refs (C9). */
export function isLoopId(text: string): boolean {
  return LOOP_ID.test(text) && !text.includes("..") && !text.endsWith(".lock");
}
