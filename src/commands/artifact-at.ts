import { stat } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "../carry/manifest.ts";
import { UsageError } from "../core/errors.ts";

/** A downloaded artifact that is named by its path; undefined: a loop is meant. @throws UsageError for any other path */
export async function artifactAt(operand: string, cwd: string): Promise<string | undefined> {
  if (operand === "") return undefined;
  const file = path.resolve(cwd, operand);
  const found = await stat(file).catch(() => undefined);
  const isPath = operand.includes("/") || operand.includes(path.sep) || operand.endsWith(".zip");
  if (found === undefined && isPath) throw noArtifact(operand);
  if (found === undefined) return undefined;
  const isBundle = found.isDirectory()
    ? (await stat(path.join(file, MANIFEST_FILE)).catch(() => undefined)) !== undefined
    : operand.endsWith(".zip");
  if (!isBundle && isPath) throw noArtifact(operand);
  return isBundle ? file : undefined;
}

function noArtifact(operand: string): UsageError {
  return new UsageError({
    code: "NO_ARTIFACT",
    what: `${operand} is no downloaded artifact of a loop: neither a .zip nor a folder with carried.json in it.`,
    next: "Name what gh run download has fetched, or a loop by its id.",
  });
}
