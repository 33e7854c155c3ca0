/** The version of the Codex CLI that this project is tested with, and that the Action installs. */
export const CODEX_VERSION = "0.169.0";
