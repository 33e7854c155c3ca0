import { UsageError } from "../core/errors.ts";

/**
 * Refuses to run where ending a whole process tree is not implemented yet (D-38).
 *
 * @param platform as in `process.platform`
 * @throws UsageError on Windows
 */
export function refusePlatform(platform: NodeJS.Platform): void {
  if (platform !== "win32") return;
  throw new UsageError([
    {
      code: "WINDOWS_NOT_SUPPORTED",
      what: "The Action does not run on Windows yet: an agent and everything it starts could not be ended in time there. Nothing was done.",
      next: "Give the job runs-on: ubuntu-latest, or a macOS runner.",
    },
  ]);
}
