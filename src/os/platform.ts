/**
 * What a person should know of the system before a loop begins there, besides that nothing is isolated.
 *
 * @param platform as in `process.platform`
 */
export function platformNotices(platform: NodeJS.Platform): readonly string[] {
  return platform === "win32" ? [ON_WINDOWS] : [];
}

const ON_WINDOWS =
  "On Windows success-sh and quality-commands go to cmd /C. success-cmd starts programs (.exe) only: start a .cmd or .bat such as npm with success-sh. The agent's sandbox is its own matter, checks and turns are not isolated, and what an agent leaves running is not always found and ended. In WSL 2 all of this is as on Linux.";
