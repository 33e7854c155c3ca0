import path from "node:path";
import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import type { Outputs } from "../config/action.ts";
import { SUMMARY_FILE } from "../core/names.ts";
import { nextResetAt, outcomeOf } from "../core/outcome.ts";
import type { LoopState } from "../core/state.ts";
import type { LoopPlace } from "../store/place.ts";

/** All outputs of a job together may have 1 MB; a message that long is for the artifact. */
const MESSAGE_BYTES = 48 * 1024;

/** What later steps of the job can ask of a loop, by the output's name. */
export async function outputsOf(state: LoopState, place: LoopPlace, artifactId: number | null): Promise<Outputs> {
  const { stop_reason: reason, github } = state;
  const pull = github?.pull_request ?? null;
  return {
    status: state.status,
    "stop-reason": reason?.kind ?? "",
    resumable: String(reason !== null && outcomeOf(reason).resumableBy !== "nobody"),
    "next-reset-at": nextResetAt(reason) ?? "",
    "loop-id": state.loop_id,
    iterations: String(state.iteration),
    "final-message": await finalMessage(state, place.folder),
    "summary-file": path.join(place.folder, SUMMARY_FILE),
    "tokens-used": String(state.spent.tokens),
    branch: github === null || github.head === null ? "" : github.branch,
    "pr-number": pull === null ? "" : String(pull.number),
    "pr-url": pull?.url ?? "",
    "artifact-id": artifactId === null ? "" : String(artifactId),
  };
}

/** The beginning of the agent's last message; "" before the first. */
async function finalMessage({ artifacts }: LoopState, folder: string): Promise<string> {
  if (artifacts.last_message_path === null) return "";
  // The name is ours: a path that came with the state is never followed.
  const file = await open(path.join(folder, path.basename(artifacts.last_message_path))).catch(() => undefined);
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MESSAGE_BYTES), 0, MESSAGE_BYTES, 0);
    // A character that the end cuts in two is left out.
    return new StringDecoder("utf8").write(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
