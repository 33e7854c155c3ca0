/**
 * Where post begins. The build makes one file of this, which needs no other and looks at all the others before it loads
 * them: between main and post an agent that is not isolated can write to the Action's folder.
 *
 * It cannot look at itself, nor at what the process has loaded before it (`NODE_OPTIONS`, `LD_PRELOAD`), and a process
 * that rewrites a file between its reading here and its loading is not noticed. All of that is for isolation to prevent.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Holds the files of the Action against the digests that the build has put into the program. When one differs, says so
 * and fails the step.
 *
 * @param shipped SHA-256 in hex of each file by its path in the Action's folder
 * @param program the URL of the program, `dist/post/index.js`
 * @returns whether all are as shipped, so that they may be loaded
 */
export function areAsShipped(shipped: Readonly<Record<string, string>>, program: string): boolean {
  const changed = Object.entries(shipped).filter(
    ([name, digest]) => digestOf(new URL(`../../${name}`, program)) !== digest,
  );
  const [first] = changed;
  if (first === undefined) return true;
  const others = changed.length === 1 ? "" : `, and ${changed.length - 1} more`;
  process.stdout.write(
    `::error::The Action's ${first[0]} is not the file that was shipped${others}: something that ran in this job has changed it. None of it was loaded, so nothing was published or saved after the main step; what was kept while the loop ran is unharmed. Do not trust what this job did after that. Look at what the agent and its checks can write, and run the workflow again on a fresh machine.\n`,
  );
  process.exitCode = 1;
  return false;
}

/** Undefined where it cannot be read. */
function digestOf(file: URL): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  } catch {
    return undefined;
  }
}
