import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Removes what an older attempt left: Codex only writes its `-o` file when a turn completes (W-36). */
export async function clearLastMessage(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * The agent's last message as Codex wrote it, else as the stream told it. The file is there afterwards and holds it,
 * whatever happened to the turn (C8).
 */
export async function settleLastMessage(file: string, fromStream: string): Promise<string> {
  const written = await readFile(file, "utf8").catch(() => "");
  if (written !== "") return written;
  // What ran in the turn may have cleaned the folder away (`git clean -fdx`).
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, fromStream);
  return fromStream;
}
