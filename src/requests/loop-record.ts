import { z } from "zod";
import type { CarriedRecord } from "../core/carry.ts";
import type { Access } from "../github/access.ts";
import { type Answer, ask } from "../github/answer.ts";

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
  access: Access,
  loopId: string,
  parse: ParseRecord,
): Promise<Answer<RefRecord | null>> {
  const commit = await tipOf(access, refOf(loopId));
  if (!commit.answered) return commit.absent ? { answered: true, value: null } : commit;
  return readRecordAt(access, { loopId, commit: commit.value }, parse);
}

/** The record on a loop's ref, of which it is known where it stands (`contents: read`). Never throws. */
export async function readRecordAt(
  access: Access,
  { loopId, commit }: { readonly loopId: string; readonly commit: string },
  parse: ParseRecord,
): Promise<Answer<RefRecord>> {
  return ask(PERMISSION, async () => {
    const text = await recordAt(access, commit);
    const record = parse(JSON.parse(text), `refs/${refOf(loopId)}`);
    if (record.loop_id !== loopId) throw new Error(`refs/${refOf(loopId)} holds the record of another loop`);
    return { commit, record };
  });
}

/**
 * The commit that a ref stands at (`contents: read`). Never throws.
 *
 * @param ref without `refs/`
 */
export async function tipOf({ octokit, repository, signal }: Access, ref: string): Promise<Answer<string>> {
  return ask(PERMISSION, async () => {
    const { data } = await octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", {
      owner: repository.owner,
      repo: repository.name,
      ref,
      request: { signal },
    });
    return data.object.sha;
  });
}

/** A file of more than a megabyte comes without its content, which is a blob then. */
async function recordAt({ octokit, repository, signal }: Access, commit: string): Promise<string> {
  const place = { owner: repository.owner, repo: repository.name, request: { signal } };
  const { data } = await octokit.request("GET /repos/{owner}/{repo}/contents/{path}", {
    ...place,
    path: "record.json",
    ref: commit,
  });
  const { encoding, content, sha } = File.parse(data);
  if (encoding === "base64") return decoded(content);
  const blob = await octokit.request("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", { ...place, file_sha: sha });
  return decoded(blob.data.content);
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString();
}
