import { z } from "zod";
import type { CarriedRecord } from "../core/carry.ts";
import type { Github } from "../github/client.ts";
import { done, type Result } from "../core/result.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { tipOf } from "../github/refs.ts";

/**
 * Reads a record that somebody else wrote.
 *
 * @param where it was found; named in the errors
 * @throws Error when it is damaged or of a later version
 */
export type ParseRecord = (json: unknown, where: string) => CarriedRecord;

/** What a loop's ref holds. */
export interface RefRecord {
  readonly commit: string;
  readonly record: CarriedRecord;
}

const PERMISSION = "contents: read";
const File = z.object({ type: z.literal("file"), encoding: z.string(), content: z.string(), sha: z.string() });

/** The ref that a loop lives on, without `refs/`. */
export function refOf(loopId: string): string {
  return `smithers/${loopId}`;
}

/** The record on a loop's ref, or null where there is no such ref (`contents: read`). Never throws. */
export async function readRecord(
  github: Github,
  loopId: string,
  parse: ParseRecord,
): Promise<Result<RefRecord | null, Refused>> {
  const commit = await tipOf(github, refOf(loopId));
  if (!commit.ok) return commit.trouble.kind === "absent" ? done(null) : commit;
  return readRecordAt(github, { loopId, commit: commit.value }, parse);
}

/** The record on a loop's ref, of which it is known where it stands (`contents: read`). Never throws. */
export async function readRecordAt(
  github: Github,
  { loopId, commit }: { readonly loopId: string; readonly commit: string },
  parse: ParseRecord,
): Promise<Result<RefRecord, Refused>> {
  return ask(PERMISSION, async () => {
    const text = await recordAt(github, commit);
    const record = parse(JSON.parse(text), `refs/${refOf(loopId)}`);
    if (record.loop_id !== loopId) throw new Error(`refs/${refOf(loopId)} holds the record of another loop`);
    return { commit, record };
  });
}

/** A file of more than a megabyte comes without its content, which is a blob then. */
async function recordAt(github: Github, commit: string): Promise<string> {
  const { data } = await github.rest.repos.getContent({ path: "record.json", ref: commit });
  const { encoding, content, sha } = File.parse(data);
  if (encoding === "base64") return decoded(content);
  return decoded((await github.rest.git.getBlob({ file_sha: sha })).data.content);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}
