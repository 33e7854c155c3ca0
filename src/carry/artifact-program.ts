import path from "node:path";
import { DefaultArtifactClient } from "@actions/artifact";
import { HttpClient } from "@actions/http-client";
import { z } from "zod";
import { serveToolkit } from "./serve-toolkit.ts";

const callSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("upload"),
    name: z.string(),
    folder: z.string(),
    files: z.array(z.string()),
    retentionDays: z.int().positive().nullable(),
    compressionLevel: z.int().min(0).max(9),
  }),
  z.object({ op: z.literal("uploadFile"), file: z.string(), retentionDays: z.int().positive().nullable() }),
  z.object({
    op: z.literal("download"),
    id: z.int().positive(),
    into: z.string(),
    digest: z.string().nullable(),
    from: z.object({
      token: z.string(),
      workflowRunId: z.int(),
      repositoryOwner: z.string(),
      repositoryName: z.string(),
    }),
  }),
]);

/** What a results service says when it knows fewer fields than the toolkit sends: act ends with 500, others with 400. */
const NOT_UNDERSTOOD = new Set([400, 500]);
const UNKNOWN_FIELD = /decode|unknown field|mime_type/iu;

/** The version of artifacts that came first with this service; their content is a zip, whose kind nobody has to say. */
const FIRST_VERSION = 4;

const REFUSED = 400;
const ZIP = "application/zip";

/**
 * Has the toolkit's clients in this process speak to older results services as well (act, Gitea, Forgejo): what creates an
 * artifact, and is not understood, is said once more without the fields that came later.
 */
function speakOlderForm(): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const { post } = HttpClient.prototype;
  HttpClient.prototype.post = async function (this: HttpClient, url, body, headers) {
    const answer = await post.call(this, url, body, headers);
    if (!url.endsWith("/CreateArtifact") || !NOT_UNDERSTOOD.has(answer.message.statusCode ?? 0)) return answer;
    const said = await answer.readBody();
    if (!UNKNOWN_FIELD.test(said)) return { message: answer.message, readBody: async () => said };
    const older = olderForm(body);
    if (older === undefined) {
      // Whatever it has said: else the toolkit asks five times, for half a minute.
      answer.message.statusCode = REFUSED;
      return { message: answer.message, readBody: async () => said };
    }
    const again = await post.call(this, url, older, headers);
    if (!NOT_UNDERSTOOD.has(again.message.statusCode ?? 0)) return again;
    await again.readBody();
    return { message: answer.message, readBody: async () => said };
  };
}

/** Undefined: there is none, because its content is no zip. */
function olderForm(body: string): string | undefined {
  const { mime_type: kind, version: _, ...older } = z.looseObject({}).parse(JSON.parse(body));
  return kind === ZIP ? JSON.stringify({ ...older, version: FIRST_VERSION }) : undefined;
}

speakOlderForm();
await serveToolkit(async (json) => {
  const call = callSchema.parse(json);
  const client = new DefaultArtifactClient();
  if (call.op === "upload") {
    const { name, files, folder, retentionDays, compressionLevel } = call;
    return await client.uploadArtifact(name, files, folder, {
      compressionLevel,
      ...(retentionDays === null ? {} : { retentionDays }),
    });
  }
  if (call.op === "uploadFile") {
    const { file, retentionDays } = call;
    const kept = retentionDays === null ? {} : { retentionDays };
    // It is called as its file is.
    return await client.uploadArtifact(path.basename(file), [file], path.dirname(file), { skipArchive: true, ...kept });
  }
  return await client.downloadArtifact(call.id, {
    path: call.into,
    // Its own extraction takes every name and any length.
    skipDecompress: true,
    findBy: call.from,
    ...(call.digest === null ? {} : { expectedHash: call.digest }),
  });
});
