import { stat } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "../carry/manifest.ts";
import { UsageError } from "../core/errors.ts";
import { isLoopId } from "../core/names.ts";

/** A downloaded artifact that is named by its path; undefined: a loop is meant. @throws UsageError for any other path */
export async function artifactAt(operand: string, cwd: string): Promise<string | undefined> {
  if (operand === "") return undefined;
  const file = path.resolve(cwd, operand);
  const found = await stat(file).catch(() => undefined);
  const isPath = !isLoopId(operand) || operand.endsWith(".zip");
  if (found === undefined && (operand.includes("/") || operand.endsWith(".zip"))) throw noArtifact(operand);
  if (found === undefined) return undefined;
  const isBundle = found.isDirectory()
    ? (await stat(path.join(file, MANIFEST_FILE)).catch(() => undefined)) !== undefined
    : operand.endsWith(".zip");
  if (!isBundle && isPath) throw noArtifact(operand);
  return isBundle ? file : undefined;
}

/**
 * Gives the loop that an operand names. A folder may be called the same: where there is no such loop, it is said that the
 * folder is no artifact either.
 */
export async function loopOr<Found>(operand: string, cwd: string, finding: Promise<Found>): Promise<Found> {
  try {
    return await finding;
  } catch (error) {
    const unknown = error instanceof UsageError && error.problems.find(({ code }) => code === "LOOP_UNKNOWN");
    const isThere = operand !== "" && (await stat(path.resolve(cwd, operand)).catch(() => undefined)) !== undefined;
    throw isThere && unknown ? noArtifact(operand, `${unknown.what} `) : error;
  }
}

function noArtifact(operand: string, before = ""): UsageError {
  return new UsageError({
    code: "NO_ARTIFACT",
    what: `${before}${operand} is no downloaded artifact of a loop${before && " either"}: neither a .zip nor a folder with ${MANIFEST_FILE} in it.`,
    next: "Name what gh run download has fetched, or a loop by its id.",
  });
}
