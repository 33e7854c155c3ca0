import { spawn } from "node:child_process";
import path from "node:path";

/** The built command line, as it is shipped. */
export const CLI = path.join(import.meta.dirname, "../dist/cli/index.js");

/**
 * Runs the command line to its end.
 *
 * @param exitCode what it has to end with; anything else is a failed measurement
 */
export async function runSmithers(
  cwd: string,
  args: readonly string[],
  exitCode: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4096);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== exitCode) throw new Error(`smithers ended with ${code} instead of ${exitCode}:\n${output}`);
}
