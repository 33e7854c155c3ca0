import { DefaultArtifactClient } from "@actions/artifact";
import { z } from "zod";
import { serveToolkit } from "./serve-toolkit.ts";

/** The program that talks to the artifact service. */

const callSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("upload"),
    name: z.string(),
    folder: z.string(),
    files: z.array(z.string()),
    retentionDays: z.int().positive().nullable(),
    compressionLevel: z.int().min(0).max(9),
  }),
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
  return await client.downloadArtifact(call.id, {
    path: call.into,
    // Its own extraction takes every name and any length.
    skipDecompress: true,
    findBy: call.from,
    ...(call.digest === null ? {} : { expectedHash: call.digest }),
  });
});
