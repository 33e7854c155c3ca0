import { z } from "zod";
import type { BlobStore } from "./blob-store.ts";
import type { Caller } from "./caller.ts";
import { type Reply, refuse } from "./reply.ts";

/** An artifact; only a finalised one is listed. */
export interface StoredArtifact {
  readonly id: number;
  readonly run: string;
  readonly job: string;
  readonly name: string;
  /** whether its content is a zip; else it is one file as it is */
  readonly isArchive: boolean;
  /** name of its content in the blob store */
  readonly blob: string;
  readonly createdAt: Date;
  readonly expiresAt: string | null;
  size: number;
  /** `sha256:<hex>` */
  digest: string;
  finalized: boolean;
}

const ZIP = "application/zip";

/** Single files are numbered from here, so that a job's archives have the same numbers whether there is a page or not. */
const FILES_FROM = 1_000_000;

const ids = { workflow_run_backend_id: z.string(), workflow_job_run_backend_id: z.string() };
const name = z
  .string()
  .min(1)
  .regex(/^[^":<>|*?\r\n\\/]+$/u);
const create = z.object({
  ...ids,
  name,
  version: z.literal(7),
  mime_type: z.enum(["application/zip", "text/html", "text/plain", "application/json", "application/octet-stream"]),
  expires_at: z.string().optional(),
});
const createOlder = z.strictObject({ ...ids, name, version: z.literal(4), expires_at: z.string().optional() });
const finalize = z.object({ ...ids, name, size: z.string().regex(/^\d+$/u), hash: z.string().default("") });
const list = z.object({ ...ids, name_filter: z.string().optional(), id_filter: z.string().optional() });
const named = z.object({ ...ids, name });

/** `github.actions.results.api.v1.ArtifactService`. */
export class ArtifactService {
  readonly stored: StoredArtifact[] = [];
  /** knows the fields of the first version only, as act, Gitea and Forgejo do; 500 is what they say to others */
  isOlder = false;
  /** takes archives only, as a server that knows the later fields and no single files */
  refusesFiles = false;
  readonly #blobs: BlobStore;
  readonly #finalized: (artifact: StoredArtifact) => Promise<void>;

  constructor(blobs: BlobStore, finalized: (artifact: StoredArtifact) => Promise<void>) {
    this.#blobs = blobs;
    this.#finalized = finalized;
  }

  async handle(method: string, body: unknown, { run }: Caller): Promise<Reply | undefined> {
    const mine = z.object(ids).safeParse(body);
    if (mine.success && mine.data.workflow_run_backend_id !== run) {
      return refuse(403, "permission_denied", "the token is of another run");
    }
    if (method === "CreateArtifact" && this.isOlder) {
      const { success, data } = createOlder.safeParse(body);
      return success ? this.#create(data, true) : refuse(500, "internal", "Error decode request body");
    }
    if (method === "CreateArtifact") {
      const request = create.parse(body);
      if (request.mime_type !== ZIP && this.refusesFiles)
        return refuse(400, "invalid_argument", "mime_type is not known");
      return this.#create(request, request.mime_type === ZIP);
    }
    if (method === "FinalizeArtifact") return await this.#finalize(finalize.parse(body));
    if (method === "ListArtifacts") return this.#list(list.parse(body));
    if (method === "GetSignedArtifactURL") return this.#sign(named.parse(body));
    if (method === "DeleteArtifact") return this.#delete(named.parse(body));
    return undefined;
  }

  #create(request: Omit<z.infer<typeof create>, "version" | "mime_type">, isArchive: boolean): Reply {
    const run = request.workflow_run_backend_id;
    if (this.#find(run, request.name) !== undefined) {
      return refuse(409, "already_exists", "an artifact with this name already exists on the workflow run");
    }
    const ofKind = this.stored.filter((artifact) => artifact.isArchive === isArchive);
    const id = ofKind.reduce((highest, artifact) => Math.max(highest, artifact.id), isArchive ? 0 : FILES_FROM) + 1;
    const expiresAt = request.expires_at ?? null;
    const given = {
      id,
      isArchive,
      run,
      job: request.workflow_job_run_backend_id,
      name: request.name,
      blob: isArchive ? `artifact-${id}.zip` : `artifact-${id}`,
    };
    const artifact = { ...given, createdAt: new Date(), expiresAt, size: 0, digest: "", finalized: false };
    this.stored.push(artifact);
    return { status: 200, body: { ok: true, signed_upload_url: this.#blobs.uploadUrl(artifact.blob) } };
  }

  async #finalize(request: z.infer<typeof finalize>): Promise<Reply> {
    const artifact = this.#find(request.workflow_run_backend_id, request.name);
    if (artifact === undefined) return refuse(404, "not_found", "artifact not found");
    artifact.size = Number(request.size);
    artifact.digest = request.hash;
    artifact.finalized = true;
    await this.#finalized(artifact);
    return { status: 200, body: { ok: true, artifact_id: String(artifact.id) } };
  }

  #list(request: z.infer<typeof list>): Reply {
    const found = this.stored.filter(
      (artifact) =>
        artifact.finalized &&
        artifact.run === request.workflow_run_backend_id &&
        (request.name_filter === undefined || artifact.name === request.name_filter) &&
        (request.id_filter === undefined || String(artifact.id) === request.id_filter),
    );
    const artifacts = found.map((artifact) => ({
      workflow_run_backend_id: artifact.run,
      workflow_job_run_backend_id: artifact.job,
      database_id: String(artifact.id),
      name: artifact.name,
      size: String(artifact.size),
      created_at: artifact.createdAt.toISOString(),
      digest: artifact.digest,
    }));
    return { status: 200, body: { artifacts } };
  }

  #sign(request: z.infer<typeof named>): Reply {
    const artifact = this.#find(request.workflow_run_backend_id, request.name);
    if (artifact?.finalized !== true) return refuse(404, "not_found", "artifact not found");
    return { status: 200, body: { signed_url: this.#blobs.downloadUrl(artifact.blob) } };
  }

  #delete(request: z.infer<typeof named>): Reply {
    const artifact = this.#find(request.workflow_run_backend_id, request.name);
    if (artifact === undefined) return refuse(404, "not_found", "artifact not found");
    this.stored.splice(this.stored.indexOf(artifact), 1);
    return { status: 200, body: { ok: true, artifact_id: String(artifact.id) } };
  }

  #find(run: string, name: string): StoredArtifact | undefined {
    return this.stored.find((artifact) => artifact.run === run && artifact.name === name);
  }
}
